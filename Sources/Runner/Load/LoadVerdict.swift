import Basics
import CEL
public import Diagnostics
import Expectations
import Histogram
public import RunModel
public import SuiteModel

/// The judgment of a load's figures: whether they meet the thresholds, and whether they describe the server at all.
public enum LoadVerdict {
    /// The maximum lateness of the generator, as a share of the response times: both at the 99th percentile.
    private static let maximumLateness = 0.05
    /// The precision of the generator, in nanoseconds. A lateness up to it does not make figures invalid.
    private static let precision: Int64 = 1_000_000
    /// The maximum used part of the generator's event loops.
    private static let maximumUse = 0.9

    /// Returns the reasons for which the figures do not describe the server.
    ///
    /// - Parameter elapsed: The duration of the whole load, in nanoseconds.
    static func invalidities(of summary: LoadSummary, elapsed: Int64) -> [LoadSummary.Invalidity] {
        guard let p99 = summary.total.response.value(atPercentile: 99) else { return [.empty] }
        var found: [LoadSummary.Invalidity] = []
        let late = summary.lateness.value(atPercentile: 99) ?? 0
        if late > precision, Double(late) > maximumLateness * Double(p99) {
            found.append(.late(p99: late, response: p99))
        }
        let capacity = Double(elapsed) * Double(summary.loops)
        let share = capacity > 0 ? Double(summary.processorTime) / capacity : 0
        if share > maximumUse { found.append(.busy(share: share)) }
        return found
    }

    /// Returns the results of the thresholds, and errors if the figures do not describe the server or `abort` was met.
    ///
    /// It needs nothing but the result, so that merged records of shards are judged like the load of one process.
    public static func results(of summary: LoadSummary) -> [TestResult] {
        let scope = LoadScope(summary)
        var results = summary.thresholds.enumerated().map { position, threshold in
            result(of: threshold, scope, position: position)
        }
        if results.isEmpty {
            let count = summary.total.failed
            let finding = Finding(
                subject: "threshold", type: .init("threshold"),
                message: "\(count) of \(summary.total.requests) requests failed", range: summary.range)
            results.append(
                result(
                    "no failed requests", count > 0 ? .failed : .passed, count > 0 ? [finding] : [], position: 0,
                    range: summary.range))
        }
        if !summary.invalidities.isEmpty {
            let findings = summary.invalidities.map { invalidity in
                Finding(
                    kind: .error, subject: "load", type: .invalidLoad, message: invalidity.message,
                    range: summary.range)
            }
            results.append(
                result("valid figures", .errored, findings, position: results.count, range: summary.range))
        }
        if let aborted = abortion(of: summary, position: results.count) { results.append(aborted) }
        return results
    }

    /// Returns the result of `abort` if it ended the load. It is the only result that a shard has of its own.
    static func abortion(of summary: LoadSummary, position: Int = 0) -> TestResult? {
        guard summary.isAborted, let abort = summary.abort else { return nil }
        let finding = Finding(
            subject: "abort", type: .init("abort"), message: "\(line(abort)) became true, which ended the load",
            range: abort.range)
        return result("abort", .failed, [finding], position: position, range: abort.range)
    }

    private static func result(
        of threshold: LoadSummary.Condition, _ scope: LoadScope, position: Int
    ) -> TestResult {
        var finding: Finding?
        do throws(CELSyntaxError) {
            let expression = EmbeddedExpression(try CELExpression(threshold.source), range: threshold.range)
            finding = AssertionCheck.finding(expression, scope: scope, context: CELContext())?.finding
        } catch {
            // A suite is checked before the load. A record can contain any text.
            finding = Finding(
                kind: .error, subject: "threshold", type: .expression,
                message: "\(error.message): \(line(threshold))", range: threshold.range)
        }
        finding?.subject = "threshold"
        if finding?.kind == .failure { finding?.type = .init("threshold") }
        let outcome: TestResult.Outcome =
            switch finding?.kind {
            case nil: .passed
            case .failure: .failed
            case .error: .errored
            }
        return result(
            line(threshold), outcome, finding.map { [$0] } ?? [], position: position, range: threshold.range)
    }

    /// Returns a message about each expression of a profile that cannot be evaluated, such as one with the name of a step
    /// that does not exist.
    ///
    /// It evaluates the expressions with figures of 0 of every step.
    public static func problems(of profile: LoadProfile, in plan: TestPlan) -> [Diagnostic] {
        var summary = LoadSummary(of: profile, in: plan)
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

    /// Returns a condition on one line.
    private static func line(_ condition: LoadSummary.Condition) -> String {
        condition.source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
