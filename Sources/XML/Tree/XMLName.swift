/// The name of an element or attribute (Namespaces in XML 1.0, section 4).
public struct XMLName: Sendable, Hashable {
    /// The prefix as it was written; nil for none.
    public var prefix: String?
    /// The name without its prefix.
    public var localName: String
    /// The namespace's name; nil for none.
    public var namespace: String?

    /// Creates a name.
    public init(_ localName: String, prefix: String? = nil, namespace: String? = nil) {
        self.prefix = prefix
        self.localName = localName
        self.namespace = namespace
    }
}

extension XMLName: CustomStringConvertible {
    /// Prefix and name as they were written.
    public var description: String { prefix.map { "\($0):\(localName)" } ?? localName }
}
