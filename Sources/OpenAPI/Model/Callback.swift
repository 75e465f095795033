/// What a server sends on account of an operation (Callback Object).
public struct Callback: Sendable {
    /// The name.
    public var name: String
    /// What is sent, by the runtime expression that gives its URL.
    public var items: [PathItem]
    /// Where it stands.
    public var node: DescriptionNode
}
