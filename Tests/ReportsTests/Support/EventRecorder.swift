import Reports
import RunModel
import Synchronization

@testable import Output

/// A reporter that records its events and can fail to finish.
final class EventRecorder: Reporter {
    private let received = Mutex<[RunEvent]>([])
    private let calls = Mutex((expects: false, commits: 0))
    private let failure: ReportError?

    let needs: ReporterNeeds
    let testEvents: TestEvents

    init(
        failure: ReportError? = nil, needs: ReporterNeeds = [],
        testEvents: TestEvents = [.started, .completed, .finished]
    ) {
        self.failure = failure
        self.needs = needs
        self.testEvents = testEvents
    }

    var events: [RunEvent] { received.withLock { $0 } }

    /// Everything in the events, as text.
    var dump: String {
        var text = ""
        for event in events { Swift.dump(event, to: &text) }
        return text
    }

    func receive(_ event: RunEvent) { received.withLock { $0.append(event) } }

    func expectCommits() { calls.withLock { $0.expects = true } }

    func commit() { calls.withLock { $0.commits += 1 } }

    /// Whether commits were announced to the reporter.
    var expectsCommits: Bool { calls.withLock { $0.expects } }

    /// The number of commits.
    var commits: Int { calls.withLock { $0.commits } }

    func finish() throws(ReportError) {
        if let failure { throw failure }
    }
}
