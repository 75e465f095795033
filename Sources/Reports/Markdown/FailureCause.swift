import SuiteModel

/// What a test failed of, so that many failures of one cause need not be told one by one.
enum FailureCause {
    /// A text that failures of one cause have in common; nil for a test that did not fail.
    static func key(of result: TestResult) -> String? {
        guard result.outcome.isFailure else { return nil }
        guard let step = result.steps.first(where: \.outcome.isFailure) else { return "" }
        if let cause = RepeatedProblems.commonCause(of: step) { return cause }
        guard let finding = firstFinding(of: step) else { return "" }
        // A message may quote a long value; what differs behind the beginning is the same cause.
        return "\(finding.subject)  \(String(decoding: finding.message.utf8.prefix(200), as: UTF8.self))"
    }

    /// The finding that says most: an error, which tells why the rest could not be checked, before failures.
    static func firstFinding(of step: TestResult.Step) -> Finding? {
        step.findings.first { $0.kind == .error } ?? step.findings.first
    }
}
