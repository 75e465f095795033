import Diagnostics
import RunModel
import Synchronization

/// The end of a test's time, and what the test is doing until then.
final class TestDeadline: Sendable {
    /// What a step waits for.
    enum Activity: Sendable {
        /// Its `delay`.
        case delay
        /// An answer.
        case answer
        /// The time for a retry.
        case retry
        /// The time for the next poll, after so many.
        case poll(Int)
        /// The end of a check, of the subject that a finding names.
        case check(Finding.Subject)
    }

    private struct State {
        var hasExpired = false
        var stepStart: Int64
        var activity = Activity.answer
    }

    private let limit: Int64
    private let clock: RunClock
    private let state: Mutex<State>

    /// Creates the deadline of a test that begins now.
    ///
    /// - Parameter limit: how long the test may take, in nanoseconds.
    init(limit: Int64, clock: RunClock) {
        self.limit = limit
        self.clock = clock
        state = Mutex(State(stepStart: clock.now()))
    }

    /// Whether the time is up.
    var hasExpired: Bool { state.withLock { $0.hasExpired } }

    /// Waits for the end of the time, unless the task is cancelled before.
    func wait() async {
        do {
            try await clock.sleep(limit)
            state.withLock { $0.hasExpired = true }
        } catch {
            return
        }
    }

    /// Notes that a step begins.
    func beginStep() {
        let now = clock.now()
        state.withLock {
            $0.stepStart = now
            $0.activity = .answer
        }
    }

    /// Notes what the step is going to wait for.
    func note(_ activity: Activity) {
        state.withLock { $0.activity = activity }
    }

    /// What is said of the step that the end of the time has cut off.
    func finding(range: SourceRange?) -> Finding {
        let (start, activity) = state.withLock { ($0.stepStart, $0.activity) }
        let time = NanosecondsText.duration(clock.now() - start)
        let what =
            switch activity {
            case .delay: "waited for its delay"
            case .answer: "waited for an answer"
            case .retry: "waited to be tried again"
            case .check(let subject): "checked \(subject)"
            case .poll(let count): "waited to poll again, after \(count) \(count == 1 ? "poll" : "polls")"
            }
        return finding("this step \(what), \(time) after it had begun", range: range)
    }

    /// What is said of a step that there was no time for.
    func findingBeforeStep(range: SourceRange?) -> Finding {
        var finding = finding("", range: range)
        finding.message = "\(name) was over before this step"
        return finding
    }

    /// What is said of a test whose time has ended between two attempts.
    func findingBetweenAttempts(range: SourceRange?) -> Finding {
        finding("the test waited to be tried again", range: range)
    }

    private var name: String { "the test's timeout of \(NanosecondsText.compact(limit))" }

    private func finding(_ what: String, range: SourceRange?) -> Finding {
        Finding(
            kind: .error, subject: .timeout, type: .timeout, message: "\(name) was reached while \(what)",
            range: range)
    }
}
