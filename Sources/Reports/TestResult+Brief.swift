import SuiteModel

extension TestResult {
    /// Whether a step that passed has its exchange.
    var hasExchangesOfPassedSteps: Bool {
        let steps = steps
        for index in steps.indices where steps[index].exchange != nil && steps[index].findings.isEmpty { return true }
        return false
    }

    /// The result as it is for a reporter that does not need the exchanges of steps that passed.
    var brief: TestResult {
        guard hasExchangesOfPassedSteps else { return self }
        var result = self
        for index in result.steps.indices where result.steps[index].findings.isEmpty {
            result.steps[index].outline = result.steps[index].sent
            result.steps[index].exchange = nil
        }
        return result
    }
}
