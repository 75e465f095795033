/// Security schemes that are required together (Security Requirement Object); none means that nothing is.
public struct SecurityRequirement: Sendable {
    /// The names of the schemes, each with its scopes, in the order of the file.
    public var schemes: [(name: String, scopes: [String])]
    /// Where it stands.
    public var node: DescriptionNode
}
