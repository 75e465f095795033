public import JSON

/// A request in a HAR file.
public struct HARRequest: Sendable, Hashable, Codable {
    /// The request method.
    public var method: String
    /// The absolute URL, without its fragment.
    public var url: String
    /// The HTTP version, such as `HTTP/1.1`; empty if there was no response.
    public var httpVersion: String
    /// The cookies of the request.
    public var cookies: [HARCookie]
    /// The header fields.
    public var headers: [HARField]
    /// The query parameters of the URL.
    public var queryString: [HARField]
    /// The body, if any.
    public var postData: HARPostData?
    /// The size of the request line and the header in bytes; -1 if unknown.
    public var headersSize: Int
    /// The size of the body as transferred, in bytes; -1 if unknown.
    public var bodySize: Int

    /// The request as a JSON value.
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

/// The body of a request in a HAR file: either form parameters or text.
public struct HARPostData: Sendable, Hashable, Codable {
    /// The media type.
    public var mimeType: String
    /// The fields of a form.
    public var params: [HARField]?
    /// The body; encoded in Base64 if the comment says so.
    public var text: String?
    /// A note.
    public var comment: String?

    /// Creates a request body.
    public init(mimeType: String, params: [HARField]? = nil, text: String? = nil, comment: String? = nil) {
        self.mimeType = mimeType
        self.params = params
        self.text = text
        self.comment = comment
    }

    /// The body as a JSON value.
    public var json: JSONValue {
        var object: JSONObject = ["mimeType": .string(mimeType)]
        if let params { object["params"] = .array(params.map(\.json)) }
        if let text { object["text"] = .string(text) }
        if let comment { object["comment"] = .string(comment) }
        return .object(object)
    }
}

/// A response in a HAR file.
public struct HARResponse: Sendable, Hashable, Codable {
    /// The status code; 0 if there was no response.
    public var status: Int
    /// The reason phrase.
    public var statusText: String
    /// The HTTP version, such as `HTTP/1.1`; empty if there was no response.
    public var httpVersion: String
    /// The cookies that the response sets.
    public var cookies: [HARCookie]
    /// The header fields.
    public var headers: [HARField]
    /// The body.
    public var content: HARContent
    /// The value of the `Location` field, or an empty string.
    public var redirectURL: String
    /// The size of the status line and the header in bytes; -1 if unknown.
    public var headersSize: Int
    /// The size of the body as transferred, in bytes; -1 if unknown, 0 for a cached response.
    public var bodySize: Int
    /// A note.
    public var comment: String?

    /// The response as a JSON value.
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

/// The body of a response in a HAR file, content codings undone.
public struct HARContent: Sendable, Hashable, Codable {
    /// The size of the body in bytes.
    public var size: Int
    /// The number of bytes saved by a content coding; nil if there was none.
    public var compression: Int?
    /// The media type; empty if the response had none.
    public var mimeType: String
    /// The body as text or Base64; nil if it was omitted.
    public var text: String?
    /// The encoding of the body: `base64` if it is not text.
    public var encoding: String?
    /// A note.
    public var comment: String?

    /// The body as a JSON value.
    public var json: JSONValue {
        var object: JSONObject = ["size": .number(JSONNumber(size))]
        if let compression { object["compression"] = .number(JSONNumber(compression)) }
        object["mimeType"] = .string(mimeType)
        if let text { object["text"] = .string(text) }
        if let encoding { object["encoding"] = .string(encoding) }
        if let comment { object["comment"] = .string(comment) }
        return .object(object)
    }
}

/// A cookie in a HAR file.
public struct HARCookie: Sendable, Hashable, Codable {
    /// The name of the cookie.
    public var name: String
    /// The value of the cookie.
    public var value: String
    /// The path of a cookie that a response sets.
    public var path: String?
    /// The host or domain of a cookie that a response sets.
    public var domain: String?
    /// The expiration date (ISO 8601); nil for a session cookie.
    public var expires: String?
    /// Whether the cookie is hidden from scripts.
    public var httpOnly: Bool?
    /// Whether the cookie is sent only over HTTPS.
    public var secure: Bool?

    /// Creates a cookie of a request.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Creates a cookie of a response.
    public init(_ cookie: Cookie) {
        self.init(name: cookie.name, value: cookie.value)
        path = cookie.path
        domain = cookie.domain
        expires = cookie.expires.map { UTCTime(Double($0)).extended }
        httpOnly = cookie.isHTTPOnly
        secure = cookie.isSecure
    }

    /// The cookie as a JSON value.
    public var json: JSONValue {
        var object: JSONObject = ["name": .string(name), "value": .string(value)]
        if let path { object["path"] = .string(path) }
        if let domain { object["domain"] = .string(domain) }
        if let expires { object["expires"] = .string(expires) }
        if let httpOnly { object["httpOnly"] = .bool(httpOnly) }
        if let secure { object["secure"] = .bool(secure) }
        return .object(object)
    }
}

/// A name-value pair in a HAR file: a header field or a query parameter.
public struct HARField: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a name-value pair.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The pair as a JSON value.
    public var json: JSONValue { ["name": .string(name), "value": .string(value)] }
}
