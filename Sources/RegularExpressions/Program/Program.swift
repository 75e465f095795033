/// A compiled pattern: a nondeterministic automaton over the bytes of UTF-8.
struct Program: Sendable {
    var instructions: [Instruction] = []
    var transitions: [ByteTransition] = []
    var start: Int32 = 0

    /// Two for each group, the whole match included.
    var slotCount = 2

    /// Whether a match can only start where the text does.
    var isAnchoredAtStart = false

    /// What is known of the literal text of a match.
    var literal = LiteralShape()

    /// Whether any assertion is left in the instructions.
    private(set) var hasAssertions = false

    /// Whether the byte before and the byte after a position decide all assertions.
    private(set) var isDecidedByAdjacentBytes = true

    /// The class of each byte: bytes of one class are alike to every instruction.
    private(set) var byteClasses = [UInt8](repeating: 0, count: 256)

    /// One byte of each class.
    private(set) var classRepresentatives: [UInt8] = [0]

    /// Works out what depends on all instructions; to be called when they are complete.
    mutating func finish() {
        var isBoundary = [Bool](repeating: false, count: 257)
        func mark(_ low: UInt8, _ high: UInt8) {
            isBoundary[Int(low)] = true
            isBoundary[Int(high) + 1] = true
        }
        // Matches start at scalars only, so continuation bytes differ from the others.
        mark(0x80, 0xBF)
        for instruction in instructions {
            switch instruction {
            case .byteRange(let low, let high, _): mark(low, high)
            case .assertion(let assertion, _):
                hasAssertions = true
                if !assertion.isDecidedByAdjacentBytes { isDecidedByAdjacentBytes = false }
            default: break
            }
        }
        for transition in transitions { mark(transition.low, transition.high) }
        if hasAssertions {
            mark(0x0A, 0x0A)
            for range in CommonClasses.wordCharacters.ranges {
                mark(UInt8(truncatingIfNeeded: range.lowerBound), UInt8(truncatingIfNeeded: range.upperBound))
            }
        }
        classRepresentatives = [0]
        var current: UInt8 = 0
        for byte in 1..<256 {
            if isBoundary[byte] {
                current += 1
                classRepresentatives.append(UInt8(byte))
            }
            byteClasses[byte] = current
        }
    }

    /// Where a byte leads to from a run of transitions, or -1.
    @inline(__always)
    func target(of byte: UInt8, first: Int32, count: Int32, base: Int32, next: Int32) -> Int32 {
        var index = Int(first)
        let end = index + Int(count)
        while index < end {
            let transition = transitions[index]
            if byte < transition.low { return -1 }
            if byte <= transition.high {
                return transition.target == UTF8Automaton.accept ? next : base + transition.target
            }
            index += 1
        }
        return -1
    }
}

/// One state of the nondeterministic automaton a pattern becomes; targets are indices of instructions.
enum Instruction: Sendable, Hashable {
    /// Consumes one byte within bounds.
    case byteRange(low: UInt8, high: UInt8, next: Int32)

    /// Consumes one byte by a run of the program's transitions, which are sorted and disjoint.
    ///
    /// The transitions of a class are shared by all its copies: their targets count from `base`, and the end of the
    /// class goes on at `next`.
    case bytes(first: Int32, count: Int32, base: Int32, next: Int32)

    /// Goes on at both targets and prefers the first.
    case split(first: Int32, second: Int32)

    /// Notes the position in a slot: 2n where group n starts, 2n + 1 where it ends.
    case save(slot: Int32, next: Int32)

    /// Forgets what slots hold, as ECMA-262 does with the groups inside each repetition.
    case clear(slots: ClosedRange<Int32>, next: Int32)

    /// Goes on where an assertion holds.
    case assertion(Assertion, next: Int32)

    case match
    case fail
}

/// What a byte within bounds leads to.
struct ByteTransition: Sendable, Hashable {
    var low: UInt8
    var high: UInt8

    /// A node of the automaton of a class, or `UTF8Automaton.accept`.
    var target: Int32
}

/// The literal text a match starts with, found in the tree of a pattern.
struct LiteralShape: Sendable, Hashable {
    /// The UTF-8 every match starts with; may be empty.
    var prefix: [UInt8] = []

    /// For each start of the prefix, how long the longest proper part is that it both starts and ends with.
    private(set) var borders: [Int] = []

    /// Whether the pattern is nothing but the prefix and the anchors.
    var isWhole = false

    /// Whether the pattern starts with `^`.
    var isAnchoredAtStart = false

    /// Whether the pattern is nothing but the prefix and ends with `$`.
    var isAnchoredAtEnd = false

    init() {}

    init(_ node: SyntaxNode) {
        var nodes: ArraySlice<SyntaxNode> =
            switch node {
            case .sequence(let nodes): nodes[...]
            default: [node]
            }
        if case .assertion(.textStart) = nodes.first {
            isAnchoredAtStart = true
            nodes.removeFirst()
        }
        while case .scalar(let scalar) = nodes.first, Unicode.Scalar(scalar) != nil {
            prefix += UTF8Automaton.encoded(scalar)
            nodes.removeFirst()
        }
        findBorders()
        switch nodes.first {
        case nil: isWhole = true
        case .empty: isWhole = nodes.count == 1
        case .assertion(.textEnd) where nodes.count == 1:
            isAnchoredAtEnd = true
            isWhole = true
        default: break
        }
    }

    private mutating func findBorders() {
        borders = [Int](repeating: 0, count: prefix.count)
        var length = 0
        for index in prefix.indices.dropFirst() {
            while length > 0, prefix[index] != prefix[length] { length = borders[length - 1] }
            if prefix[index] == prefix[length] { length += 1 }
            borders[index] = length
        }
    }
}
