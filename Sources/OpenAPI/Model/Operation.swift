/// A method on a path (Operation Object).
public struct Operation: Sendable {
    /// The method in upper case; one of `additionalOperations` as it is written.
    public var method: String
    /// The path as it is written: `/books/{id}`.
    public var path: String
    /// The path, taken apart.
    public var template: PathTemplate
    /// `operationId`.
    public var id: String?
    /// A short text on what it does.
    public var summary: String?
    /// A long text on what it does.
    public var description: String?
    /// The names of its tags.
    public var tags: [String]
    /// Whether it should no longer be used.
    public var isDeprecated: Bool
    /// Its parameters and those of its path, of which one with the same name and place is replaced.
    public var parameters: [Parameter]
    /// What is sent; nil for nothing.
    public var requestBody: RequestBody?
    /// What may come back, in the order of the file.
    public var responses: [Response]
    /// What the server sends on account of it.
    public var callbacks: [Callback]
    /// What it requires, its own or the description's: any one of these; none, or an empty one, means nothing.
    public var security: [SecurityRequirement]
    /// The servers: its own, its path's or the description's.
    public var servers: [Server]
    /// Where it stands.
    public var node: DescriptionNode
    /// The references of its parameters that lead nowhere.
    public var unknownParameters: [String] = []
    /// The reference of its request body where it leads nowhere.
    public var unknownRequestBody: String?

    /// The method and the path: `GET /books/{id}`.
    public var title: String { "\(method) \(path)" }

    /// The response for a status: its own, then that of its class (`2XX`), then the default.
    public func response(for status: Int) -> Response? {
        responses.first { $0.status == .exact(status) } ?? responses.first { $0.status == .range(status / 100) }
            ?? responses.first { $0.status == .fallback }
    }
}
