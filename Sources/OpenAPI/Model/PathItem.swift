/// A path or a webhook with its operations (Path Item Object).
public struct PathItem: Sendable {
    /// The path as written (`/books/{id}`), or the name of a webhook.
    public var path: String
    /// The parsed path.
    public var template: PathTemplate
    /// A short summary of all operations.
    public var summary: String?
    /// The operations in file order: first those with a fixed method, then `additionalOperations`.
    public var operations: [Operation]
    /// The parameters that all operations share.
    public var parameters: [Parameter]
    /// The servers of the path, or `nil` if the path has none of its own.
    public var servers: [Server]?
    /// The location in the description, after resolving `$ref`.
    public var node: DescriptionNode
    /// The unresolved references in the parameters.
    public var unknownParameters: [String] = []
}

/// A path with parameters in braces: `/books/{id}`, `/files/{name}.{format}`.
public struct PathTemplate: Sendable, Hashable {
    /// A piece of a path segment.
    public enum Piece: Sendable, Hashable {
        /// Literal characters.
        case literal(String)
        /// The name of a path parameter.
        case parameter(String)
    }

    /// The path as written.
    public let text: String
    /// The segments between the slashes, each split into pieces. The path `/` has one empty segment.
    public let segments: [[Piece]]

    /// Parses a path. An unmatched brace is a literal character.
    public init(_ text: String) {
        self.text = text
        let path = text.hasPrefix("/") ? text.dropFirst() : text[...]
        segments = path.split(separator: "/", omittingEmptySubsequences: false).map(Self.pieces)
    }

    /// The names of the parameters, in order.
    public var parameterNames: [String] {
        segments.flatMap { $0 }.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The path without parameter names. Templates with equal shapes match the same requests.
    public var shape: String {
        "/"
            + segments.map { pieces in
                pieces.map { if case .literal(let text) = $0 { text } else { "{}" } }.joined()
            }.joined(separator: "/")
    }

    /// Whether every path that another template matches also matches this one: `/books/{id}` covers `/books/search`.
    package func covers(_ other: PathTemplate) -> Bool {
        func withoutName(_ piece: Piece) -> String? { if case .literal(let text) = piece { text } else { nil } }
        return segments.count == other.segments.count
            && zip(segments, other.segments).allSatisfy { segment, covered in
                segment.map(withoutName) == [nil] || segment.map(withoutName) == covered.map(withoutName)
            }
    }

    private static func pieces(of segment: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var literal = ""
        var rest = segment
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            literal += rest[..<open]
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
            pieces.append(.parameter(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        literal += rest
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        return pieces
    }
}

/// A callback, which is a request that the server sends as a consequence of an operation (Callback Object).
public struct Callback: Sendable {
    /// The name of the callback.
    public var name: String
    /// The requests, each with the runtime expression for its URL as the path.
    public var items: [PathItem]
    /// The location in the description.
    public var node: DescriptionNode
}
