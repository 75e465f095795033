/// A generator of text that a pattern probably matches; assertions and lookaround are left to the subsequent check.
struct TextSampler {
    /// The number of repetitions beyond the minimum.
    let stretch: Int
    /// Whether each repetition gets its own random count.
    let variesRepetitions: Bool
    /// Whether all kinds of characters of a class are used, instead of only the first.
    let variesKinds: Bool
    /// The generated text.
    private(set) var text: [Unicode.Scalar] = []
    private var captures: [Int: Range<Int>] = [:]
    /// The number of nodes that may still be visited: failed alternatives are retried in each repetition.
    private var steps = 100_000

    init(stretch: Int, variesRepetitions: Bool, variesKinds: Bool) {
        self.stretch = stretch
        self.variesRepetitions = variesRepetitions
        self.variesKinds = variesKinds
    }

    /// Appends text that matches a node; returns false if there is none or it becomes too long.
    mutating func append(_ node: SyntaxNode, using random: inout some RandomNumberGenerator) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        switch node {
        case .empty, .assertion, .lookaround: return true
        case .scalar(let value): return append(value)
        case .set(let set): return append(oneOf: set, using: &random)
        case .sequence(let nodes):
            for node in nodes where !append(node, using: &random) { return false }
            return true
        case .alternation(let nodes):
            let first = variesKinds ? Int.random(in: 0..<max(1, nodes.count), using: &random) : 0
            for offset in nodes.indices {
                let mark = text.count
                if append(nodes[(first + offset) % nodes.count], using: &random) { return true }
                text.removeSubrange(mark...)
            }
            return false
        case .capture(let node, let number):
            let start = text.count
            guard append(node, using: &random) else { return false }
            captures[number] = start..<text.count
            return true
        case .repetition(let node, let quantifier, _):
            return append(node, quantifier, using: &random)
        case .backReference(let number, _):
            guard let range = captures[number], range.upperBound <= text.count else { return true }
            text += text[range]
            return text.count <= RegularExpression.maximumSampleLength
        }
    }

    private mutating func append(
        _ node: SyntaxNode, _ quantifier: Quantifier, using random: inout some RandomNumberGenerator
    ) -> Bool {
        let minimum = quantifier.minimum
        guard minimum <= RegularExpression.maximumSampleLength else { return false }
        var count = minimum
        // Optional parts are included only for longer texts.
        if quantifier.maximum != 1 || stretch > 1 {
            count += variesRepetitions ? Int.random(in: 0...max(0, stretch), using: &random) : stretch
        }
        count = min(count, quantifier.maximum ?? count)
        for repetition in 0..<count {
            let mark = text.count
            if !append(node, using: &random) {
                text.removeSubrange(mark...)
                return repetition >= minimum
            }
            // An empty part stays empty.
            if text.count == mark { break }
        }
        return true
    }

    private mutating func append(_ value: UInt32) -> Bool {
        guard let scalar = Unicode.Scalar(value), text.count < RegularExpression.maximumSampleLength else {
            return false
        }
        text.append(scalar)
        return true
    }

    /// The kinds of characters, most readable first.
    private static let kinds = [
        ScalarSet([0x61...0x7A]), ScalarSet([0x30...0x39]), ScalarSet([0x41...0x5A]),
        ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E]), ScalarSet([0x20...0x20]),
        ScalarSet([0xA1...0xD7FF]),
    ]

    private mutating func append(oneOf set: ScalarSet, using random: inout some RandomNumberGenerator) -> Bool {
        var found: [ScalarSet] = []
        for kind in Self.kinds {
            let part = kind.intersection(set)
            if part.isEmpty { continue }
            found.append(part)
            if !variesKinds { break }
        }
        // Fall back to characters that belong to no kind.
        if found.isEmpty { found.append(set) }
        let ranges = found[Int.random(in: 0..<min(found.count, 4), using: &random)].ranges
        guard let range = ranges.randomElement(using: &random) else { return false }
        return append(UInt32.random(in: range, using: &random)) || append(range.lowerBound)
    }
}
