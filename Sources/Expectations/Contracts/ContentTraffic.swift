import JSON
import OpenAPI
import SuiteModel

/// An exchange as a contract sees it.
final class ContentTraffic: ContractTraffic {
    private let content: ResponseContent
    private let request: Exchange.Request
    private let responseHeaders: [HeaderField]

    init(_ content: ResponseContent) {
        self.content = content
        request = content.exchange.request
        responseHeaders = content.headers
    }

    var method: String { request.method }
    var url: String { request.url }
    var requestBody: [UInt8]? { request.streamedSize == nil ? request.body : nil }
    var status: Int { content.status }
    var responseBody: [UInt8] { content.bytes }
    var hasItems: Bool { items?.isEmpty == false }

    var exchange: ContractExchange {
        ContractExchange(
            method: method, url: url, requestHeaders: request.headers.map { ($0.name, $0.value) },
            requestBody: requestBody, status: status, responseHeaders: responseHeaders.map { ($0.name, $0.value) },
            responseBody: responseBody, items: items)
    }

    func requestHeader(_ name: HeaderName) -> HeaderLookup { Self.fields(name, in: request.headers) }

    func responseHeader(_ name: HeaderName) -> HeaderLookup { Self.fields(name, in: responseHeaders) }

    func json() throws(JSONParseError) -> JSONValue { try content.json() }

    private var items: [JSONValue]? {
        guard let details = content.exchange.details?.value, details.streamEnd != nil else { return nil }
        return details.events
    }

    private static func fields(_ name: HeaderName, in fields: [HeaderField]) -> HeaderLookup {
        var lookup = HeaderLookup.none
        // By index, as a copy of each field would count its references.
        for index in fields.indices where name.matches(fields[index].name) { lookup.add(fields[index].value) }
        return lookup
    }
}
