/// A part of a multipart form that was sent (RFC 7578).
public struct FormPart: Sendable, Hashable {
    /// The content of a part.
    public enum Content: Sendable, Hashable {
        /// A text.
        case text(String)
        /// The path of a file, absolute or relative to the working directory.
        case file(String)
    }

    /// The name of the field.
    public var name: String
    /// The content.
    public var content: Content
    /// The file name that the server is given; nil for none.
    public var fileName: String?
    /// The media type; nil for none.
    public var contentType: String?
    /// Further header fields, in order.
    public var headers: [HeaderField]

    /// Creates a part.
    public init(
        name: String, content: Content, fileName: String? = nil, contentType: String? = nil,
        headers: [HeaderField] = []
    ) {
        self.name = name
        self.content = content
        self.fileName = fileName
        self.contentType = contentType
        self.headers = headers
    }
}
