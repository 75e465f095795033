import Diagnostics
import SuiteModel

/// The place of the finding that says most about a failed test.
struct FailurePlace {
    /// The finding.
    let finding: Finding
    /// The place: in the suite, also where the finding is in a fragment's file.
    let range: SourceRange?

    /// Looks for the place; nil for a test without findings.
    init?(of result: TestResult) {
        let failed = result.steps.first { $0.outcome.isFailure && !$0.findings.isEmpty }
        guard let step = failed ?? result.steps.first(where: { !$0.findings.isEmpty }),
            let finding = FailureCause.firstFinding(of: step)
        else { return nil }
        self.finding = finding
        // What led to a fragment's step is in the suite.
        range = step.calls.last ?? finding.range
    }

    /// The number of the line, from 1.
    var line: Int? { range.map { Int($0.start.line) } }
}
