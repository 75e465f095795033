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
