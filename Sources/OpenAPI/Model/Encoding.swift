/// How a member of a form or a part of a multipart body is written (Encoding Object).
public struct Encoding: Sendable {
    /// The member's name.
    public var property: String
    /// The media types that it may have, separated by commas; nil for what follows from its schema.
    public var contentType: String?
    /// The headers of the part.
    public var headers: [Parameter]
    /// How its value becomes text.
    public var style: Parameter.Style
    /// Whether each element or member is a field of its own.
    public var isExploded: Bool
    /// Whether reserved characters are sent as they are.
    public var allowsReserved: Bool
    /// Where it stands.
    public var node: DescriptionNode
}
