public import JSON

/// An operation: a method of a path (Operation Object).
public struct Operation: Sendable {
    /// The uppercase method. A method in `additionalOperations` is kept as written.
    public var method: String
    /// The path as written: `/books/{id}`.
    public var path: String
    /// The parsed path.
    public var template: PathTemplate
    /// The `operationId`.
    public var id: String?
    /// A short summary of the operation.
    public var summary: String?
    /// A detailed description of the operation.
    public var description: String?
    /// The names of the tags.
    public var tags: [String]
    /// A Boolean value that indicates whether the operation is deprecated.
    public var isDeprecated: Bool
    /// The parameters of the operation and its path. The operation overrides those with the same name and location.
    public var parameters: [Parameter]
    /// The request body, or `nil` if there is none.
    public var requestBody: RequestBody?
    /// The possible responses, in file order.
    public var responses: [Response]
    /// The callbacks, which are requests that the server sends as a consequence of the operation.
    public var callbacks: [Callback]
    /// The alternative security requirements of the operation or the description.
    ///
    /// One of them is sufficient. If there are none or one is empty, the operation requires no credentials.
    public var security: [SecurityRequirement]
    /// The servers of the operation, the path, or the description.
    public var servers: [Server]
    /// The location in the description.
    public var node: DescriptionNode
    /// The unresolved references in the parameters.
    public var unknownParameters: [String] = []
    /// The reference of the request body, if it cannot be resolved.
    public var unknownRequestBody: String?

    /// The method and path: `GET /books/{id}`.
    public var title: String { "\(method) \(path)" }

    /// Returns the response for a status: the exact status, then its class (`2XX`), then the default.
    public func response(for status: Int) -> Response? {
        responses.first { $0.status == .exact(status) } ?? responses.first { $0.status == .range(status / 100) }
            ?? responses.first { $0.status == .fallback }
    }
}

/// The body of a request (Request Body Object).
public struct RequestBody: Sendable {
    /// A Boolean value that indicates whether the body is required.
    public var isRequired: Bool
    /// The media types, in file order.
    public var content: [MediaType]
    /// The description of the body.
    public var description: String?
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
}

/// A possible response of an operation (Response Object).
public struct Response: Sendable {
    /// The statuses that a response covers.
    public enum Status: Sendable, Hashable, CustomStringConvertible {
        /// A single status.
        case exact(Int)
        /// All statuses of a class, such as 2 for `2XX`.
        case range(Int)
        /// All statuses without another response: `default`.
        case fallback

        /// Creates a status from the key of a response, or `nil` if the key is invalid.
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

        /// The key as written.
        public var description: String {
            switch self {
            case .exact(let status): String(status)
            case .range(let digit): "\(digit)XX"
            case .fallback: "default"
            }
        }
    }

    /// The statuses that the response covers.
    public var status: Status
    /// The description of the response.
    public var description: String
    /// The headers, except `Content-Type`, which the specification ignores here.
    public var headers: [Parameter]
    /// The media types, in file order.
    public var content: [MediaType]
    /// The links to operations that can use values of the response.
    public var links: [Link]
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
    /// The location of the entry in the operation's responses.
    public var site: DescriptionNode
    /// A Boolean value that indicates whether the `$ref` is unresolved, so that only the status is known.
    public var isUnknown = false

    /// Returns the content that matches a media type most specifically.
    public func content(for mediaType: MediaRange) -> MediaType? { content.bestMatch(for: mediaType) }
}

extension [MediaType] {
    /// Returns the entry that matches a media type most specifically.
    public func bestMatch(for mediaType: MediaRange) -> MediaType? {
        var best: (entry: MediaType, rank: Int)?
        for entry in self {
            guard let rank = entry.range.specificity(for: mediaType) else { continue }
            if rank > best?.rank ?? -1 { best = (entry, rank) }
        }
        return best?.entry
    }
}

/// A link from a response to an operation that can use its values (Link Object).
public struct Link: Sendable {
    /// The name of the link.
    public var name: String
    /// The `operationId` of the linked operation.
    public var operationID: String?
    /// The reference to the linked operation (`operationRef`).
    public var operationReference: String?
    /// The parameters of the linked operation: constants or runtime expressions such as `$response.body#/id`.
    public var parameters: [(name: String, value: JSONValue)]
    /// The request body of the linked operation: a constant or a runtime expression.
    public var requestBody: JSONValue?
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
}
