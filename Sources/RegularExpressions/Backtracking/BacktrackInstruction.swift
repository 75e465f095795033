/// One step of a program that is matched by backtracking; targets are indices of instructions.
///
/// Inside of lookbehind the text is read towards its start.
enum BacktrackInstruction: Sendable {
    /// Consumes one scalar.
    case scalar(UInt32, isBackward: Bool, next: Int32)

    /// Consumes one scalar of a set, by the set's number.
    case set(Int32, isBackward: Bool, next: Int32)

    /// Consumes scalars of a set, as many as the bounds allow or as few, and keeps the other counts for later.
    case run(set: Int32, minimum: Int, maximum: Int, isGreedy: Bool, isBackward: Bool, next: Int32)

    /// Goes on at the first target, and at the second if that fails.
    case split(first: Int32, second: Int32)

    /// Notes the position in a slot: 2n where group n starts, 2n + 1 where it ends, others for loops.
    case save(slot: Int32, next: Int32)

    /// Forgets what slots hold.
    case clear(slots: ClosedRange<Int32>, next: Int32)

    /// Fails where a loop's iteration that began at the position in a slot has consumed nothing.
    case progress(slot: Int32, next: Int32)

    /// Goes on where an assertion holds.
    case assertion(Assertion, next: Int32)

    /// Consumes the text that a group captured; a group that took no part captured the empty text.
    case backReference(group: Int32, ignoresCase: Bool, isBackward: Bool, next: Int32)

    /// Goes on where the part that starts at `body` can be matched, or cannot.
    case look(body: Int32, isNegated: Bool, next: Int32)

    case match
    case fail
}
