/// What expectations look at in an image.
public struct ImageFacts: Sendable, Hashable {
    /// The format, in lower case: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`.
    public var format: String
    /// The width in pixels; nil when the header is cut off or broken.
    public var width: Int?
    /// The height in pixels; nil when the header is cut off or broken.
    public var height: Int?

    /// Creates facts.
    public init(format: String, width: Int? = nil, height: Int? = nil) {
        self.format = format
        self.width = width
        self.height = height
    }
}
