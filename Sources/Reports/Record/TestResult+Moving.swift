import SuiteModel

extension Int64 {
    /// The sum; where that is too large, the largest or smallest number.
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

extension TestResult {
    /// Moves everything that has a time by some nanoseconds.
    mutating func move(by offset: Int64) {
        guard offset != 0 else { return }
        start = start.plus(offset)
        for index in steps.indices { steps[index].move(by: offset) }
        for attempt in earlierAttempts.indices {
            for index in earlierAttempts[attempt].steps.indices {
                earlierAttempts[attempt].steps[index].move(by: offset)
            }
        }
    }
}

extension TestResult.Step {
    fileprivate mutating func move(by offset: Int64) {
        start = start.plus(offset)
        if let time = exchange?.start { exchange?.start = time.plus(offset) }
        for index in earlierAttempts.indices {
            if let time = earlierAttempts[index].exchange?.start {
                earlierAttempts[index].exchange?.start = time.plus(offset)
            }
        }
    }
}
