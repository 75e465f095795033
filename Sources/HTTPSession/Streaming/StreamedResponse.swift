/// A response whose body is read as it arrives.
public struct StreamedResponse: Sendable {
    /// The head, the request, the redirects, and what is known of the connection; its body is empty.
    public let response: Response
    /// The body as it is transferred, content codings undone.
    public let body: ResponseBodyStream

    /// The status code.
    public var status: Int { response.status }
    /// The header.
    public var headers: HTTPHeaders { response.headers }
    /// The length of the body as the header announces it; with a content coding, that of the encoded body.
    public var expectedLength: Int? {
        headers["Content-Length"].flatMap { Int($0) }
    }

    init(response: Response, body: ResponseBodyStream) {
        self.response = response
        self.body = body
    }
}
