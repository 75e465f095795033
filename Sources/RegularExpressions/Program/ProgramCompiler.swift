/// A compiler from a syntax tree to a program, from end to start so that each part knows its successor.
struct ProgramCompiler {
    /// The maximum number of instructions in a program, which bounds the time per byte and the memory.
    static let maximumSize = 400_000

    /// The maximum product of instructions and slots, which bounds the memory of a search for groups.
    static let maximumSlotSize = 40_000_000

    /// The error of a program that is too large.
    struct TooLarge: Error {}

    /// The location of a class's transitions in the program.
    private struct CompiledClass {
        /// A node of the class's automaton, as a run of transitions.
        struct Node {
            var first: Int32
            var count: Int32

            /// The transition of a node that has only one.
            var only: ByteTransition?
        }

        var nodes: [Node] = []
        var root: Int32
    }

    /// The continuations of a part that is entered before its iteration has consumed anything.
    private struct Exits {
        /// The continuation if still nothing has been consumed.
        var empty: Int32
        /// The continuation if something has been consumed.
        var consumed: Int32
    }

    private let dialect: RegularExpression.Dialect
    /// Whether optional iterations that consume nothing are rejected (ECMA-262, RepeatMatcher).
    private let refusesEmptyIterations: Bool
    private var program = Program()
    private var classes: [ScalarSet: CompiledClass] = [:]

    /// The number of compiled nodes and instructions: a repetition of nothing adds no instructions but takes time.
    private var work = 0

    private init(dialect: RegularExpression.Dialect, refusesEmptyIterations: Bool) {
        self.dialect = dialect
        self.refusesEmptyIterations = refusesEmptyIterations
    }

    /// Compiles a pattern's syntax tree.
    static func compile(
        _ node: SyntaxNode, dialect: RegularExpression.Dialect, groupCount: Int
    ) throws(TooLarge) -> Program {
        do throws(TooLarge) {
            return try compile(
                node, dialect: dialect, groupCount: groupCount, refusesEmptyIterations: dialect == .ecmaScript)
        } catch {
            // Rejecting empty iterations duplicates nullable parts. Without it, the program accepts the same texts, but
            // may prefer a different match.
            guard dialect == .ecmaScript else { throw error }
            return try compile(node, dialect: dialect, groupCount: groupCount, refusesEmptyIterations: false)
        }
    }

    private static func compile(
        _ node: SyntaxNode, dialect: RegularExpression.Dialect, groupCount: Int, refusesEmptyIterations: Bool
    ) throws(TooLarge) -> Program {
        var compiler = ProgramCompiler(dialect: dialect, refusesEmptyIterations: refusesEmptyIterations)
        let match = try compiler.emit(.match)
        compiler.program.start = try compiler.compile(node, then: match)
        compiler.program.slotCount = 2 * groupCount
        if compiler.program.instructions.count * compiler.program.slotCount > maximumSlotSize { throw TooLarge() }
        compiler.program.literal = LiteralShape(node)
        compiler.program.isAnchoredAtStart = isAnchored(node)
        compiler.program.finish()
        return compiler.program
    }

    /// Returns whether a match can only start at the start of the text.
    static func isAnchored(_ node: SyntaxNode) -> Bool {
        switch node {
        case .assertion(.textStart): true
        case .sequence(let nodes): nodes.first.map(isAnchored) ?? false
        case .alternation(let nodes): nodes.allSatisfy(isAnchored)
        case .capture(let node, _): isAnchored(node)
        case .repetition(let node, let quantifier, _): quantifier.minimum > 0 && isAnchored(node)
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
        case .repetition(let node, let quantifier, let groups):
            return try compile(node, quantifier, groups, then: next)
        case .assertion(let assertion):
            return try emit(.assertion(assertion, next: next))
        case .lookaround, .backReference:
            // `BacktrackCompiler` handles patterns with these nodes.
            return try emit(.fail)
        }
    }

    private mutating func compile(_ set: ScalarSet, then next: Int32) throws(TooLarge) -> Int32 {
        let compiled = classes[set] ?? add(set)
        // One instruction per node in the same order, so node numbers are relative to the first.
        let base = Int32(program.instructions.count)
        for node in compiled.nodes {
            if let only = node.only {
                let target = only.target == UTF8Automaton.accept ? next : base + only.target
                _ = try emit(.byteRange(low: only.low, high: only.high, next: target))
            } else if node.count == 0 {
                _ = try emit(.fail)
            } else {
                _ = try emit(.bytes(first: node.first, count: node.count, base: base, next: next))
            }
        }
        return base + compiled.root
    }

    /// Adds the transitions of a new class to the program.
    private mutating func add(_ set: ScalarSet) -> CompiledClass {
        let automaton = UTF8Automaton(set)
        var compiled = CompiledClass(root: automaton.root)
        for node in automaton.nodes {
            compiled.nodes.append(
                CompiledClass.Node(
                    first: Int32(program.transitions.count), count: Int32(node.count),
                    only: node.count == 1 ? node.first : nil))
            if node.count > 1 { program.transitions += node }
        }
        classes[set] = compiled
        return compiled
    }

    private mutating func compile(
        _ node: SyntaxNode, _ quantifier: Quantifier, _ groups: Range<Int>, then next: Int32
    ) throws(TooLarge) -> Int32 {
        var next = next
        let end = next
        var copies = quantifier.minimum
        if let maximum = quantifier.maximum {
            if maximum > Self.maximumSize { throw TooLarge() }
            for _ in 0..<max(0, maximum - quantifier.minimum) {
                let body = try optionalIteration(node, groups, then: next)
                next = try emit(choice(body, end, quantifier))
            }
        } else {
            let loop = try emit(.fail)
            let body = try optionalIteration(node, groups, then: loop)
            let choice = choice(body, end, quantifier)
            program.instructions[Int(loop)] = choice
            // In RE2 an empty iteration counts, in ECMA-262 only a required one does.
            let countsEmpty = dialect != .ecmaScript || !node.isNullable
            if copies > 0, countsEmpty {
                // The loop body is the last required iteration.
                next = body
                copies -= 1
            } else if countsEmpty, node.isNullable {
                // x* is (x+)? if x may be empty.
                next = try emit(choice)
            } else {
                next = loop
            }
        }
        if copies > Self.maximumSize { throw TooLarge() }
        for _ in 0..<max(0, copies) { next = try iteration(node, groups, then: next) }
        return next
    }

    private mutating func iteration(
        _ node: SyntaxNode, _ groups: Range<Int>, then next: Int32
    ) throws(TooLarge) -> Int32 {
        try clearing(groups, then: try compile(node, then: next))
    }

    /// Compiles an optional iteration.
    private mutating func optionalIteration(
        _ node: SyntaxNode, _ groups: Range<Int>, then next: Int32
    ) throws(TooLarge) -> Int32 {
        guard refusesEmptyIterations, node.isNullable else { return try iteration(node, groups, then: next) }
        let fail = try emit(.fail)
        return try clearing(groups, then: try compile(node, Exits(empty: fail, consumed: next)))
    }

    // MARK: Nonempty iterations

    /// Compiles a part that is entered before its iteration has consumed anything.
    private mutating func compile(_ node: SyntaxNode, _ exits: Exits) throws(TooLarge) -> Int32 {
        guard node.isNullable else { return try compile(node, then: exits.consumed) }
        try count(1)
        switch node {
        case .empty:
            return exits.empty
        case .scalar, .set, .lookaround, .backReference:
            return try compile(node, then: exits.consumed)
        case .sequence(let nodes):
            var exits = exits
            for (index, node) in nodes.enumerated().reversed() {
                let entry = try compile(node, exits)
                // The second entry is for arriving after something has been consumed.
                let isShared = index == 0 || !node.isNullable
                exits = Exits(empty: entry, consumed: isShared ? entry : try compile(node, then: exits.consumed))
            }
            return exits.empty
        case .alternation(let nodes):
            var result: Int32?
            for node in nodes.reversed() {
                let entry = try compile(node, exits)
                result = if let second = result { try emit(.split(first: entry, second: second)) } else { entry }
            }
            return result ?? exits.empty
        case .capture(let node, let number):
            let slot = Int32(2 * number + 1)
            let ends = Exits(
                empty: try emit(.save(slot: slot, next: exits.empty)),
                consumed: try emit(.save(slot: slot, next: exits.consumed)))
            return try emit(.save(slot: slot - 1, next: try compile(node, ends)))
        case .repetition(let node, let quantifier, let groups):
            return try compile(node, quantifier, groups, exits)
        case .assertion(let assertion):
            return try emit(.assertion(assertion, next: exits.empty))
        }
    }

    private mutating func compile(
        _ node: SyntaxNode, _ quantifier: Quantifier, _ groups: Range<Int>, _ exits: Exits
    ) throws(TooLarge) -> Int32 {
        if max(quantifier.minimum, quantifier.maximum ?? 0) > Self.maximumSize { throw TooLarge() }
        // The continuation after an optional iteration, which has consumed something.
        var consumed = exits.consumed
        var first: Int32?
        if let maximum = quantifier.maximum {
            for _ in 0..<max(0, maximum - quantifier.minimum) {
                let body = try optionalIteration(node, groups, then: consumed)
                consumed = try emit(choice(body, exits.consumed, quantifier))
                first = body
            }
        } else {
            let loop = try emit(.fail)
            let body = try optionalIteration(node, groups, then: loop)
            program.instructions[Int(loop)] = choice(body, exits.consumed, quantifier)
            consumed = loop
            first = body
        }
        var empty = exits.empty
        if let first { empty = try emit(choice(first, exits.empty, quantifier)) }
        for _ in 0..<quantifier.minimum {
            let entry = try clearing(groups, then: try compile(node, Exits(empty: empty, consumed: consumed)))
            consumed = try iteration(node, groups, then: consumed)
            empty = entry
        }
        return empty
    }

    private mutating func clearing(_ groups: Range<Int>, then body: Int32) throws(TooLarge) -> Int32 {
        guard dialect == .ecmaScript, let last = groups.last else { return body }
        return try emit(.clear(slots: Int32(2 * groups.lowerBound)...Int32(2 * last + 1), next: body))
    }

    private func choice(_ body: Int32, _ end: Int32, _ quantifier: Quantifier) -> Instruction {
        quantifier.isGreedy ? .split(first: body, second: end) : .split(first: end, second: body)
    }
}
