public import Diagnostics
public import Histogram

/// The numbers and latencies of requests.
public struct LoadStatistics: Sendable {
    /// The number of finished requests.
    public var requests = 0
    /// The number of requests without a response, or with a failed expectation.
    public var failed = 0
    /// The time from the intended start of each request to the end of its response, in nanoseconds.
    ///
    /// It includes the time that the request had to wait because the generator was late. The figures of a load are
    /// percentiles of these times.
    public var response = Histogram.ofLatencies
    /// The time from the actual start of each request to the end of its response, in nanoseconds.
    public var service = Histogram.ofLatencies

    /// Creates empty statistics.
    public init() {}

    /// Adds a request.
    public mutating func record(response: Int64, service: Int64, isFailed: Bool) {
        requests += 1
        if isFailed { failed += 1 }
        self.response.record(response)
        self.service.record(service)
    }

    /// Adds the requests of other statistics, as if one process had counted all.
    ///
    /// - Throws: ``HistogramMergeError`` if the histograms of the other statistics have another configuration.
    public mutating func merge(_ other: LoadStatistics) throws(HistogramMergeError) {
        try response.merge(other.response)
        try service.merge(other.service)
        requests += other.requests
        failed += other.failed
    }
}

/// The figures of one second of a load.
public struct LoadSecond: Sendable {
    /// The end of the second, in nanoseconds since the start of the load.
    public var time: Int64
    /// The duration, in nanoseconds; the last second may be shorter.
    public var duration: Int64
    /// The requests that ended in this second.
    public var statistics = LoadStatistics()
    /// The number of iterations that started in this second.
    public var started = 0
    /// The number of iterations in flight at the end.
    public var inFlight = 0
    /// Whether the second belongs to the warm-up, whose requests count in no other figure.
    public var isWarmup = false

    /// Creates the figures of a second without requests.
    public init(time: Int64, duration: Int64) {
        self.time = time
        self.duration = duration
    }

    /// The number of requests per second.
    public var rate: Double { duration > 0 ? Double(statistics.requests) / (Double(duration) / 1e9) : 0 }
}

/// The figures of a running load so far.
public struct LoadProgress: Sendable {
    /// The name of the profile.
    public var profile: String
    /// The number of iterations in flight.
    public var inFlight: Int
    /// The figures of each step since the end of the warm-up, in the order of the suite.
    public var steps: [LoadSummary.Step]

    /// Creates figures.
    public init(profile: String, inFlight: Int, steps: [LoadSummary.Step]) {
        self.profile = profile
        self.inFlight = inFlight
        self.steps = steps
    }
}

/// The result of a load.
public struct LoadSummary: Sendable {
    /// The figures of one step.
    public struct Step: Sendable {
        /// The name of the test that contains the step.
        public var test: String
        /// The name of the step; nil for a test that is a single exchange.
        public var step: String?
        /// The figures of its requests.
        public var statistics = LoadStatistics()

        /// Creates the figures of a step without requests.
        public init(test: String, step: String? = nil) {
            self.test = test
            self.step = step
        }

        /// The name in reports: `checkout › pay`.
        public var name: String { step.map { "\(test) › \($0)" } ?? test }
    }

    /// A reason for which requests failed.
    public struct Cause: Sendable {
        /// The first finding of the first request that failed for this reason.
        public var finding: Finding
        /// The name of the step.
        public var step: String
        /// The number of requests.
        public var count: Int
        /// The exchange of the first of these requests.
        public var exchange: Exchange?

        /// Creates a cause.
        public init(finding: Finding, step: String, count: Int, exchange: Exchange?) {
            self.finding = finding
            self.step = step
            self.count = count
            self.exchange = exchange
        }
    }

    /// One of the slowest requests.
    public struct SlowRequest: Sendable {
        /// The name of the step.
        public var step: String
        /// The time from the intended start of the request to the end of the response, in nanoseconds.
        public var response: Int64
        /// The end of the response, in nanoseconds since the start of the load.
        public var time: Int64
        /// The exchange.
        public var exchange: Exchange

        /// Creates a request.
        public init(step: String, response: Int64, time: Int64, exchange: Exchange) {
            self.step = step
            self.response = response
            self.time = time
            self.exchange = exchange
        }
    }

    /// A condition that the suite sets for the figures.
    public struct Condition: Sendable {
        /// The source of the CEL expression.
        public var source: String
        /// The source range of the expression.
        public var range: SourceRange

        /// Creates a condition.
        public init(source: String, range: SourceRange) {
            self.source = source
            self.range = range
        }
    }

    /// A reason for which the figures do not describe the server.
    public enum Invalidity: Sendable, Hashable {
        /// The generator started iterations late: the 99th percentiles of its lateness and of the response times, in
        /// nanoseconds.
        case late(p99: Int64, response: Int64)
        /// The generator had too little processor time: the used part of its event loops.
        case busy(share: Double)
        /// No request was measured.
        case empty
    }

    /// The index of the suite in the run, from 0.
    public var suite = 0
    /// The name of the profile.
    public var profile: String
    /// The load as written: `200/s for 5m`.
    public var load: String
    /// The source range of the profile's name, or of the suite if the profile is from the command line.
    public var range: SourceRange
    /// The start of the load, in seconds since 1970-01-01T00:00:00Z.
    public var startTime: Double = 0
    /// The duration of the measured part, in nanoseconds.
    public var duration: Int64 = 0
    /// The number of iterations that were measured, and of those that failed.
    public var (iterations, failedIterations) = (0, 0)
    /// The figures of all requests.
    public var total = LoadStatistics()
    /// The figures of each step, in the order of the suite.
    public var steps: [Step] = []
    /// The durations of the iterations, from their intended start, in nanoseconds.
    public var iterationDurations = Histogram.ofLatencies
    /// The time by which the generator started iterations later than intended, in nanoseconds.
    public var lateness = Histogram.ofLatencies
    /// The processor time of the program during the load, in nanoseconds.
    public var processorTime: Int64 = 0
    /// The number of event loops that generated the load.
    public var loops = 1
    /// The reasons for failures, the most frequent first.
    public var causes: [Cause] = []
    /// The number of failures whose reason is not among ``causes``, because there were too many different ones.
    public var otherFailures = 0
    /// The slowest requests, the slowest first.
    public var slowest: [SlowRequest] = []
    /// The reasons for which the figures do not describe the server.
    public var invalidities: [Invalidity] = []
    /// The conditions that the figures have to meet.
    public var thresholds: [Condition] = []
    /// The condition that ends the load early.
    public var abort: Condition?
    /// Whether the load ended before its time, because of ``abort`` or a signal.
    public var isCutShort = false
    /// Whether ``abort`` ended the load.
    public var isAborted = false

    /// Creates the result of a load without requests.
    public init(profile: String, load: String, range: SourceRange) {
        self.profile = profile
        self.load = load
        self.range = range
    }

    /// The number of cases of the thresholds. Without thresholds, a case says that no request failed.
    public var thresholdCount: Int { max(1, thresholds.count) }

    /// The number of requests per second.
    public var rate: Double { duration > 0 ? Double(total.requests) / (Double(duration) / 1e9) : 0 }
}

extension Histogram {
    /// An empty histogram of latencies in nanoseconds, up to an hour, with three significant digits.
    ///
    /// It starts at a nanosecond, because the first part of a histogram has no finer resolution than the lowest value: with
    /// a microsecond, a latency of 200 µs would be off by 0.25%.
    public static var ofLatencies: Histogram { Histogram(lowestDiscernibleValue: 1) }
}
