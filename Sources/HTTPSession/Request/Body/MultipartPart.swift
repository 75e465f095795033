/// A part of a multipart form.
public struct MultipartPart: Sendable {
    /// The name of the field.
    public var name: String
    /// The name of the file, which makes it one.
    public var fileName: String?
    /// The media type; nil leaves it to the recipient, which assumes `text/plain`.
    public var contentType: String?
    /// Further fields of the part's header.
    public var headers: HTTPHeaders
    /// What is in it.
    public var body: RequestBody

    /// Creates a part.
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
