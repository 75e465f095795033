/// What expectations look at in an image.
public struct ImageFacts: Sendable, Hashable {
    /// The format, in lower case: `png`, `jpeg`, `gif`, `webp`, `bmp`, `avif`, `heic` or `ico`.
    public var format: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates facts.
    public init(format: String, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }
}
