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
