/// A group of operations (Tag Object).
public struct Tag: Sendable {
    /// The name.
    public var name: String
    /// What it is.
    public var description: String?
    /// A short text on it (3.2).
    public var summary: String?
    /// The name of the tag that it is a part of (3.2).
    public var parent: String?
    /// What it is used for, such as `nav` (3.2).
    public var kind: String?
    /// Where it stands.
    public var node: DescriptionNode
}
