/// A path, or a webhook, with what can be done there (Path Item Object).
public struct PathItem: Sendable {
    /// The path as it is written: `/books/{id}`; a webhook's name.
    public var path: String
    /// The path, taken apart.
    public var template: PathTemplate
    /// A short text on all of its operations.
    public var summary: String?
    /// The operations: those with a keyword of their own first in the order of the file, then `additionalOperations`.
    public var operations: [Operation]
    /// The parameters that all operations share.
    public var parameters: [Parameter]
    /// The servers of the path; nil when it names none of its own.
    public var servers: [Server]?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
    /// The references of its parameters that lead nowhere.
    public var unknownParameters: [String] = []
}
