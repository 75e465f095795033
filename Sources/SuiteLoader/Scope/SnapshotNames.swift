import Basics
import Diagnostics
import SuiteModel

/// Checks that no two snapshots of a suite use the same file, as far as their names are known before the run.
struct SnapshotNames {
    private let context: LoadContext
    private var locations: [String: SourceRange] = [:]

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Checks the snapshots of a suite's tests.
    mutating func check(_ suite: Suite) {
        var isFirst = true
        // Accesses tests and steps by index, because iterating would copy each of them as a whole.
        for test in suite.tests.indices {
            for index in suite.tests[test].steps.indices {
                if let until = suite.tests[test].steps[index].flow?.until { refuse(until) }
                guard let snapshot = suite.tests[test].steps[index].expectations.extras?.snapshot else {
                    continue
                }
                let step = suite.tests[test].steps[index]
                // The names of iterations are not known before they are rendered.
                let isRepeated =
                    step.flow?.isLoop == true
                    || suite.tests[test].steps.hasGroup(around: index) { $0.flow?.isLoop == true }
                if isFirst { context.checkSnapshotDirectory(of: suite, snapshot.range) }
                isFirst = false
                if step.webSocket != nil {
                    context.report(
                        "invalid-snapshot", "snapshots apply to responses, but a WebSocket receives messages",
                        snapshot.range,
                        suggestion: "write expectations under \"receive\"; \"snapshot: false\" removes a default")
                    continue
                }
                if !isRepeated { check(snapshot, of: step, in: suite.tests[test]) }
            }
        }
    }

    private mutating func check(_ snapshot: SnapshotExpectation, of step: SuiteStep, in test: SuiteTest) {
        let stem = SnapshotName.stem(
            given: snapshot.name, test: test.name, step: test.hasSteps ? step.name ?? step.requestLine : nil)
        let range = snapshot.name != nil ? snapshot.range : test.hasSteps ? step.range : test.range
        // Names that differ only in letter case are the same file on some file systems.
        guard let other = locations.updateValue(range, forKey: stem.lowercased()) else { return }
        context.report(
            "duplicate-snapshot", "duplicate snapshot file \"\(stem)\"", range,
            related: [Diagnostic.Related(message: "the other one is here", range: other)],
            suggestion: snapshot.name == nil
                ? "give one of them a different name: \"snapshot: NAME\"" : "give each of them a different name")
    }

    /// Reports snapshots of polled responses, which are not compared individually.
    private func refuse(_ until: UntilRule) {
        for set in [until.expectations, until.abort] {
            guard let snapshot = set?.extras?.snapshot else { continue }
            context.report(
                "invalid-snapshot", "snapshots apply to the last response of polling, not to every response",
                snapshot.range,
                suggestion: "write it under \"expect\", next to \"until\"")
        }
    }
}

extension SuiteStep {
    /// The request line of the step as written, which is its default name; nil for a call.
    fileprivate var requestLine: String? {
        request.map { "\($0.method) \($0.url.source)" }
    }
}
