/// What is left of an evaluation's budget.
struct Meter {
    private let budget: CELBudget
    private var steps: Int
    private var memory: Int

    init(_ budget: CELBudget) {
        self.budget = budget
        steps = budget.maximumSteps
        memory = budget.maximumMemory
    }

    /// Counts operations.
    @inline(__always)
    mutating func step(_ count: Int = 1) throws(CELFailure) {
        steps -= count
        if steps < 0 { throw exceededSteps() }
    }

    /// Counts memory of a result, in bytes.
    mutating func allocate(_ bytes: Int) throws(CELFailure) {
        let (left, overflow) = memory.subtractingReportingOverflow(bytes)
        guard !overflow, left >= 0 else {
            memory = -1
            steps = -1
            throw .budget("the expression made more than \(budget.maximumMemory) bytes of text and lists")
        }
        memory = left
    }

    /// Counts the memory of list elements or map entries.
    mutating func allocate(elements: Int) throws(CELFailure) {
        let (bytes, overflow) = elements.multipliedReportingOverflow(by: MemoryLayout<CELValue>.stride)
        try allocate(overflow ? .max : bytes)
    }

    private func exceededSteps() -> CELFailure {
        .budget("the expression took more than \(budget.maximumSteps) steps")
    }
}
