import Diagnostics
import Histogram
import RunModel
import SuiteModel
import Synchronization

/// A finished exchange, as the environment of its test learns of it.
struct ExchangeSample {
    /// The step that made it.
    var step: LoadStepKey
    /// The exchange.
    var exchange: Exchange
    /// The start and the end, by the clock of the run.
    var (sent, received): (Int64, Int64)
    /// The first finding; nil if all expectations were met.
    var finding: Finding?
    /// Whether the session has removed the content codings of the response.
    var isDecoded: Bool

    /// Returns the exchange in the form in which reports receive it.
    ///
    /// - Parameter start: The start of the load, by the clock of the run.
    fileprivate func reported(since start: Int64) -> Exchange {
        var exchange = exchange
        exchange.keep(from: sent - start)
        let recording = ReportedExchange(exchange, isDecoded: isDecoded)
        return recording.isWhole ? exchange : recording.exchange
    }
}

/// The identity of a step in all iterations and rows.
struct LoadStepKey: Hashable {
    /// The index of the test in its suite.
    var test: Int
    /// The names of the fragments that were called.
    var path: String
    /// The start of the step in its file.
    var position: SourcePosition
    /// The name of the step; nil for a test that is a single exchange.
    var name: String?

    static func == (left: LoadStepKey, right: LoadStepKey) -> Bool {
        left.position == right.position && left.test == right.test && left.path == right.path
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(test)
        hasher.combine(position.line)
        hasher.combine(position.column)
    }
}

/// The figures of the iterations on one event loop.
///
/// Each loop has its own recorder, so loops do not wait for each other. Once a second, the figures of that second are
/// taken out of all of them.
final class LoadRecorder: Sendable {
    /// The maximum number of different causes of failures.
    static let maximumCauses = 50
    /// The number of slowest requests that are kept.
    static let slowest = 10

    /// Everything recorded since the start, except the warm-up.
    struct Figures {
        var steps: [LoadStepKey: LoadStatistics] = [:]
        var (iterations, failedIterations) = (0, 0)
        var iterationDurations = Histogram.ofLatencies
        var lateness = Histogram.ofLatencies
        var causes: [CauseKey: Cause] = [:]
        /// The number of failures whose cause is not kept.
        var otherFailures = 0
        var slowest: [Slow] = []
    }

    /// Failures of one step with the same message have one cause.
    struct CauseKey: Hashable {
        var step: LoadStepKey
        var message: String
    }

    /// The failures with one cause.
    struct Cause {
        var finding: Finding
        var count: Int
        /// The exchange of the first failure.
        var exchange: Exchange
    }

    /// One of the slowest requests.
    struct Slow {
        var step: LoadStepKey
        var response: Int64
        /// The end of the response, in nanoseconds since the start of the load.
        var time: Int64
        var exchange: Exchange
    }

    /// The figures of the current second.
    struct Interval {
        var statistics = LoadStatistics()
        var started = 0
    }

    private struct State {
        var figures = Figures()
        var interval = Interval()
        var inFlight = 0
    }

    private let state = Mutex(State())
    /// The start of the load, by the clock of the run.
    private let start: Int64

    /// Creates a recorder without figures.
    init(start: Int64) {
        self.start = start
    }

    /// Records the start of an iteration.
    ///
    /// - Parameter lateness: The time since the intended start, in nanoseconds; nil during the warm-up.
    func begin(lateness: Int64?) {
        state.withLock { state in
            state.inFlight += 1
            state.interval.started += 1
            if let lateness { state.figures.lateness.record(lateness) }
        }
    }

    /// Records a finished exchange.
    ///
    /// - Parameters:
    ///   - intended: The intended start of the exchange, by the clock of the run.
    ///   - isMeasured: Whether the iteration started after the warm-up.
    func record(_ sample: ExchangeSample, intended: Int64, isMeasured: Bool) {
        let response = sample.received - intended
        let service = sample.received - sample.sent
        let isFailed = sample.finding != nil
        state.withLock { state in
            state.interval.statistics.record(response: response, service: service, isFailed: isFailed)
            guard isMeasured else { return }
            state.figures.steps[sample.step, default: LoadStatistics()].record(
                response: response, service: service, isFailed: isFailed)
            if let finding = sample.finding { state.figures.add(finding, of: sample, since: start) }
            state.figures.addIfSlow(sample, response: response, since: start)
        }
    }

    /// Records the end of an iteration.
    ///
    /// - Parameters:
    ///   - duration: The time since the intended start, in nanoseconds.
    ///   - isMeasured: Whether the iteration started after the warm-up.
    func end(duration: Int64, isFailed: Bool, isMeasured: Bool) {
        state.withLock { state in
            state.inFlight -= 1
            guard isMeasured else { return }
            state.figures.iterations += 1
            if isFailed { state.figures.failedIterations += 1 }
            state.figures.iterationDurations.record(duration)
        }
    }

    /// Returns and clears the figures of the current second, and the number of iterations in flight.
    func takeInterval() -> (interval: Interval, inFlight: Int) {
        state.withLock { state in
            defer { state.interval = Interval() }
            return (state.interval, state.inFlight)
        }
    }

    /// The number of iterations in flight.
    var inFlight: Int { state.withLock { $0.inFlight } }

    /// Everything recorded so far.
    var figures: Figures { state.withLock { $0.figures } }
}

extension LoadRecorder.Figures {
    /// Adds a failure to its cause.
    fileprivate mutating func add(_ finding: Finding, of sample: ExchangeSample, since start: Int64) {
        let key = LoadRecorder.CauseKey(step: sample.step, message: finding.message)
        if causes[key] != nil {
            causes[key]?.count += 1
        } else if causes.count < LoadRecorder.maximumCauses {
            causes[key] = LoadRecorder.Cause(finding: finding, count: 1, exchange: sample.reported(since: start))
        } else {
            otherFailures += 1
        }
    }

    /// Keeps an exchange if it is one of the slowest.
    fileprivate mutating func addIfSlow(_ sample: ExchangeSample, response: Int64, since start: Int64) {
        if slowest.count == LoadRecorder.slowest {
            guard let last = slowest.last, response > last.response else { return }
            slowest.removeLast()
        }
        let index = slowest.firstIndex { $0.response < response } ?? slowest.endIndex
        slowest.insert(
            LoadRecorder.Slow(
                step: sample.step, response: response, time: sample.received - start,
                exchange: sample.reported(since: start)),
            at: index)
    }

    /// Adds the figures of another event loop.
    mutating func merge(_ other: LoadRecorder.Figures) throws(HistogramMergeError) {
        for (step, statistics) in other.steps {
            try steps[step, default: LoadStatistics()].merge(statistics)
        }
        iterations += other.iterations
        failedIterations += other.failedIterations
        try iterationDurations.merge(other.iterationDurations)
        try lateness.merge(other.lateness)
        for (key, cause) in other.causes {
            if causes[key] != nil { causes[key]?.count += cause.count } else { causes[key] = cause }
        }
        otherFailures += other.otherFailures
        slowest = Array((slowest + other.slowest).sorted { $0.response > $1.response }.prefix(LoadRecorder.slowest))
    }
}
