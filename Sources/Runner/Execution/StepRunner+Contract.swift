import Basics
import Expectations
import OpenAPI
import RunModel
import SuiteModel

extension StepRunner {
    /// Checks an exchange against the suite's contract. Errors are returned as findings; each warning is emitted once.
    func contractFindings(_ content: ResponseContent, for step: SuiteStep) -> [Finding] {
        guard let contract = runner.contracts.contract(ofSuite: sequence.suiteIndex) else { return [] }
        let expected = step.expectations.extras?.contract
        let checker = ExpectationChecker()
        let verdict = checker.check(
            contract.checker { suite.baseURL }, settings: contract.settings, expected, content: content,
            scope: scope.view(.step), context: scope.context)
        guard let verdict else { return [] }
        contract.tally.record(verdict.outcome)
        for warning in verdict.warnings where runner.contracts.isNew(warning) {
            let location = warning.locationText.map { ", \($0)" } ?? ""
            let suggestion = warning.suggestion.map { "; \($0)" } ?? ""
            runner.owner.warn(
                RunNotice(
                    id: warning.rule.rawValue, severity: .warning, suite: sequence.suiteIndex,
                    message: "contract: \(warning.sentence)\(suggestion)\(location)"))
        }
        return verdict.findings
    }
}
