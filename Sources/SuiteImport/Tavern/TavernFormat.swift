import CEL

/// A string of a Tavern file in the format of Python: text and fields such as `{book.id}`.
struct TavernFormat: Sendable, Hashable {
    /// A part of a string.
    enum Part: Sendable, Hashable {
        case literal(String)
        /// A field: a name with members and indexes, and the format after the colon.
        case field(path: [Step], format: String)
    }

    /// A step of the path of a field.
    enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
    }

    /// The parts, without two adjacent literals and without empty ones.
    private(set) var parts: [Part] = []

    /// Parses a string; nil if its braces are not balanced.
    init?(_ source: String) {
        var literal = ""
        var rest = source[...]
        while let character = rest.popFirst() {
            switch character {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                literal.append(character)
            case "{":
                guard let end = rest.firstIndex(of: "}"), let field = Self.field(rest[..<end]) else { return nil }
                if !literal.isEmpty { parts.append(.literal(literal)) }
                literal = ""
                parts.append(field)
                rest = rest[rest.index(after: end)...]
            case "}": return nil
            default: literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    private static func field(_ source: Substring) -> Part? {
        let halves = source.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var name = halves[0]
        if let conversion = name.firstIndex(of: "!") { name = name[..<conversion] }
        var path: [Step] = []
        var rest = name.trimmingBlanks[...]
        while !rest.isEmpty {
            if rest.first == "." { rest.removeFirst() }
            if rest.first == "[" {
                guard let end = rest.firstIndex(of: "]") else { return nil }
                let content = rest[rest.index(after: rest.startIndex)..<end]
                path.append(Int(content).map { .index($0) } ?? .name(content.filter { $0 != "'" && $0 != "\"" }))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { $0 != "." && $0 != "[" }
                if word.isEmpty { return nil }
                path.append(.name(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return path.isEmpty ? nil : .field(path: path, format: halves.count > 1 ? String(halves[1]) : "")
    }
}
