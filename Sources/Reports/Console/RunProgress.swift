import Diagnostics
import SuiteModel

/// How far a run is.
struct RunProgress {
    private struct TestKey: Hashable {
        var suite: Int
        var position: Int
    }

    private var total = 0
    private var done = 0
    private var failed = 0
    /// The tests that run, with their names.
    private var running: [TestKey: String] = [:]

    mutating func begin(total: Int) {
        self.total = total
    }

    mutating func started(_ test: TestReference) {
        running[TestKey(suite: test.suite, position: test.position)] = test.name
    }

    mutating func completed(_ result: TestResult) {
        running[TestKey(suite: result.test.suite, position: result.test.position)] = nil
        // Setup and teardown are not tests.
        if result.test.kind == .test { done += 1 }
        if result.outcome.isFailure { failed += 1 }
    }

    /// The text, such as `12 of 500 tests, 1 failed, 16 running, 7 s`; the last test that runs is named.
    ///
    /// - Parameter elapsed: Nanoseconds since the run's start.
    func text(elapsed: Int64) -> String {
        var text = "\(done) of \(NumberText.count(max(total, done), "test"))"
        if failed > 0 { text += ", \(failed) failed" }
        if running.count > 1 { text += ", \(running.count) running" }
        text += ", " + DurationText.wholeSeconds(elapsed)
        if running.count == 1, let name = running.first?.value { text += ", running: " + DisplayWidth.printable(name) }
        return text
    }
}
