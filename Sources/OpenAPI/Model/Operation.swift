public import JSON

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

/// What an operation may give back (Response Object).
public struct Response: Sendable {
    /// The statuses that it is for.
    public enum Status: Sendable, Hashable, CustomStringConvertible {
        /// One status.
        case exact(Int)
        /// All of a class: 2 for `2XX`.
        case range(Int)
        /// All that no other response is for: `default`.
        case fallback

        /// The key of a response, or nil when it is none.
        public init?(_ text: String) {
            if text == "default" {
                self = .fallback
            } else if text.utf8.count == 3, let status = Int(text), (100...599).contains(status) {
                self = .exact(status)
            } else if text.utf8.count == 3, text.uppercased().hasSuffix("XX"), let digit = Int(text.prefix(1)),
                (1...5).contains(digit)
            {
                self = .range(digit)
            } else {
                return nil
            }
        }

        /// The key as it is written.
        public var description: String {
            switch self {
            case .exact(let status): String(status)
            case .range(let digit): "\(digit)XX"
            case .fallback: "default"
            }
        }
    }

    /// The statuses that it is for.
    public var status: Status
    /// What it means.
    public var description: String
    /// Its headers, but for `Content-Type`, which the specification ignores.
    public var headers: [Parameter]
    /// Its media types, in the order of the file.
    public var content: [MediaType]
    /// What can be done next with what it holds.
    public var links: [Link]
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
    /// Where the operation names it.
    public var site: DescriptionNode
    /// Whether its `$ref` leads nowhere, so that nothing is known of it but its status.
    public var isUnknown = false

    /// The content for a media type: the most specific that matches.
    public func content(for mediaType: MediaRange) -> MediaType? { content.bestMatch(for: mediaType) }
}

extension [MediaType] {
    /// The entry that matches a media type most specifically.
    public func bestMatch(for mediaType: MediaRange) -> MediaType? {
        var best: (entry: MediaType, rank: Int)?
        for entry in self {
            guard let rank = entry.range.specificity(for: mediaType) else { continue }
            if rank > best?.rank ?? -1 { best = (entry, rank) }
        }
        return best?.entry
    }
}

/// What can be done next with what a response holds (Link Object).
public struct Link: Sendable {
    /// The name.
    public var name: String
    /// The `operationId` that it leads to.
    public var operationID: String?
    /// The reference to the operation that it leads to.
    public var operationReference: String?
    /// The values of that one's parameters: constants, or runtime expressions such as `$response.body#/id`.
    public var parameters: [(name: String, value: JSONValue)]
    /// What it is sent: a constant or a runtime expression.
    public var requestBody: JSONValue?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}
