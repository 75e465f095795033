/// A namespace declaration of an element.
public struct XMLNamespace: Sendable, Hashable {
    /// The prefix it declares; nil for the default namespace.
    public var prefix: String?
    /// The namespace's name; nil where the default namespace is taken back.
    public var uri: String?

    /// Creates a declaration.
    public init(prefix: String?, uri: String?) {
        self.prefix = prefix
        self.uri = uri
    }
}
