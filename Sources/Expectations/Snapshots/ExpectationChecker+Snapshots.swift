public import CEL
public import SuiteModel

extension ExpectationChecker {
    /// Makes the snapshot of a response.
    ///
    /// - Parameters:
    ///   - content: The exchange with what was already derived from its body.
    ///   - scope: The variables of the suite, which matchers of redacted parts may use.
    ///   - baseURL: The suite's base URL, for which a placeholder stands.
    ///   - mask: What masks secrets; nil when there are none.
    /// - Returns: The snapshot, and what does not hold of the redacted parts.
    public func snapshot(
        _ expectation: SnapshotExpectation, content: ResponseContent, scope: any CELScope, context: CELContext,
        baseURL: String?, mask: SnapshotMask?
    ) -> (snapshot: Snapshot, findings: [Finding]) {
        let evaluator = MatcherEvaluator(
            scope: ExchangeScope(content, parent: scope, precedence: .parent), context: context)
        var renderer = SnapshotRenderer(
            expectation, content: content, evaluator: evaluator, baseURL: baseURL, mask: mask)
        return renderer.render()
    }
}
