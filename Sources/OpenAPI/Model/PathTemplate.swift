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
