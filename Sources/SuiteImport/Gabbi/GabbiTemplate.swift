/// A reference in a string of a gabbi file, such as `$HISTORY['add'].$RESPONSE['$.id']`.
struct GabbiReference: Sendable, Hashable {
    /// The origin of the value.
    enum Kind: String, Sendable {
        case scheme = "SCHEME"
        case netloc = "NETLOC"
        case environ = "ENVIRON"
        case location = "LOCATION"
        case cookie = "COOKIE"
        case lastURL = "LAST_URL"
        case url = "URL"
        case headers = "HEADERS"
        case response = "RESPONSE"

        /// Whether the name of a value follows.
        var hasArgument: Bool { self == .environ || self == .headers || self == .response }
    }

    var kind: Kind
    /// The name of the test that `$HISTORY` refers to; nil for the previous one.
    var test: String?
    /// The name of the value.
    var argument = ""
    /// The type that the value is converted to.
    var cast: String?
}

/// A string of a gabbi file: text and references.
struct GabbiTemplate: Sendable, Hashable {
    /// A part of a string.
    enum Part: Sendable, Hashable {
        case literal(String)
        case reference(GabbiReference)
    }

    /// The parts, without two adjacent literals and without empty ones.
    private(set) var parts: [Part] = []

    /// The kinds in the order in which a longer name comes before its prefix.
    private static let kinds: [GabbiReference.Kind] = [
        .scheme, .netloc, .environ, .location, .cookie, .lastURL, .url, .headers, .response,
    ]

    /// Parses a string, in which a dollar sign that begins no reference is text.
    init(_ source: String) {
        guard source.utf8.contains(UInt8(ascii: "$")) else {
            if !source.isEmpty { parts = [.literal(source)] }
            return
        }
        var literal = ""
        var rest = source[...]
        while let character = rest.first {
            if character == "$" {
                var next = rest
                if let reference = Self.reference(&next) {
                    if !literal.isEmpty { parts.append(.literal(literal)) }
                    literal = ""
                    parts.append(.reference(reference))
                    rest = next
                    continue
                }
            }
            literal.append(character)
            rest = rest.dropFirst()
        }
        if !literal.isEmpty { parts.append(.literal(literal)) }
    }

    /// The text if there are no references; otherwise nil.
    var literal: String? {
        if parts.isEmpty { return "" }
        if parts.count == 1, case .literal(let text) = parts[0] { return text }
        return nil
    }

    /// The reference if the string is nothing else; otherwise nil.
    var soleReference: GabbiReference? {
        if parts.count == 1, case .reference(let reference) = parts[0] { reference } else { nil }
    }

    /// The numeric type of a reference; nil if none has one.
    var cast: String? {
        for case .reference(let reference) in parts {
            if let cast = reference.cast, cast == "int" || cast == "float" { return cast }
        }
        return nil
    }

    private static func reference(_ rest: inout Substring) -> GabbiReference? {
        var test: String?
        if rest.hasPrefix("$HISTORY[") {
            rest = rest.dropFirst(8)
            guard let name = argument(&rest), rest.hasPrefix(".$") else { return nil }
            test = name
            rest = rest.dropFirst()
        }
        guard let kind = kinds.first(where: { rest.dropFirst().hasPrefix($0.rawValue) }) else { return nil }
        rest = rest.dropFirst(1 + kind.rawValue.count)
        var reference = GabbiReference(kind: kind, test: test)
        guard kind.hasArgument else { return reference }
        if rest.hasPrefix(":") {
            let cast = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            reference.cast = String(cast)
            rest = rest.dropFirst(1 + cast.count)
        }
        guard let argument = argument(&rest) else { return nil }
        reference.argument = argument
        return reference
    }

    /// Reads `['…']` or `["…"]`.
    private static func argument(_ rest: inout Substring) -> String? {
        guard rest.hasPrefix("['") || rest.hasPrefix("[\"") else { return nil }
        let quote = rest[rest.index(after: rest.startIndex)]
        let content = rest.dropFirst(2)
        // A quote within the name ends it only before a bracket.
        var index = content.startIndex
        while index < content.endIndex {
            let next = content.index(after: index)
            if content[index] == quote, index > content.startIndex, next < content.endIndex, content[next] == "]" {
                defer { rest = content[content.index(after: next)...] }
                return String(content[..<index])
            }
            if content[index] == quote { return nil }
            index = next
        }
        return nil
    }
}
