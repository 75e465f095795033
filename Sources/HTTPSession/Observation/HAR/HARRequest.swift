public import JSON

/// A request in a HAR file.
public struct HARRequest: Sendable, Hashable, Codable {
    /// The method.
    public var method: String
    /// The absolute URL, without its fragment.
    public var url: String
    /// The version, such as `HTTP/1.1`; empty if nothing was answered.
    public var httpVersion: String
    /// The cookies of the header.
    public var cookies: [HARCookie]
    /// The header.
    public var headers: [HARField]
    /// The parameters of the URL.
    public var queryString: [HARField]
    /// The body, if there is one.
    public var postData: HARPostData?
    /// Bytes of the request line and the header; -1 if not known.
    public var headersSize: Int
    /// Bytes of the body as it was transferred; -1 if not known.
    public var bodySize: Int

    /// The request as it is in the file.
    public var json: JSONValue {
        var object: JSONObject = [
            "method": .string(method), "url": .string(url), "httpVersion": .string(httpVersion),
            "cookies": .array(cookies.map(\.json)), "headers": .array(headers.map(\.json)),
            "queryString": .array(queryString.map(\.json)),
        ]
        if let postData { object["postData"] = postData.json }
        object["headersSize"] = .number(JSONNumber(headersSize))
        object["bodySize"] = .number(JSONNumber(bodySize))
        return .object(object)
    }
}
