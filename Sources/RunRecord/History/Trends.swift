import Synchronization

/// The trends of tests over past runs: tests that fail, were fixed, are flaky, or have become slower.
public struct Trends: Sendable {
    /// A test with its statistics.
    public struct Test: Sendable, Hashable {
        /// The name of the suite.
        public var suite: String
        /// The path of the suite file.
        public var file: String
        /// The environment of the suite.
        public var environment: String?
        /// The name of the test.
        public var name: String
        /// The number of runs in which the test passed or failed.
        public var runs: Int
        /// The number of runs in which the test failed.
        public var failures: Int
        /// The number of consecutive runs with the same result up to the last one.
        public var streak: Int
        /// The start of the first run of the streak, in seconds since 1970-01-01T00:00:00Z.
        public var since: Double
        /// The number of consecutive runs with the opposite result before the streak.
        public var streakBefore: Int
        /// The number of runs with the current content of the suite.
        public var runsOnContent: Int
        /// The number of failures with the current content of the suite.
        public var failuresOnContent: Int
        /// The number of changes of the result with the current content between runs of unknown revision.
        public var changes: Int
        /// The number of changes of the result with the current content between runs of the same revision.
        public var changesInRevision: Int
        /// The number of runs with the current content in which the test passed only after a retry.
        public var retried: Int
        /// Whether the test failed in its last run.
        public var hasFailed: Bool
        /// The duration of the last run in nanoseconds, if the test has become slower.
        public var duration: Int64?
        /// The median of previous durations in nanoseconds, if the test has become slower.
        public var median: Int64?
        /// The number of durations from which the median was computed.
        public var samples: Int
    }

    /// The tests of one kind.
    public struct List: Sendable, Hashable {
        /// The first tests, up to ``Trends/maximumTests``.
        public fileprivate(set) var tests: [Test] = []
        /// The total number of tests.
        public fileprivate(set) var count = 0

        fileprivate mutating func add(_ test: @autoclosure () -> Test) {
            count += 1
            if tests.count < Trends.maximumTests { tests.append(test()) }
        }
    }

    /// The maximum number of tests to list per kind.
    public static let maximumTests = 1_000

    /// The number of runs.
    public var runs = 0
    /// The start of the first run, in seconds since 1970-01-01T00:00:00Z.
    public var firstStart: Double = 0
    /// The start of the last run, in seconds since 1970-01-01T00:00:00Z.
    public var lastStart: Double = 0
    /// The total number of results.
    public var results = 0
    /// The total number of failures.
    public var failures = 0
    /// The number of files that are not readable as results of a run.
    public var unreadable = 0
    /// The tests that failed in the last run, and passed or did not exist in the one before.
    public var newFailures = List()
    /// The tests that have failed in more than one consecutive run.
    public var stillFailing = List()
    /// The tests that passed in the last run and failed in the one before.
    public var fixed = List()
    /// The tests that passed and failed with the same revision and suite content, or passed only after a retry.
    public var flaky = List()
    /// The tests that took longer than in previous runs.
    public var slower = List()

    /// The statistics with the recent outcomes of each test, or `nil` if no report shows them.
    package var table: TrendTable?

    /// Whether there are no trends to report.
    public var isEmpty: Bool {
        newFailures.count + stillFailing.count + fixed.count + flaky.count + slower.count == 0
    }

    /// Creates empty trends.
    public init() {}

    /// The minimum number of changes of a flaky test without known revisions.
    ///
    /// Two may be a server bug and its fix.
    static let changesOfFlaky: Int32 = 3
    /// The minimum number of durations for a median.
    static let minimumSamples = 5
    /// The minimum slowdown in microseconds.
    ///
    /// A slower test must also take at least 1.5 times the median.
    static let minimumSlowdown: Double = 50_000

    /// Computes the trends from statistics.
    ///
    /// - Parameter onlyLastRun: Whether to include only tests of the last run. Otherwise, the trends include the tests
    ///   of each suite's last content.
    package init(_ table: TrendTable, onlyLastRun: Bool, unreadable: Int = 0) {
        self.unreadable = unreadable
        runs = table.runs.count
        firstStart = table.runs.first?.start ?? 0
        lastStart = table.runs.last?.start ?? 0
        results = table.runs.reduce(0) { $0 + $1.verdicts }
        failures = table.runs.reduce(0) { $0 + $1.failures }
        let last = Int32(truncatingIfNeeded: table.runs.count - 1)
        var slowdowns: [(ratio: Double, test: Test)] = []
        var flaky: [(weight: Int32, test: Test)] = []
        for index in table.tests.indices {
            let counted = table.tests[index]
            let suite = table.suites[Int(counted.suite)]
            guard
                onlyLastRun
                    ? counted.lastRun == last : counted.lastRun == suite.lastRun || counted.content == suite.content
            else { continue }
            if counted.retried > 0 || counted.changesInRevision > 0 || counted.changes >= Self.changesOfFlaky {
                self.flaky.count += 1
                flaky.append(
                    (counted.changes + counted.changesInRevision + counted.retried, Self.test(index, of: table)))
            }
            // The last failure of a flaky test is reported too. Flakiness is not a reason to ignore it.
            if counted.hasFailed {
                if counted.streak > 1 {
                    stillFailing.add(Self.test(index, of: table))
                } else if counted.verdicts > 1 || table.runs.count > 1 {
                    newFailures.add(Self.test(index, of: table))
                }
            } else if counted.streak == 1, counted.streakBefore > 0 {
                fixed.add(Self.test(index, of: table))
            }
            if let slowdown = Self.slowdown(of: index, in: table) {
                var test = Self.test(index, of: table)
                test.duration = slowdown.last
                test.median = slowdown.median
                test.samples = slowdown.samples
                self.slower.count += 1
                slowdowns.append((Double(slowdown.last) / Double(max(1, slowdown.median)), test))
            }
        }
        // Stable sorting.
        self.flaky.tests = Self.sorted(flaky)
        self.slower.tests = Self.sorted(slowdowns)
    }

    private static func sorted<Weight: Comparable>(_ tests: [(Weight, test: Test)]) -> [Test] {
        tests.enumerated().sorted { ($1.element.0, $0.offset) < ($0.element.0, $1.offset) }.prefix(maximumTests)
            .map(\.element.test)
    }

    private static func test(_ index: Int, of table: TrendTable) -> Test {
        let counted = table.tests[index]
        let suite = table.suites[Int(counted.suite)]
        return Test(
            suite: suite.name, file: suite.file, environment: suite.environment, name: table.name(of: index),
            runs: Int(counted.verdicts), failures: Int(counted.failures), streak: Int(counted.streak),
            since: table.runs[Int(counted.streakRun)].start, streakBefore: Int(counted.streakBefore),
            runsOnContent: Int(counted.onContent), failuresOnContent: Int(counted.failuresOnContent),
            changes: Int(counted.changes), changesInRevision: Int(counted.changesInRevision),
            retried: Int(counted.retried), hasFailed: counted.hasFailed, samples: 0)
    }

    /// Returns the last duration and the median of the previous ones if a test has become slower.
    private static func slowdown(
        of index: Int, in table: TrendTable
    ) -> (last: Int64, median: Int64, samples: Int)? {
        guard table.tests[index].samples > minimumSamples, let samples = table.samples(of: index),
            samples.previous.count >= minimumSamples
        else { return nil }
        // A fast path for most tests: the median is not less than the minimum.
        let last = Double(samples.last)
        guard let minimum = samples.previous.min(), last > Double(minimum) * 1.5,
            last > Double(minimum) + minimumSlowdown
        else { return nil }
        let previous = samples.previous.map(Double.init)
        let median = Self.median(previous)
        // 1.4826 times the median absolute deviation estimates the standard deviation of a normal distribution.
        let deviation = 1.4826 * Self.median(previous.map { abs($0 - median) })
        guard last > median * 1.5, last - median > max(minimumSlowdown, 4 * deviation) else { return nil }
        return (Int64(last * 1_000), Int64(median * 1_000), previous.count)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let middle = sorted.indices.dropFirst(sorted.count / 2).first else { return 0 }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// A board through which the history reporter passes the trends of a run to the other reporters.
public final class TrendBoard: Sendable {
    private let value = Mutex<Trends?>(nil)
    private let length = Mutex(0)

    /// Creates a board without trends.
    public init() {}

    /// The trends, which are available at the end of the run if there are previous runs.
    public var trends: Trends? { value.withLock { $0 } }

    /// The maximum number of recent outcomes per test that any report shows, or 0 if none does.
    package var stripLength: Int { length.withLock { $0 } }

    /// Requests a number of recent outcomes per test.
    package func requestStrips(length: Int) { self.length.withLock { $0 = max($0, length) } }

    /// Provides the trends to the other reporters.
    package func post(_ trends: Trends) { value.withLock { $0 = trends } }
}
