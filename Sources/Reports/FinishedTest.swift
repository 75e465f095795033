import SuiteModel

/// A result in file order, as it waits for others.
struct FinishedTest: Sendable {
    let result: TestResult
    /// The sizes of bodies that masking changed.
    let sizes: BodySizes
    /// Whether it has exchanges of steps that passed, which only some reporters get.
    let hasHidden: Bool

    /// The result for a report that does not write the exchanges of a test that passed in any case.
    ///
    /// - Parameter hidesExchanges: Whether the exchanges of steps that passed are not for the report.
    func resultForAccount(hidesExchanges: Bool) -> TestResult {
        hidesExchanges && hasHidden && result.outcome != .passed ? result.brief : result
    }
}
