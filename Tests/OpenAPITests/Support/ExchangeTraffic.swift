import JSON
import OpenAPI

/// A completely recorded exchange as contract traffic.
final class ExchangeTraffic: ContractTraffic {
    private let known: ContractExchange
    /// Whether the entire exchange was requested.
    private(set) var isTaken = false

    init(_ exchange: ContractExchange) {
        known = exchange
    }

    var exchange: ContractExchange {
        isTaken = true
        return known
    }

    var method: String { known.method }
    var url: String { known.url }
    var requestBody: [UInt8]? { known.requestBody }
    var status: Int { known.status }
    var responseBody: [UInt8] { known.responseBody }
    var hasItems: Bool { known.items?.isEmpty == false }

    func requestHeader(_ name: HeaderName) -> HeaderLookup { Self.fields(name, known.requestHeaders) }

    func responseHeader(_ name: HeaderName) -> HeaderLookup { Self.fields(name, known.responseHeaders) }

    func json() throws(JSONParseError) -> JSONValue { try JSONParser().parse(known.responseBody) }

    private static func fields(_ name: HeaderName, _ fields: [ContractExchange.Field]) -> HeaderLookup {
        var lookup = HeaderLookup.none
        for field in fields where name.matches(field.name) { lookup.add(field.value) }
        return lookup
    }
}
