/// Turns a tree into a program, from its end to its start so that each part knows what follows it.
struct ProgramCompiler {
    /// How many instructions and transitions a program may have; this bounds the time per byte and the memory.
    static let maximumSize = 250_000

    /// What `compile` throws when the program grows too large.
    struct TooLarge: Error {}

    private let dialect: RegularExpression.Dialect
    private var program = Program()
    private var automata: [ScalarSet: UTF8Automaton] = [:]

    /// Counts nodes too: a repetition of nothing adds no instructions but takes time.
    private var work = 0

    private init(dialect: RegularExpression.Dialect) {
        self.dialect = dialect
    }

    /// Compiles a pattern's tree.
    static func compile(
        _ node: SyntaxNode, dialect: RegularExpression.Dialect, groupCount: Int
    ) throws(TooLarge) -> Program {
        var compiler = ProgramCompiler(dialect: dialect)
        let match = try compiler.emit(.match)
        compiler.program.start = try compiler.compile(node, then: match)
        compiler.program.slotCount = 2 * groupCount
        compiler.program.literal = LiteralShape(node)
        compiler.program.isAnchoredAtStart = isAnchored(node)
        compiler.program.finish()
        return compiler.program
    }

    private static func isAnchored(_ node: SyntaxNode) -> Bool {
        switch node {
        case .assertion(.textStart): true
        case .sequence(let nodes): nodes.first.map(isAnchored) ?? false
        case .alternation(let nodes): nodes.allSatisfy(isAnchored)
        case .capture(let node, _): isAnchored(node)
        case .repetition(let node, let quantifier): quantifier.minimum > 0 && isAnchored(node)
        default: false
        }
    }

    private mutating func count(_ amount: Int) throws(TooLarge) {
        work += amount
        if work > Self.maximumSize { throw TooLarge() }
    }

    private mutating func emit(_ instruction: Instruction) throws(TooLarge) -> Int32 {
        try count(1)
        program.instructions.append(instruction)
        return Int32(program.instructions.count - 1)
    }

    private mutating func compile(_ node: SyntaxNode, then next: Int32) throws(TooLarge) -> Int32 {
        try count(1)
        switch node {
        case .empty:
            return next
        case .scalar(let scalar):
            guard Unicode.Scalar(scalar) != nil else { return try emit(.fail) }
            var next = next
            for byte in UTF8Automaton.encoded(scalar).reversed() {
                next = try emit(.byteRange(low: byte, high: byte, next: next))
            }
            return next
        case .set(let set):
            return try compile(set, then: next)
        case .sequence(let nodes):
            var next = next
            for node in nodes.reversed() { next = try compile(node, then: next) }
            return next
        case .alternation(let nodes):
            var result: Int32?
            for node in nodes.reversed() {
                let entry = try compile(node, then: next)
                result = if let second = result { try emit(.split(first: entry, second: second)) } else { entry }
            }
            return result ?? next
        case .capture(let node, let number):
            let end = try emit(.save(slot: Int32(2 * number + 1), next: next))
            let body = try compile(node, then: end)
            return try emit(.save(slot: Int32(2 * number), next: body))
        case .repetition(let node, let quantifier):
            return try compile(node, quantifier, then: next)
        case .assertion(let assertion):
            return try emit(.assertion(assertion, next: next))
        }
    }

    private mutating func compile(_ set: ScalarSet, then next: Int32) throws(TooLarge) -> Int32 {
        let automaton = automata[set] ?? UTF8Automaton(set)
        automata[set] = automaton
        if set.isEmpty { return try emit(.fail) }
        var entries: [Int32] = []
        entries.reserveCapacity(automaton.nodes.count)
        for node in automaton.nodes {
            func target(_ transition: ByteTransition) -> Int32 {
                transition.target == UTF8Automaton.accept ? next : entries[Int(transition.target)]
            }
            if node.count == 1, let only = node.first {
                entries.append(try emit(.byteRange(low: only.low, high: only.high, next: target(only))))
            } else if node.isEmpty {
                entries.append(try emit(.fail))
            } else {
                try count(node.count)
                let first = Int32(program.transitions.count)
                for transition in node {
                    program.transitions.append(
                        ByteTransition(low: transition.low, high: transition.high, target: target(transition)))
                }
                entries.append(try emit(.bytes(first: first, count: Int32(node.count))))
            }
        }
        return entries[Int(automaton.root)]
    }

    private mutating func compile(
        _ node: SyntaxNode, _ quantifier: Quantifier, then next: Int32
    ) throws(TooLarge) -> Int32 {
        var next = next
        let end = next
        if let maximum = quantifier.maximum {
            if maximum > Self.maximumSize { throw TooLarge() }
            for _ in 0..<max(0, maximum - quantifier.minimum) {
                let body = try iteration(node, then: next)
                next = try split(into: body, or: end, quantifier)
            }
        } else {
            let loop = try emit(.fail)
            let body = try iteration(node, then: loop)
            program.instructions[Int(loop)] = choice(body, end, quantifier)
            if quantifier.minimum > 0 {
                // The first of the required iterations is the loop's own body.
                next = body
            } else if dialect != .ecmaScript, node.isNullable {
                // x* is (x+)? where x may be empty, so that an empty iteration counts as one, as in RE2;
                // ECMA-262 refuses empty iterations.
                next = try split(into: body, or: end, quantifier)
            } else {
                next = loop
            }
        }
        if quantifier.minimum > Self.maximumSize { throw TooLarge() }
        let copies = quantifier.maximum == nil ? quantifier.minimum - 1 : quantifier.minimum
        for _ in 0..<max(0, copies) { next = try iteration(node, then: next) }
        return next
    }

    private mutating func iteration(_ node: SyntaxNode, then next: Int32) throws(TooLarge) -> Int32 {
        let body = try compile(node, then: next)
        guard dialect == .ecmaScript, let groups = node.captures else { return body }
        return try emit(
            .clear(slots: Int32(2 * groups.lowerBound)...Int32(2 * groups.upperBound + 1), next: body))
    }

    private mutating func split(
        into body: Int32, or end: Int32, _ quantifier: Quantifier
    ) throws(TooLarge) -> Int32 {
        try emit(choice(body, end, quantifier))
    }

    private func choice(_ body: Int32, _ end: Int32, _ quantifier: Quantifier) -> Instruction {
        quantifier.isGreedy ? .split(first: body, second: end) : .split(first: end, second: body)
    }
}
