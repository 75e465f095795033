import Basics
import CEL
public import Diagnostics
import Expectations
import Histogram
import RunModel
public import SuiteModel

/// The judgment of a load's figures: whether they meet the thresholds, and whether they describe the server at all.
public enum LoadVerdict {
    /// The maximum lateness of the generator, as a share of the response times: both at the 99th percentile.
    private static let maximumLateness = 0.05
    /// The maximum used part of the generator's event loops.
    private static let maximumUse = 0.9

    /// Returns the reasons for which the figures do not describe the server.
    ///
    /// - Parameter elapsed: The duration of the whole load, in nanoseconds.
    static func invalidities(of summary: LoadSummary, elapsed: Int64) -> [LoadSummary.Invalidity] {
        guard let p99 = summary.total.response.value(atPercentile: 99) else { return [.empty] }
        var found: [LoadSummary.Invalidity] = []
        let late = summary.lateness.value(atPercentile: 99) ?? 0
        if Double(late) > maximumLateness * Double(p99) { found.append(.late(p99: late)) }
        let capacity = Double(elapsed) * Double(summary.loops)
        let share = capacity > 0 ? Double(summary.processorTime) / capacity : 0
        if share > maximumUse { found.append(.busy(share: share)) }
        return found
    }

    /// Returns the results of the thresholds, and an error if the figures do not describe the server.
    static func results(of profile: LoadProfile, _ summary: LoadSummary, in plan: TestPlan) -> [TestResult] {
        let scope = LoadScope(summary)
        var results = profile.thresholds.enumerated().map { position, threshold in
            guard var (finding, _) = AssertionCheck.finding(threshold, scope: scope, context: CELContext()) else {
                return result(source(of: threshold), .passed, [], position: position, range: threshold.range)
            }
            finding.subject = "threshold"
            if finding.kind == .failure { finding.type = .init("threshold") }
            return result(
                source(of: threshold), finding.kind == .error ? .errored : .failed, [finding], position: position,
                range: threshold.range)
        }
        let range = profile.range ?? plan.suites[0].range
        if profile.thresholds.isEmpty {
            let count = summary.total.failed
            let finding = Finding(
                subject: "threshold", type: .init("threshold"),
                message: "\(count) of \(summary.total.requests) requests failed", range: range)
            results.append(
                result(
                    "no failed requests", count > 0 ? .failed : .passed, count > 0 ? [finding] : [], position: 0,
                    range: range))
        }
        if !summary.invalidities.isEmpty {
            let findings = summary.invalidities.map { invalidity in
                Finding(
                    kind: .error, subject: "load", type: .init("invalid-load"),
                    message: summary.message(about: invalidity), range: range)
            }
            results.append(
                result("valid figures", .errored, findings, position: results.count, range: range))
        }
        if summary.isCutShort, let abort = profile.abort, isMet(abort, summary) {
            let finding = Finding(
                subject: "abort", type: .init("abort"),
                message: "\(source(of: abort)) became true, which ended the load",
                range: abort.range)
            results.append(result("abort", .failed, [finding], position: results.count, range: abort.range))
        }
        return results
    }

    /// Returns a message about each expression of a profile that cannot be evaluated, such as one with the name of a step
    /// that does not exist.
    ///
    /// It evaluates the expressions with figures of 0 of every step.
    public static func problems(of profile: LoadProfile, in plan: TestPlan) -> [Diagnostic] {
        var summary = LoadSummary(profile: profile.name, load: "")
        summary.steps = steps(of: plan)
        let scope = LoadScope(summary)
        var expressions = profile.thresholds
        if let abort = profile.abort { expressions.append(abort) }
        return expressions.compactMap { (expression: EmbeddedExpression) -> Diagnostic? in
            if let problem = nameProblem(of: expression, scope) { return problem }
            do throws(TemplateError) {
                let value = try expression.value(in: scope, context: CELContext())
                if case .bool = value { return nil }
                return Diagnostic(
                    id: "invalid-threshold", message: "a threshold must be true or false, got \(value.typeName)",
                    range: expression.range, suggestion: "compare the figure, as in \"p99 < duration('300ms')\"")
            } catch {
                return Diagnostic(id: "invalid-threshold", message: error.message, range: error.range)
            }
        }
    }

    /// Returns a message about the first name of an expression that is neither a figure nor a step.
    private static func nameProblem(of expression: EmbeddedExpression, _ scope: LoadScope) -> Diagnostic? {
        for reference in expression.expression.freeIdentifiers where !reference.isTypeName {
            let what: MessageText
            let known: [String]
            if !scope.names.contains(reference.name) {
                (what, known) = ("a load has no figure \"\(reference.name)\"", scope.names)
            } else if reference.name == "step", let name = reference.path.dropFirst().first,
                !scope.steps.contains(name)
            {
                (what, known) = ("the load has no step \"\(name)\"", scope.steps)
            } else {
                continue
            }
            let nearest = Spelling.nearest(to: reference.path.dropFirst().first ?? reference.name, among: known)
            return Diagnostic(
                id: "invalid-threshold", message: what, range: expression.range,
                suggestion: nearest.map { "did you mean \"\($0)\"?" }
                    ?? "choose one of " + known.prefix(12).map { "\"\($0)\"" }.joined(separator: ", "))
        }
        return nil
    }

    /// Returns the steps of a plan's tests that send requests, without those of fragments.
    private static func steps(of plan: TestPlan) -> [LoadSummary.Step] {
        guard let suite = plan.suites.first else { return [] }
        return suite.tests.filter { $0.kind == .test }.flatMap { test -> [LoadSummary.Step] in
            guard test.hasSteps else { return [LoadSummary.Step(test: test.name)] }
            return test.steps.flatMap { step -> [LoadSummary.Step] in
                let name = step.name(in: test)
                guard case .call(let call) = step.action else { return [LoadSummary.Step(test: test.name, step: name)] }
                return call.fragment.steps.map { inner in
                    LoadSummary.Step(test: test.name, step: "\(name) › \(inner.name(in: test))")
                }
            }
        }
    }

    /// Returns whether a condition is true.
    static func isMet(_ condition: EmbeddedExpression, _ summary: LoadSummary) -> Bool {
        if case .bool(true)? = try? condition.value(in: LoadScope(summary), context: CELContext()) { return true }
        return false
    }

    /// Returns the result of a condition as that of a test.
    static func result(
        _ name: String, _ outcome: TestResult.Outcome, _ findings: [Finding], position: Int, range: SourceRange
    ) -> TestResult {
        let reference = TestReference(suite: 0, position: position, name: name, range: range)
        let step = TestResult.Step(name: name, outcome: outcome, findings: findings, range: range)
        return TestResult(test: reference, outcome: outcome, steps: [step])
    }

    private static func source(of expression: EmbeddedExpression) -> String {
        expression.expression.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
