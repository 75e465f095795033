import CEL
import HTTPSession
import Histogram
import RunModel
import SuiteModel
import Synchronization

/// The figures of a running load, taken together from the recorders of all event loops.
final class LoadFigures: Sendable {
    private let profile: LoadProfile
    private let plan: TestPlan
    private let recorders: [LoadRecorder]
    /// The start of the load, by the clock of the run.
    let start: Int64
    /// The end of the last second.
    private let last: Mutex<Int64>

    /// Creates the figures of a load that starts.
    init(profile: LoadProfile, plan: TestPlan, recorders: [LoadRecorder], start: Int64) {
        self.profile = profile
        self.plan = plan
        self.recorders = recorders
        self.start = start
        last = Mutex(start)
    }

    /// Returns the figures since the last call; nil if no time has passed.
    func second(at time: Int64) -> LoadSecond? {
        let duration = last.withLock { last in
            defer { last = time }
            return time - last
        }
        guard duration > 0 else { return nil }
        var second = LoadSecond(time: time - start, duration: duration)
        // The middle, because a second ends slightly late.
        second.isWarmup = time - start - duration / 2 < profile.warmup
        for recorder in recorders {
            let (interval, inFlight) = recorder.takeInterval()
            // All histograms have the default configuration, so merging them does not fail.
            try? second.statistics.merge(interval.statistics)
            second.started += interval.started
            second.inFlight += inFlight
        }
        return second
    }

    /// The figures of each step so far, and the number of iterations in flight.
    var progress: LoadProgress {
        var figures = LoadRecorder.Figures()
        for recorder in recorders { try? figures.merge(recorder.figures) }
        return LoadProgress(
            profile: profile.name, inFlight: recorders.reduce(0) { $0 + $1.inFlight }, steps: steps(of: figures))
    }

    /// Returns the result so far.
    ///
    /// - Parameter time: The end of the measurement, by the clock of the run.
    func summary(at time: Int64) -> LoadSummary {
        var figures = LoadRecorder.Figures()
        for recorder in recorders { try? figures.merge(recorder.figures) }
        var summary = LoadSummary(of: profile, in: plan)
        summary.duration = max(0, time - start - profile.warmup)
        summary.iterations = figures.iterations
        summary.failedIterations = figures.failedIterations
        summary.iterationDurations = figures.iterationDurations
        summary.lateness = figures.lateness
        summary.steps = steps(of: figures)
        for step in summary.steps { try? summary.total.merge(step.statistics) }
        summary.causes = figures.causes.sorted { $0.value.count > $1.value.count }.map { key, cause in
            LoadSummary.Cause(
                finding: cause.finding, step: stepName(key.step), count: cause.count, exchange: cause.exchange)
        }
        summary.otherFailures = figures.otherFailures
        summary.slowest = figures.slowest.map { slow in
            LoadSummary.SlowRequest(
                step: stepName(slow.step), response: slow.response, time: slow.time, exchange: slow.exchange)
        }
        return summary
    }

    /// Returns the figures of each step, in the order of the suite.
    private func steps(of figures: LoadRecorder.Figures) -> [LoadSummary.Step] {
        figures.steps.sorted { $0.key.isBefore($1.key) }.map { key, statistics in
            var step = LoadSummary.Step(test: name(of: key), step: key.name)
            step.statistics = statistics
            return step
        }
    }

    private func name(of key: LoadStepKey) -> String { plan.suites[0].tests[key.test].name }

    private func stepName(_ key: LoadStepKey) -> String {
        LoadSummary.Step(test: name(of: key), step: key.name).name
    }
}

extension LoadStepKey {
    /// Returns whether a step comes before another in the suite.
    fileprivate func isBefore(_ other: LoadStepKey) -> Bool {
        (test, position, path) < (other.test, other.position, other.path)
    }
}

extension LoadSummary {
    /// Creates the result of a load without requests.
    init(of profile: LoadProfile, in plan: TestPlan) {
        self.init(profile: profile.name, load: profile.text, range: profile.range ?? plan.suites[0].range)
        thresholds = profile.thresholds.map(Condition.init)
        abort = profile.abort.map(Condition.init)
    }
}

extension LoadSummary.Condition {
    fileprivate init(_ expression: EmbeddedExpression) {
        self.init(source: expression.expression.source, range: expression.range)
    }
}

extension LoadProfile {
    /// The load as a text: `200/s for 30s`, `50 users, 3 stages`.
    var text: String {
        var text =
            switch model {
            case .rate(let rate): "\(Self.number(rate))/s"
            case .users(let users): "\(users) \(users == 1 ? "user" : "users")"
            case nil: ""
            }
        if !stages.isEmpty { text += ", \(stages.count) \(stages.count == 1 ? "stage" : "stages")" }
        if let totalDuration { text += " for \(NanosecondsText.compact(totalDuration))" }
        return text
    }

    private static func number(_ rate: Double) -> String {
        rate == rate.rounded() && rate < 1e15 ? String(Int(rate)) : String(rate)
    }
}

/// The captures of the setup, for the teardown.
final class SetupEnvironment: TestEnvironment {
    private let captures = Mutex<[Int: TestCaptures]>([:])

    /// Keeps the captures of a test.
    func set(_ value: TestCaptures?, of index: Int) {
        captures.withLock { $0[index] = value }
    }

    func captures(of index: Int) -> TestCaptures? { captures.withLock { $0[index] } }

    func list(of name: String, from tests: Range<Int>) -> CELValue { .list(CELList([CELValue]())) }
}
