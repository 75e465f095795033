/// What was put on the wire for a response.
public struct SentRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL.
    public var url: HTTPURL
    /// The header with the session's and the library's fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: RequestBody

    /// Creates a record of a request.
    public init(method: HTTPMethod, url: HTTPURL, headers: HTTPHeaders, body: RequestBody) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
