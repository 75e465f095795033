/// A compiled pattern: a nondeterministic automaton over UTF-8 bytes.
struct Program: Sendable {
    var instructions: [Instruction] = []
    var transitions: [ByteTransition] = []
    var start: Int32 = 0

    /// The number of slots: two per group, including the whole match.
    var slotCount = 2

    /// Whether a match can only start at the start of the text.
    var isAnchoredAtStart = false

    /// The known literal text of a match.
    var literal = LiteralShape()

    /// Whether the instructions contain any assertions.
    private(set) var hasAssertions = false

    /// Whether all assertions depend only on the bytes before and after a position.
    private(set) var isDecidedByAdjacentBytes = true

    /// The class of each byte; no instruction distinguishes the bytes of a class.
    private(set) var byteClasses = [UInt8](repeating: 0, count: 256)

    /// A representative byte of each class.
    private(set) var classRepresentatives: [UInt8] = [0]

    /// Computes the properties that depend on all instructions; must be called when they are complete.
    mutating func finish() {
        var isBoundary = [Bool](repeating: false, count: 257)
        func mark(_ low: UInt8, _ high: UInt8) {
            isBoundary[Int(low)] = true
            isBoundary[Int(high) + 1] = true
        }
        // Matches start only at scalars, so continuation bytes differ from the others.
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

    /// Returns the target of a byte in a run of transitions, or -1.
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

/// An instruction, which is a state of the nondeterministic automaton; targets are instruction indexes.
enum Instruction: Sendable, Hashable {
    /// Consumes one byte within bounds.
    case byteRange(low: UInt8, high: UInt8, next: Int32)

    /// Consumes one byte with a run of the program's transitions, which are sorted and disjoint.
    ///
    /// All copies of a class share its transitions: their targets are relative to `base`, and the end of the class
    /// continues at `next`.
    case bytes(first: Int32, count: Int32, base: Int32, next: Int32)

    /// Continues at both targets and prefers the first.
    case split(first: Int32, second: Int32)

    /// Stores the position in a slot: 2n for the start of group n, 2n + 1 for its end.
    case save(slot: Int32, next: Int32)

    /// Clears slots, as ECMA-262 does with the groups inside each repetition.
    case clear(slots: ClosedRange<Int32>, next: Int32)

    /// Continues if an assertion holds.
    case assertion(Assertion, next: Int32)

    case match
    case fail
}

/// The transition for a range of bytes.
struct ByteTransition: Sendable, Hashable {
    var low: UInt8
    var high: UInt8

    /// A node of a class's automaton, or `UTF8Automaton.accept`.
    var target: Int32
}

/// The literal text that a match starts with, derived from a pattern's syntax tree.
struct LiteralShape: Sendable, Hashable {
    /// The UTF-8 prefix of every match; may be empty.
    var prefix: [UInt8] = []

    /// The failure function of the Knuth–Morris–Pratt algorithm: the length of the longest border of each initial part.
    private(set) var borders: [Int] = []

    /// Whether the pattern consists only of the prefix and the anchors.
    var isWhole = false

    /// Whether the pattern starts with `^`.
    var isAnchoredAtStart = false

    /// Whether the pattern consists only of the prefix and ends with `$`.
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
