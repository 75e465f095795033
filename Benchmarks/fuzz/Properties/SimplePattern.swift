/// A pattern in the syntax common to all dialects, with a matcher that follows all alternatives at once.
struct SimplePattern {
    private indirect enum Node {
        case scalar(Unicode.Scalar)
        case anyScalar
        case members([ClosedRange<UInt32>], isNegated: Bool)
        case sequence([Node])
        case alternation([Node])
        case repetition(Node, minimum: Int, maximum: Int?)
        case start
        case end
    }

    /// The maximum number of visited nodes. Nested repetitions multiply.
    private static let maximumStepCount = 30_000
    private static let maximumLength = 80
    private static let special = Set("\\^$.*+?()[]{}|/-&".unicodeScalars)

    private var root = Node.start
    private var scalars: [Unicode.Scalar]
    private var position = 0

    /// Parses a pattern, or returns nil if it uses more than literal characters, `.`, simple classes, groups, `|`,
    /// anchors and quantifiers with small counts.
    init?(_ pattern: String) {
        scalars = Array(pattern.unicodeScalars)
        guard scalars.count <= Self.maximumLength, let node = alternation(), position == scalars.count else {
            return nil
        }
        root = node
    }

    /// Returns the ends of the matches that start at each position of a text, or nil if that takes too long.
    func matches(in text: [Unicode.Scalar]) -> [Set<Int>]? {
        var steps = 0
        var result: [Set<Int>] = []
        for start in 0...text.count {
            result.append(Self.ends(of: root, in: text, from: [start], &steps))
            if steps > Self.maximumStepCount { return nil }
        }
        return result
    }

    // MARK: Matching

    /// Returns the ends of the matches that start at one of the given positions.
    private static func ends(
        of node: Node, in text: [Unicode.Scalar], from starts: Set<Int>, _ steps: inout Int
    ) -> Set<Int> {
        steps += 1
        if steps > maximumStepCount { return [] }
        switch node {
        case .scalar(let scalar): return step(starts, text) { $0 == scalar }
        case .anyScalar: return step(starts, text) { !["\n", "\r", "\u{2028}", "\u{2029}"].contains($0) }
        case .members(let ranges, let isNegated):
            return step(starts, text) { scalar in ranges.contains { $0.contains(scalar.value) } != isNegated }
        case .start: return starts.filter { $0 == 0 }
        case .end: return starts.filter { $0 == text.count }
        case .sequence(let nodes):
            return nodes.reduce(starts) { ends(of: $1, in: text, from: $0, &steps) }
        case .alternation(let nodes):
            return nodes.reduce(into: []) { $0.formUnion(ends(of: $1, in: text, from: starts, &steps)) }
        case .repetition(let body, let minimum, let maximum):
            var reached = starts
            for _ in 0..<minimum { reached = ends(of: body, in: text, from: reached, &steps) }
            var count = minimum
            while maximum.map({ count < $0 }) ?? true {
                let more = reached.union(ends(of: body, in: text, from: reached, &steps))
                if more.count == reached.count { break }
                reached = more
                count += 1
            }
            return reached
        }
    }

    private static func step(
        _ starts: Set<Int>, _ text: [Unicode.Scalar], _ matches: (Unicode.Scalar) -> Bool
    ) -> Set<Int> {
        Set(starts.filter { $0 < text.count && matches(text[$0]) }.map { $0 + 1 })
    }

    // MARK: Reading

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func alternation() -> Node? {
        var branches: [Node] = []
        repeat {
            guard let branch = sequence() else { return nil }
            branches.append(branch)
        } while take("|")
        return .alternation(branches)
    }

    private mutating func sequence() -> Node? {
        var nodes: [Node] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            if take("^") {
                nodes.append(.start)
            } else if take("$") {
                nodes.append(.end)
            } else {
                guard let atom = atom(), let node = quantified(atom) else { return nil }
                nodes.append(node)
            }
        }
        return .sequence(nodes)
    }

    private mutating func atom() -> Node? {
        if take(".") { return .anyScalar }
        if take("[") { return members() }
        if take("(") {
            if take("?"), !take(":") { return nil }
            guard let node = alternation(), take(")") else { return nil }
            return node
        }
        guard let scalar = next, !Self.special.contains(scalar) else { return nil }
        position += 1
        return .scalar(scalar)
    }

    private mutating func members() -> Node? {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let first = next, !Self.special.contains(first) {
            position += 1
            var last = first
            if take("-") {
                guard let end = next, !Self.special.contains(end), end >= first else { return nil }
                position += 1
                last = end
            }
            ranges.append(first.value...last.value)
        }
        return take("]") && !ranges.isEmpty ? .members(ranges, isNegated: isNegated) : nil
    }

    private mutating func quantified(_ node: Node) -> Node? {
        var result = node
        if take("*") {
            result = .repetition(node, minimum: 0, maximum: nil)
        } else if take("+") {
            result = .repetition(node, minimum: 1, maximum: nil)
        } else if take("?") {
            result = .repetition(node, minimum: 0, maximum: 1)
        } else if take("{") {
            guard let minimum = digit() else { return nil }
            let maximum = take(",") ? digit() : minimum
            guard take("}"), maximum.map({ $0 >= minimum }) ?? true else { return nil }
            result = .repetition(node, minimum: minimum, maximum: maximum)
        } else {
            return node
        }
        // Laziness only changes which of the ends is chosen.
        _ = take("?")
        return result
    }

    private mutating func digit() -> Int? {
        guard let scalar = next, ("0"..."9").contains(scalar) else { return nil }
        position += 1
        return Int(scalar.value) - 0x30
    }
}
