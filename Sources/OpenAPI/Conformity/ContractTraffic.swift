public import JSON

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
