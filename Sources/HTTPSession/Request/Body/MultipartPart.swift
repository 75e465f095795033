/// A part of a multipart form: a field or a file.
public struct MultipartPart: Sendable {
    /// The name of the form field.
    public var name: String
    /// The file name; a part with a file name is a file.
    public var fileName: String?
    /// The media type; without one, the recipient assumes `text/plain`.
    public var contentType: String?
    /// The additional header fields of the part.
    public var headers: HTTPHeaders
    /// The content of the part.
    public var body: RequestBody

    /// Creates a part.
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - fileName: The file name; nil for a part that is not a file.
    ///   - contentType: The media type; without one, the recipient assumes `text/plain`.
    ///   - headers: The additional header fields of the part.
    ///   - body: The content of the part.
    public init(
        name: String, fileName: String? = nil, contentType: String? = nil, headers: HTTPHeaders = .init(),
        body: RequestBody
    ) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }
}
