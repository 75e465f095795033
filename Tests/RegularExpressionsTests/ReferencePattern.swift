import Basics

/// A pattern with a naive, exhaustive matcher, for comparison with the engine.
indirect enum ReferencePattern {
    case character(Character)
    case oneOf(String, isNegated: Bool)
    case sequence([ReferencePattern])
    case alternation([ReferencePattern])
    case repetition(ReferencePattern, minimum: Int, maximum: Int?, isGreedy: Bool)
    case start
    case end
    case boundary(isNegated: Bool)

    static let alphabet: [Character] = ["a", "b", "é", "_", "-", "\n"]

    static func random(depth: Int, using generator: inout SplitMix64) -> ReferencePattern {
        func any() -> Character { alphabet.randomElement(using: &generator) ?? "a" }
        switch Int.random(in: 0..<(depth > 0 ? 16 : 7), using: &generator) {
        case 0, 1, 2: return .character(any())
        case 3:
            let isNegated = Bool.random(using: &generator)
            return .oneOf(String([any(), any()].filter { $0 != "-" }), isNegated: isNegated)
        case 4: return .boundary(isNegated: Bool.random(using: &generator))
        case 5: return Bool.random(using: &generator) ? .start : .end
        case 6: return .sequence([])
        case 7, 8, 9, 10:
            let count = Int.random(in: 2...3, using: &generator)
            return .sequence((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        case 11, 12:
            let count = Int.random(in: 2...3, using: &generator)
            return .alternation((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        default:
            let body = random(depth: depth - 1, using: &generator)
            let minimum = Int.random(in: 0...2, using: &generator)
            let isBounded = Bool.random(using: &generator)
            let maximum = isBounded ? minimum + Int.random(in: 0...2, using: &generator) : nil
            return .repetition(
                body, minimum: minimum, maximum: maximum, isGreedy: Bool.random(using: &generator))
        }
    }

    /// The pattern in ECMA-262 syntax.
    var source: String {
        switch self {
        case .character(let character): character == "\n" ? "\\n" : String(character)
        case .oneOf(let members, let isNegated): "[\(isNegated ? "^" : "")\(members)]"
        case .sequence(let parts): "(?:" + parts.map(\.source).joined() + ")"
        case .alternation(let parts): "(" + parts.map(\.source).joined(separator: "|") + ")"
        case .repetition(let body, let minimum, let maximum, let isGreedy):
            "(?:\(body.source)){\(minimum),\(maximum.map(String.init) ?? "")}\(isGreedy ? "" : "?")"
        case .start: "^"
        case .end: "$"
        case .boundary(let isNegated): isNegated ? "\\B" : "\\b"
        }
    }

    /// Returns the ends of the matches that start at an index, the preferred first.
    func ends(in text: [Character], from start: Int) -> [Int] {
        switch self {
        case .character(let character):
            return start < text.count && text[start] == character ? [start + 1] : []
        case .oneOf(let members, let isNegated):
            return start < text.count && members.contains(text[start]) != isNegated ? [start + 1] : []
        case .sequence(let parts):
            return parts.reduce([start]) { starts, part in
                unique(starts.flatMap { part.ends(in: text, from: $0) })
            }
        case .alternation(let parts):
            return unique(parts.flatMap { $0.ends(in: text, from: start) })
        case .repetition(let body, let minimum, let maximum, let isGreedy):
            return repeated(body, minimum, maximum, isGreedy, text, start)
        case .start:
            return start == 0 ? [start] : []
        case .end:
            return start == text.count ? [start] : []
        case .boundary(let isNegated):
            let isBefore = start > 0 && isWord(text[start - 1])
            let isAfter = start < text.count && isWord(text[start])
            return (isBefore != isAfter) != isNegated ? [start] : []
        }
    }

    /// Returns the range of the leftmost match.
    func firstMatch(in text: [Character]) -> Range<Int>? {
        for start in 0...text.count {
            if let end = ends(in: text, from: start).first { return start..<end }
        }
        return nil
    }

    private func repeated(
        _ body: ReferencePattern, _ minimum: Int, _ maximum: Int?, _ isGreedy: Bool, _ text: [Character], _ start: Int
    ) -> [Int] {
        if maximum == 0 { return [start] }
        let more = body.ends(in: text, from: start).flatMap { end -> [Int] in
            if minimum == 0, end == start { return [] }
            return repeated(body, max(0, minimum - 1), maximum.map { $0 - 1 }, isGreedy, text, end)
        }
        if minimum > 0 { return unique(more) }
        return unique(isGreedy ? more + [start] : [start] + more)
    }

    private func unique(_ ends: [Int]) -> [Int] {
        var seen = Set<Int>()
        return ends.filter { seen.insert($0).inserted }
    }

    private func isWord(_ character: Character) -> Bool { character == "a" || character == "b" || character == "_" }
}
