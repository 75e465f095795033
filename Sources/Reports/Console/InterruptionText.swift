import SuiteModel

/// The line that says what a signal has stopped.
enum InterruptionText {
    /// The line, such as `stopping 3 tests, then teardown; Ctrl-C again to quit at once`.
    static func text(_ interruption: RunInterruption) -> String {
        let tests = interruption.runningTests
        var steps = tests > 0 ? ["stopping \(NumberText.count(tests, "test"))"] : []
        if interruption.hasTeardown { steps.append(steps.isEmpty ? "running teardown" : "then teardown") }
        if steps.isEmpty { steps.append("stopping") }
        return steps.joined(separator: ", ") + "; Ctrl-C again to quit at once"
    }
}
