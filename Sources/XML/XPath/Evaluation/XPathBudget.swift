/// The steps that an evaluation may still take, and whether anybody waits for its value.
struct XPathBudget {
    /// The number of steps between two looks at whether the task is cancelled: less than a tenth of a millisecond.
    private static let interval = 4096

    private var left: Int
    private var untilCheck = Self.interval

    /// Creates a budget of so many steps.
    init(_ operations: Int) { left = max(1, operations) }

    /// Takes steps.
    ///
    /// - Throws: ``XMLError`` if there are not so many left, or the task is cancelled.
    @inline(__always)
    mutating func spend(_ count: Int) throws(XMLError) {
        left -= count
        untilCheck -= count
        if left < 0 || untilCheck < 0 { try check() }
    }

    private mutating func check() throws(XMLError) {
        guard left >= 0 else {
            throw XMLError(kind: .limit, message: "the expression takes too long on this document")
        }
        if Task.isCancelled { throw .cancelled }
        untilCheck = Self.interval
    }
}

extension XMLError {
    /// The error of work that nobody waits for any more.
    static let cancelled = XMLError(kind: .cancelled, message: "the evaluation was cancelled")
}
