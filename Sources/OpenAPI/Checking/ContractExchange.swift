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
