import Basics
public import JSON

/// A request and its response, as they are held against a description.
public struct ContractExchange: Sendable {
    /// A header field.
    public typealias Field = (name: String, value: String)

    /// The method.
    public var method: String
    /// The absolute URL that was sent.
    public var url: String
    /// What the suite's relative URLs resolve against; nil when there is no such URL.
    public var baseURL: String?
    /// The request's header fields, in order.
    public var requestHeaders: [Field]
    /// The request's body; nil when it is not known.
    public var requestBody: [UInt8]?
    /// The status.
    public var status: Int
    /// The response's header fields, in order.
    public var responseHeaders: [Field]
    /// The response's body, content encodings removed.
    public var responseBody: [UInt8]
    /// The items of a response that was read as a stream; nil for any other.
    public var items: [JSONValue]?

    /// Creates an exchange.
    public init(
        method: String, url: String, baseURL: String? = nil, requestHeaders: [Field] = [], requestBody: [UInt8]? = [],
        status: Int, responseHeaders: [Field] = [], responseBody: [UInt8] = [], items: [JSONValue]? = nil
    ) {
        self.method = method
        self.url = url
        self.baseURL = baseURL
        self.requestHeaders = requestHeaders
        self.requestBody = requestBody
        self.status = status
        self.responseHeaders = responseHeaders
        self.responseBody = responseBody
        self.items = items
    }
}

extension [ContractExchange.Field] {
    /// The value of the first field of a name, which is in lower case.
    func first(named name: String) -> String? {
        first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
    }

    /// The values of all fields of a name, which is in lower case, joined as RFC 9110 (section 5.3) has it.
    func joined(named name: String) -> String? {
        var values: [String] = []
        for field in self where field.name.utf8.count == name.utf8.count && field.name.lowercased() == name {
            values.append(field.value)
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// An exchange as a description sees it, each part made only when it is asked for.
///
/// Most exchanges conform, and of those little is looked at; the whole ``exchange`` is asked for only when one does not.
public protocol ContractTraffic: AnyObject {
    /// The method.
    var method: String { get }
    /// The absolute URL that was sent.
    var url: String { get }
    /// The request's body; nil when it is not known.
    var requestBody: [UInt8]? { get }
    /// The status.
    var status: Int { get }
    /// The response's body, content encodings removed.
    var responseBody: [UInt8] { get }
    /// Whether the response was read as a stream that had items.
    var hasItems: Bool { get }
    /// The whole exchange.
    var exchange: ContractExchange { get }

    /// The fields of a name in the request.
    func requestHeader(_ name: HeaderName) -> HeaderLookup

    /// The fields of a name in the response.
    func responseHeader(_ name: HeaderName) -> HeaderLookup

    /// The response's body as JSON.
    func json() throws(JSONParseError) -> JSONValue
}

/// The header fields of one name.
public enum HeaderLookup {
    /// There is none.
    case none
    /// There is one, with its value.
    case one(String)
    /// There are several; the value of the first.
    case several(first: String)

    /// The value of the first field; nil when there is none.
    var first: String? {
        switch self {
        case .none: nil
        case .one(let value), .several(let value): value
        }
    }

    /// Adds a field that comes later in the message.
    public mutating func add(_ value: String) {
        switch self {
        case .none: self = .one(value)
        case .one(let first): self = .several(first: first)
        case .several: break
        }
    }
}

/// The name of a header field in lower case, for as long as the call lasts that it was handed to.
public struct HeaderName {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Whether a field has this name, without regard to ASCII case (RFC 9110, section 5.1).
    public func matches(_ name: String) -> Bool {
        guard name.utf8.count == bytes.count else { return false }
        return name.utf8.withContiguousStorageIfAvailable(equals) ?? equals(name.utf8)
    }

    private func equals(_ name: some Collection<UInt8>) -> Bool {
        var index = 0
        for byte in name {
            if ASCII.lowercased(byte) != bytes[index] { return false }
            index += 1
        }
        return true
    }
}
