import Synchronization

/// What past runs tell of tests: which fail since when, which pass and fail by chance, which have become slower.
public struct Trends: Sendable {
    /// A test, and what the runs tell of it.
    public struct Test: Sendable, Hashable {
        /// The suite's name.
        public var suite: String
        /// The suite's file.
        public var file: String
        /// The environment whose values the suite had.
        public var environment: String?
        /// The test's name.
        public var name: String
        /// Runs in which the test passed or failed.
        public var runs: Int
        /// Those of them in which it failed.
        public var failures: Int
        /// The last of them that ended alike.
        public var streak: Int
        /// The beginning of the first of these, in seconds since 1970-01-01T00:00:00Z.
        public var since: Double
        /// How many runs before these ended otherwise, one after another.
        public var streakBefore: Int
        /// Runs on the suite's present content.
        public var runsOnContent: Int
        /// Those of them that failed.
        public var failuresOnContent: Int
        /// How often one of them ended otherwise than the one before, where neither run's revision is known.
        public var changes: Int
        /// How often one of them ended otherwise than the last one of the same revision.
        public var changesInRevision: Int
        /// How many of them passed only after a retry.
        public var retried: Int
        /// Whether the test failed in its last run.
        public var hasFailed: Bool
        /// The duration of the last run in nanoseconds, of a test that has become slower.
        public var duration: Int64?
        /// The median of earlier durations in nanoseconds, of a test that has become slower.
        public var median: Int64?
        /// How many durations the median is made of.
        public var samples: Int
    }

    /// The tests of one kind.
    public struct List: Sendable, Hashable {
        /// The first of the tests.
        public fileprivate(set) var tests: [Test] = []
        /// How many there are.
        public fileprivate(set) var count = 0

        fileprivate mutating func add(_ test: @autoclosure () -> Test) {
            count += 1
            if tests.count < Trends.mostTests { tests.append(test()) }
        }
    }

    /// Tests that are listed of one kind.
    public static let mostTests = 1_000

    /// The runs that were looked at.
    public var runs = 0
    /// When the first of them began, in seconds since 1970-01-01T00:00:00Z.
    public var firstStart: Double = 0
    /// When the last of them began, in seconds since 1970-01-01T00:00:00Z.
    public var lastStart: Double = 0
    /// Results that were looked at.
    public var results = 0
    /// Those of them that were failures.
    public var failures = 0
    /// Files that are not readable as results of a run.
    public var unreadable = 0
    /// Tests that failed last, and passed, or were not there, in the run before.
    public var newFailures = List()
    /// Tests that have failed since an earlier run.
    public var stillFailing = List()
    /// Tests that passed last, and failed in the run before.
    public var fixed = List()
    /// Tests that passed and failed on the same revision and content of their suite, or passed only after a retry.
    public var flaky = List()
    /// Tests that took longer than in earlier runs.
    public var slower = List()

    /// What was counted, with the last verdicts on each test; nil when no report shows them.
    package var table: TrendTable?

    /// Whether there is nothing to tell.
    public var isEmpty: Bool {
        newFailures.count + stillFailing.count + fixed.count + flaky.count + slower.count == 0
    }

    /// Creates trends of nothing.
    public init() {}

    /// Changes of a flaky test where no revision is known: two can be a fault of the server and its repair.
    static let changesOfFlaky: Int32 = 3
    /// Durations that a median is made of at least.
    static let leastSamples = 5
    /// A test is slower when it takes half as long again as the median, and this many microseconds longer.
    static let leastSlowdown: Double = 50_000

    /// Finds the trends in what was counted.
    ///
    /// - Parameter onlyLastRun: Whether only tests of the last run are told of; otherwise those of each suite's last
    ///   content.
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
            // What went wrong last is told of flaky tests too: to pass by chance is no reason not to look.
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
        // Sorted with their order kept among equal ones.
        self.flaky.tests = Self.sorted(flaky)
        self.slower.tests = Self.sorted(slowdowns)
    }

    private static func sorted<Weight: Comparable>(_ tests: [(Weight, test: Test)]) -> [Test] {
        tests.enumerated().sorted { ($1.element.0, $0.offset) < ($0.element.0, $1.offset) }.prefix(mostTests)
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

    /// The last duration of a test that is slower than it was, and the median of those before it.
    private static func slowdown(
        of index: Int, in table: TrendTable
    ) -> (last: Int64, median: Int64, samples: Int)? {
        guard table.tests[index].samples > leastSamples, let samples = table.samples(of: index),
            samples.earlier.count >= leastSamples
        else { return nil }
        // Most tests are as quick as ever: the median can be no less than the smallest value.
        let last = Double(samples.last)
        guard let least = samples.earlier.min(), last > Double(least) * 1.5, last > Double(least) + leastSlowdown
        else { return nil }
        let earlier = samples.earlier.map(Double.init)
        let median = Self.median(earlier)
        // 1.4826 times the median absolute deviation is the standard deviation of values that are normally distributed.
        let deviation = 1.4826 * Self.median(earlier.map { abs($0 - median) })
        guard last > median * 1.5, last - median > max(leastSlowdown, 4 * deviation) else { return nil }
        return (Int64(last * 1_000), Int64(median * 1_000), earlier.count)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard let middle = sorted.indices.dropFirst(sorted.count / 2).first else { return 0 }
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Where the history leaves the trends of a run for the run's other reports.
public final class TrendBoard: Sendable {
    private let value = Mutex<Trends?>(nil)
    private let length = Mutex(0)

    /// Creates a board without trends.
    public init() {}

    /// The trends: there once the run is over, when there are earlier runs.
    public var trends: Trends? { value.withLock { $0 } }

    /// The last verdicts of each test that a report shows; 0 when none does.
    package var stripLength: Int { length.withLock { $0 } }

    /// Asks for the last verdicts of each test.
    package func requestStrips(length: Int) { self.length.withLock { $0 = max($0, length) } }

    package func post(_ trends: Trends) { value.withLock { $0 = trends } }
}
