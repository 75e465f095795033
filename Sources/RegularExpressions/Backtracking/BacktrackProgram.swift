/// A pattern with lookaround or back-references, compiled.
struct BacktrackProgram: Sendable {
    /// A class of characters with a quick answer for ASCII.
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

    /// Two for each group, the whole match included, and then one for each loop that may go around without consuming.
    var slotCount = 2

    /// Whether a match can only start where the text does.
    var isAnchoredAtStart = false

    /// What is known of the literal text of a match.
    var literal = LiteralShape()
}
