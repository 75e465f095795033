/// A group of operations (Tag Object).
public struct Tag: Sendable {
    /// The name.
    public var name: String
    /// What it is.
    public var description: String?
    /// Where it stands.
    public var node: DescriptionNode
}
