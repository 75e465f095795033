import RunModel

extension Dispatcher {
    /// The results of a suite that are not yet reported because tests before them have not finished.
    ///
    /// Consecutive tests that did not run for the same reason take as much memory as one of them.
    struct HeldResults {
        /// The result of tests that did not run.
        struct NotRun: Equatable {
            var outcome: TestResult.Outcome
            /// The time at which the outcome was decided, or 0.
            var start: Int64 = 0
            /// Whether the run was interrupted.
            var isCutOff = false

            /// Returns the result of a test.
            func result(of test: TestReference) -> TestResult {
                var result = TestResult(test: test, outcome: outcome, start: start)
                result.isCutOff = isCutOff
                return result
            }
        }

        private var results: [Int: TestResult] = [:]
        /// The tests that did not run, by the first of consecutive ones.
        private var ranges: [Int: (end: Int, result: NotRun)] = [:]
        /// The first test of the range that was added last.
        private var last = 0

        /// The number of separate results and ranges.
        var count: Int { results.count + ranges.count }

        /// Adds the result of a test that ran.
        mutating func add(_ result: TestResult, at index: Int) {
            results[index] = result
        }

        /// Adds the result of a test that did not run.
        mutating func add(_ result: NotRun, at index: Int) {
            if let range = ranges[last], range.end == index, range.result == result {
                ranges[last]?.end = index + 1
            } else {
                ranges[index] = (index + 1, result)
                last = index
            }
        }

        /// Removes and returns the result of a test, which must follow the one that was removed before; nil if there
        /// is none.
        ///
        /// - Parameter reference: Returns the reference of a test that did not run.
        mutating func remove(at index: Int, reference: (Int) -> TestReference) -> TestResult? {
            if let result = results.removeValue(forKey: index) { return result }
            guard let (end, result) = ranges.removeValue(forKey: index) else { return nil }
            if index + 1 < end { ranges[index + 1] = (end, result) }
            if last == index { last = index + 1 }
            return result.result(of: reference(index))
        }
    }
}
