/// What a body of one media type holds (Media Type Object).
public struct MediaType: Sendable {
    /// The media types that it describes.
    public var range: MediaRange
    /// The schema of the whole body.
    public var schema: DescriptionNode?
    /// The schema of each item of a stream (3.2).
    public var itemSchema: DescriptionNode?
    /// How the members of a form are written.
    public var encodings: [Encoding]
    /// How the first parts of a multipart body are written, by position (3.2).
    public var prefixEncodings: [Encoding] = []
    /// How all other parts of a multipart body are written (3.2).
    public var itemEncoding: Encoding?
    /// Examples of the body.
    public var examples: [Example]
    /// Where it stands.
    public var node: DescriptionNode
}
