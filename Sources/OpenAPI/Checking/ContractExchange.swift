import Basics
public import JSON

/// A request and its response, as input for the validation against a description.
public struct ContractExchange: Sendable {
    /// The name and value of a header field.
    public typealias Field = (name: String, value: String)

    /// The request method.
    public var method: String
    /// The absolute URL of the request.
    public var url: String
    /// The URL that the suite's relative URLs resolve against, or `nil` if there is none.
    public var baseURL: String?
    /// The request's header fields, in order.
    public var requestHeaders: [Field]
    /// The request's body, or `nil` if it is unknown.
    public var requestBody: [UInt8]?
    /// The response's status code.
    public var status: Int
    /// The response's header fields, in order.
    public var responseHeaders: [Field]
    /// The response's body after content decoding.
    public var responseBody: [UInt8]
    /// The items of a response that was read as a stream, or `nil` for any other response.
    public var items: [JSONValue]?
    /// A Boolean value that indicates whether the exchange is an expectation of a client rather than traffic.
    ///
    /// An expected response has only the members and headers that the client uses, so the description must document
    /// them, but others may be missing. The same is true for media types and the response's body.
    public var isExpectation: Bool

    /// Creates an exchange.
    public init(
        method: String, url: String, baseURL: String? = nil, requestHeaders: [Field] = [], requestBody: [UInt8]? = [],
        status: Int, responseHeaders: [Field] = [], responseBody: [UInt8] = [], items: [JSONValue]? = nil,
        isExpectation: Bool = false
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
        self.isExpectation = isExpectation
    }
}

extension [ContractExchange.Field] {
    /// Returns the value of the first field with a lowercase name.
    func first(named name: String) -> String? {
        first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
    }

    /// Returns the values of all fields with a lowercase name, joined by commas (RFC 9110, section 5.3).
    func joined(named name: String) -> String? {
        var values: [String] = []
        for field in self where field.name.utf8.count == name.utf8.count && field.name.lowercased() == name {
            values.append(field.value)
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// An exchange that provides its parts on demand.
///
/// Most exchanges conform, and their check reads few parts. The check reads ``exchange`` only after a difference.
public protocol ContractTraffic: AnyObject {
    /// The request method.
    var method: String { get }
    /// The absolute URL of the request.
    var url: String { get }
    /// The request's body, or `nil` if it is unknown.
    var requestBody: [UInt8]? { get }
    /// The response's status code.
    var status: Int { get }
    /// The response's body after content decoding.
    var responseBody: [UInt8] { get }
    /// A Boolean value that indicates whether the response was read as a stream and had items.
    var hasItems: Bool { get }
    /// The complete exchange.
    var exchange: ContractExchange { get }

    /// Returns the request's header fields with a name.
    func requestHeader(_ name: HeaderName) -> HeaderLookup

    /// Returns the response's header fields with a name.
    func responseHeader(_ name: HeaderName) -> HeaderLookup

    /// Returns the response's body parsed as JSON.
    func json() throws(JSONParseError) -> JSONValue
}

/// The header fields with one name.
public enum HeaderLookup {
    /// No field has the name.
    case none
    /// One field has the name; its value.
    case one(String)
    /// Several fields have the name; the value of the first.
    case several(first: String)

    /// The value of the first field, or `nil` if there is none.
    var first: String? {
        switch self {
        case .none: nil
        case .one(let value), .several(let value): value
        }
    }

    /// Adds the value of a field that comes later in the message.
    public mutating func add(_ value: String) {
        switch self {
        case .none: self = .one(value)
        case .one(let first): self = .several(first: first)
        case .several: break
        }
    }
}

/// The lowercase name of a header field, valid only for the duration of the call that receives it.
public struct HeaderName {
    private let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// Returns whether a field name matches, ignoring ASCII case (RFC 9110, section 5.1).
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
