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

/// A path with names in braces that stand for parts of it: `/books/{id}`, `/files/{name}.{format}`.
public struct PathTemplate: Sendable, Hashable {
    /// A piece of a segment.
    public enum Piece: Sendable, Hashable {
        /// Text that stands for itself.
        case literal(String)
        /// The name of a path parameter.
        case parameter(String)
    }

    /// The path as it is written.
    public let text: String
    /// What is between the slashes, each in pieces; `/` has one empty segment.
    public let segments: [[Piece]]

    /// Takes a path apart; a brace without its counterpart stands for itself.
    public init(_ text: String) {
        self.text = text
        let path = text.hasPrefix("/") ? text.dropFirst() : text[...]
        segments = path.split(separator: "/", omittingEmptySubsequences: false).map(Self.pieces)
    }

    /// The names of its parameters, in order.
    public var parameterNames: [String] {
        segments.flatMap { $0 }.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The path with every name left out: two templates with the same one match the same requests.
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

/// What a server sends on account of an operation (Callback Object).
public struct Callback: Sendable {
    /// The name.
    public var name: String
    /// What is sent, by the runtime expression that gives its URL.
    public var items: [PathItem]
    /// Where it stands.
    public var node: DescriptionNode
}
