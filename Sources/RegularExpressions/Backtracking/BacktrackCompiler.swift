/// A compiler from a syntax tree to a backtracking program, from end to start so that each part knows its successor.
struct BacktrackCompiler {
    /// The maximum number of instructions in a program.
    static let maximumSize = 100_000

    private var program = BacktrackProgram()
    private var classes: [ScalarSet: Int32] = [:]

    /// The number of compiled nodes and instructions: a repetition of nothing adds no instructions but takes time.
    private var work = 0

    private init() {}

    /// Compiles a pattern's syntax tree.
    static func compile(_ node: SyntaxNode, groupCount: Int) throws(ProgramCompiler.TooLarge) -> BacktrackProgram {
        var compiler = BacktrackCompiler()
        compiler.program.slotCount = 2 * groupCount
        let match = try compiler.emit(.match)
        compiler.program.start = try compiler.compile(node, isBackward: false, then: match)
        compiler.program.literal = LiteralShape(node)
        compiler.program.isAnchoredAtStart = ProgramCompiler.isAnchored(node)
        return compiler.program
    }

    private mutating func count() throws(ProgramCompiler.TooLarge) {
        work += 1
        if work > Self.maximumSize { throw ProgramCompiler.TooLarge() }
    }

    private mutating func emit(_ instruction: BacktrackInstruction) throws(ProgramCompiler.TooLarge) -> Int32 {
        try count()
        program.instructions.append(instruction)
        return Int32(program.instructions.count - 1)
    }

    private mutating func compile(
        _ node: SyntaxNode, isBackward: Bool, then next: Int32
    ) throws(ProgramCompiler.TooLarge) -> Int32 {
        try count()
        switch node {
        case .empty:
            return next
        case .scalar(let scalar):
            return try emit(.scalar(scalar, isBackward: isBackward, next: next))
        case .set(let set):
            return try emit(.set(number(of: set), isBackward: isBackward, next: next))
        case .sequence(let nodes):
            var next = next
            // A sequence that is matched backward is compiled from its first part on.
            for node in isBackward ? nodes : nodes.reversed() {
                next = try compile(node, isBackward: isBackward, then: next)
            }
            return next
        case .alternation(let nodes):
            var result: Int32?
            for node in nodes.reversed() {
                let entry = try compile(node, isBackward: isBackward, then: next)
                result = if let second = result { try emit(.split(first: entry, second: second)) } else { entry }
            }
            return result ?? next
        case .capture(let node, let number):
            let start = Int32(2 * number)
            let last = try emit(.save(slot: isBackward ? start : start + 1, next: next))
            let body = try compile(node, isBackward: isBackward, then: last)
            return try emit(.save(slot: isBackward ? start + 1 : start, next: body))
        case .repetition(let node, let quantifier, let groups):
            return try compile(node, quantifier, groups, isBackward: isBackward, then: next)
        case .assertion(let assertion):
            return try emit(.assertion(assertion, next: next))
        case .lookaround(let node, let isAfter, let isNegated, _):
            let match = try emit(.match)
            let body = try compile(node, isBackward: isAfter, then: match)
            return try emit(.look(body: body, isNegated: isNegated, next: next))
        case .backReference(let number, let ignoresCase):
            return try emit(
                .backReference(group: Int32(number), ignoresCase: ignoresCase, isBackward: isBackward, next: next))
        }
    }

    private mutating func number(of set: ScalarSet) -> Int32 {
        if let known = classes[set] { return known }
        let number = Int32(program.classes.count)
        program.classes.append(BacktrackProgram.CharacterClass(set))
        classes[set] = number
        return number
    }

    private mutating func compile(
        _ node: SyntaxNode, _ quantifier: Quantifier, _ groups: Range<Int>, isBackward: Bool, then next: Int32
    ) throws(ProgramCompiler.TooLarge) -> Int32 {
        if let set = Self.singleCharacter(node) {
            return try emit(
                .run(
                    set: number(of: set), minimum: quantifier.minimum, maximum: quantifier.maximum ?? .max,
                    isGreedy: quantifier.isGreedy, isBackward: isBackward, next: next))
        }
        var next = next
        let end = next
        // An optional iteration that consumes nothing is rejected (ECMA-262, RepeatMatcher).
        let slot: Int32? = node.isNullable ? Int32(program.slotCount) : nil
        if slot != nil { program.slotCount += 1 }
        if let maximum = quantifier.maximum {
            if maximum > Self.maximumSize { throw ProgramCompiler.TooLarge() }
            for _ in 0..<max(0, maximum - quantifier.minimum) {
                let body = try iteration(node, groups, slot, isBackward: isBackward, then: next)
                next = try emit(choice(body, end, quantifier))
            }
        } else {
            let loop = try emit(.fail)
            let body = try iteration(node, groups, slot, isBackward: isBackward, then: loop)
            program.instructions[Int(loop)] = choice(body, end, quantifier)
            next = loop
        }
        if quantifier.minimum > Self.maximumSize { throw ProgramCompiler.TooLarge() }
        for _ in 0..<quantifier.minimum {
            next = try iteration(node, groups, nil, isBackward: isBackward, then: next)
        }
        return next
    }

    /// Returns the set of a node that consumes exactly one scalar.
    private static func singleCharacter(_ node: SyntaxNode) -> ScalarSet? {
        switch node {
        case .scalar(let scalar): ScalarSet(scalar: scalar)
        case .set(let set): set
        default: nil
        }
    }

    private mutating func iteration(
        _ node: SyntaxNode, _ groups: Range<Int>, _ slot: Int32?, isBackward: Bool, then next: Int32
    ) throws(ProgramCompiler.TooLarge) -> Int32 {
        let end = if let slot { try emit(.progress(slot: slot, next: next)) } else { next }
        var body = try compile(node, isBackward: isBackward, then: end)
        if let slot { body = try emit(.save(slot: slot, next: body)) }
        guard let last = groups.last else { return body }
        return try emit(.clear(slots: Int32(2 * groups.lowerBound)...Int32(2 * last + 1), next: body))
    }

    private func choice(_ body: Int32, _ end: Int32, _ quantifier: Quantifier) -> BacktrackInstruction {
        quantifier.isGreedy ? .split(first: body, second: end) : .split(first: end, second: body)
    }
}

/// A compiled pattern with lookaround or backreferences.
struct BacktrackProgram: Sendable {
    /// A character class with a fast path for ASCII.
    struct CharacterClass: Sendable {
        private let low: UInt64
        private let high: UInt64
        private let set: ScalarSet

        init(_ set: ScalarSet) {
            var words: (low: UInt64, high: UInt64) = (0, 0)
            for range in set.ranges where range.lowerBound < 0x80 {
                for scalar in range.lowerBound...min(range.upperBound, 0x7F) {
                    if scalar < 64 { words.low |= 1 << UInt64(scalar) } else { words.high |= 1 << UInt64(scalar - 64) }
                }
            }
            low = words.low
            high = words.high
            self.set = set
        }

        @inline(__always)
        func contains(_ scalar: UInt32) -> Bool {
            if scalar < 64 { return low >> UInt64(scalar) & 1 == 1 }
            if scalar < 128 { return high >> UInt64(scalar - 64) & 1 == 1 }
            return set.contains(scalar)
        }
    }

    var instructions: [BacktrackInstruction] = []
    var classes: [CharacterClass] = []
    var start: Int32 = 0

    /// The number of slots: two per group, including the whole match, and one per loop with possibly empty iterations.
    var slotCount = 2

    /// Whether a match can only start at the start of the text.
    var isAnchoredAtStart = false

    /// The known literal text of a match.
    var literal = LiteralShape()
}

/// An instruction of a backtracking program; targets are instruction indexes.
///
/// Lookbehind reads the text backward.
enum BacktrackInstruction: Sendable {
    /// Consumes one scalar.
    case scalar(UInt32, isBackward: Bool, next: Int32)

    /// Consumes one scalar of a set, given by its number.
    case set(Int32, isBackward: Bool, next: Int32)

    /// Consumes as many (or as few) scalars of a set as the bounds allow, and keeps the other counts as alternatives.
    case run(set: Int32, minimum: Int, maximum: Int, isGreedy: Bool, isBackward: Bool, next: Int32)

    /// Continues at the first target, and at the second if that fails.
    case split(first: Int32, second: Int32)

    /// Stores the position in a slot: 2n for the start of group n, 2n + 1 for its end, others for loops.
    case save(slot: Int32, next: Int32)

    /// Clears slots.
    case clear(slots: ClosedRange<Int32>, next: Int32)

    /// Fails if a loop iteration that started at the position in a slot has consumed nothing.
    case progress(slot: Int32, next: Int32)

    /// Continues if an assertion holds.
    case assertion(Assertion, next: Int32)

    /// Consumes the text that a group captured; a group that did not participate captured the empty string.
    case backReference(group: Int32, ignoresCase: Bool, isBackward: Bool, next: Int32)

    /// Continues if the part that starts at `body` matches, or does not match if negated.
    case look(body: Int32, isNegated: Bool, next: Int32)

    case match
    case fail
}
