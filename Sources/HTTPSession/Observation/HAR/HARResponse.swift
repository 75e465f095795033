public import JSON

/// A response in a HAR file.
public struct HARResponse: Sendable, Hashable, Codable {
    /// The status; 0 if there was no response.
    public var status: Int
    /// The reason phrase.
    public var statusText: String
    /// The version, such as `HTTP/1.1`; empty if there was no response.
    public var httpVersion: String
    /// The cookies that it sets.
    public var cookies: [HARCookie]
    /// The header.
    public var headers: [HARField]
    /// The body.
    public var content: HARContent
    /// The `Location` field, or nothing.
    public var redirectURL: String
    /// Bytes of the status line and the header; -1 if not known.
    public var headersSize: Int
    /// Bytes of the body as it was transferred; -1 if not known, 0 from the cache.
    public var bodySize: Int
    /// What else is to be said.
    public var comment: String?

    /// The response as it is in the file.
    public var json: JSONValue {
        var object: JSONObject = [
            "status": .number(JSONNumber(status)), "statusText": .string(statusText),
            "httpVersion": .string(httpVersion), "cookies": .array(cookies.map(\.json)),
            "headers": .array(headers.map(\.json)), "content": content.json, "redirectURL": .string(redirectURL),
            "headersSize": .number(JSONNumber(headersSize)), "bodySize": .number(JSONNumber(bodySize)),
        ]
        if let comment { object["comment"] = .string(comment) }
        return .object(object)
    }
}
