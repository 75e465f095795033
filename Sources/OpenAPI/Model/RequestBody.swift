/// What an operation is sent (Request Body Object).
public struct RequestBody: Sendable {
    /// Whether it must be there.
    public var isRequired: Bool
    /// Its media types, in the order of the file.
    public var content: [MediaType]
    /// What it is.
    public var description: String?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}
