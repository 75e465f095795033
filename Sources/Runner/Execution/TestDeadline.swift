import Basics
import Diagnostics
import RunModel
import Synchronization

/// The deadline of a test or a step, and the activity to report when it expires.
final class TestDeadline: Sendable {
    /// An activity that a step may be waiting for.
    enum Activity: Sendable {
        /// The `delay` of the step.
        case delay
        /// A response.
        case answer
        /// The end of a program.
        case command
        /// The wait before a retry.
        case retry
        /// The wait before the next poll, after the given number of polls.
        case poll(Int)
        /// A check of the given subject.
        case check(Finding.Subject)
    }

    private struct State {
        var hasExpired = false
        var stepStart: Int64
        var activity = Activity.answer
        /// The time by which the deadline is later than the limit, as far as nothing has waited for it yet.
        var extra: Int64 = 0
    }

    /// The owner of a deadline, as messages name it.
    enum Owner: String, Sendable {
        case test, step
    }

    private let limit: Int64
    private let owner: Owner
    /// The deadline of the test or the group that contains the step.
    private let enclosing: TestDeadline?
    private let clock: RunClock
    private let state: Mutex<State>

    /// Creates the deadline of a test or a step that starts now.
    ///
    /// - Parameters:
    ///   - limit: The maximum duration, in nanoseconds.
    ///   - owner: The kind of the limited work.
    ///   - enclosing: The deadline of the work that contains the limited work, if it has one.
    init(limit: Int64, of owner: Owner = .test, within enclosing: TestDeadline? = nil, clock: RunClock) {
        self.limit = limit
        self.owner = owner
        self.enclosing = enclosing
        self.clock = clock
        state = Mutex(State(stepStart: clock.now()))
    }

    /// Whether this deadline or an enclosing one has expired.
    var hasExpired: Bool { enclosing?.hasExpired == true || hasExpiredItself }

    private var hasExpiredItself: Bool { state.withLock { $0.hasExpired } }

    /// Waits until the deadline expires or the task is cancelled.
    private func wait() async {
        var left = limit
        do {
            repeat {
                try await clock.sleep(left)
                left = state.withLock { state in
                    if state.extra == 0 { state.hasExpired = true }
                    defer { state.extra = 0 }
                    return state.extra
                }
            } while left > 0
        } catch {
            return
        }
    }

    /// Moves the deadline by a time that the program has spent waiting for its own sake, in nanoseconds.
    func extend(by time: Int64) {
        state.withLock { $0.extra += time }
        enclosing?.extend(by: time)
    }

    /// Runs work until it ends or the deadline expires, which cancels the work.
    ///
    /// - Returns: The result of the work, also if it was cancelled.
    // Inlined, the task group would be part of the frame of every test without a time limit.
    @inline(never)
    nonisolated(nonsending) func limit<Result: Sendable>(_ work: @escaping @Sendable () async -> Result) async
        -> Result?
    {
        await withTaskGroup(of: Result?.self) { group in
            group.addTask {
                await self.wait()
                return nil
            }
            group.addTask { await work() }
            // The work and the deadline race; the first to finish cancels the other.
            var result: Result?
            while let part = await group.next() {
                group.cancelAll()
                result = part ?? result
            }
            return result
        }
    }

    /// Records the start of a step.
    func beginStep() {
        let now = clock.now()
        state.withLock {
            $0.stepStart = now
            $0.activity = .answer
        }
        enclosing?.beginStep()
    }

    /// Records the activity that the step is about to wait for.
    func note(_ activity: Activity) {
        state.withLock { $0.activity = activity }
        enclosing?.note(activity)
    }

    /// Returns the finding for a step that the deadline has cut off.
    func finding(range: SourceRange?) -> Finding {
        if let enclosing, enclosing.hasExpired { return enclosing.finding(range: range) }
        let (start, activity) = state.withLock { ($0.stepStart, $0.activity) }
        let time = NanosecondsText.duration(clock.now() - start)
        let what =
            switch activity {
            case .delay: "waiting for its delay"
            case .answer: "waiting for a response"
            case .command: "running its command"
            case .retry: "waiting to be retried"
            case .check(let subject): "checking \(subject)"
            case .poll(let count): "waiting to poll again after \(count) \(count == 1 ? "poll" : "polls")"
            }
        return finding("this step was \(what), \(time) after it started", range: range)
    }

    /// Returns the finding for a step that could not start before the deadline.
    func findingBeforeStep(range: SourceRange?) -> Finding {
        if let enclosing, enclosing.hasExpired { return enclosing.findingBeforeStep(range: range) }
        var finding = finding("", range: range)
        finding.wording = "\(name) expired before this step"
        return finding
    }

    /// Returns the finding for a test whose deadline expired between two attempts.
    func findingBetweenAttempts(range: SourceRange?) -> Finding {
        finding("the test was waiting to be retried", range: range)
    }

    private var name: String { "the \(owner.rawValue)'s timeout of \(NanosecondsText.compact(limit))" }

    private func finding(_ what: String, range: SourceRange?) -> Finding {
        Finding(
            kind: .error, subject: .timeout, type: .timeout, message: "\(name) expired while \(what)",
            range: range)
    }
}
