public import OpenAPI
public import SuiteModel

extension ExpectationChecker {
    /// Holds an exchange against a suite's contract.
    ///
    /// - Parameters:
    ///   - expected: What the step says about it.
    ///   - settings: What the suite looks at, and how grave it is.
    ///   - content: The exchange with what was already derived from its body.
    /// - Returns: What is different; nil where the step says that the exchange is not to be looked at.
    public func check(
        _ contract: ContractChecker, settings: ContractSettings, _ expected: ContractExpectation?,
        content: ResponseContent
    ) -> ContractVerdict? {
        if expected?.isOff == true { return nil }
        var verdict = ContractVerdict()
        var operation: Int?
        if let name = expected?.operation {
            operation = contract.contract.operation(named: name)
            // Only of a fragment this was not known before anything was sent.
            guard operation != nil else {
                verdict.findings.append(
                    Finding(
                        kind: .error, subject: "contract", type: "unknown-operation",
                        message: "the contract has no operation \"\(name)\"", range: expected?.range))
                return verdict
            }
        }
        verdict.outcome = contract.check(
            ContentTraffic(content), settings: expected?.applied(to: settings), operation: operation)
        for finding in verdict.outcome.findings {
            if finding.isError {
                verdict.findings.append(Self.finding(finding))
            } else {
                verdict.warnings.append(finding)
            }
        }
        return verdict
    }

    private static func finding(_ finding: ContractFinding) -> Finding {
        Finding(
            subject: "contract \(finding.rule.rawValue)", type: finding.rule.rawValue, message: finding.sentence,
            expected: finding.expected, actual: finding.actual, details: finding.notes)
    }
}

extension ContractFinding {
    /// The operation, the place in the exchange, and what is different there.
    public var sentence: String {
        // What has no operation names the request in its message, and there the place says nothing.
        guard let operation else { return message }
        return subject == "request" ? "\(operation): \(message)" : "\(operation): \(subject): \(message)"
    }

    /// The place in the description, and what to do.
    public var notes: [String] {
        (placeText.map { ["described at \($0)"] } ?? []) + (suggestion.map { [$0] } ?? [])
    }
}
