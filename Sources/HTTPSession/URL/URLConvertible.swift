public import FoundationEssentials

/// A value that a request can be sent to: a text, a `URL` or an ``HTTPURL``.
public protocol URLConvertible {
    /// An absolute URL, or a reference that a session resolves against its base URL.
    var urlText: String { get }
}

extension String: URLConvertible {
    /// The text itself.
    public var urlText: String { self }
}

extension Substring: URLConvertible {
    /// The text itself.
    public var urlText: String { String(self) }
}

extension URL: URLConvertible {
    /// The URL with the base that it may have.
    public var urlText: String { absoluteString }
}

extension HTTPURL: URLConvertible {
    /// The text of the URL.
    public var urlText: String { description }
}

extension Request {
    /// Creates a request to a `URL` or an ``HTTPURL``, with the session's settings.
    public init(
        _ method: HTTPMethod = .get, url: some URLConvertible, headers: HTTPHeaders = .init(),
        body: RequestBody = .empty
    ) {
        self.init(method, url: url.urlText, headers: headers, body: body)
    }
}
