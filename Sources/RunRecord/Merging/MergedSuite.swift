import RunModel

/// A suite of merged records.
struct MergedSuite {
    /// What makes suites of several records the same one.
    struct Key: Hashable {
        var path: String
        var documentIndex: Int
        var name: String
        var environment: String?
        /// How many of the same there are before it in its record.
        var repetition: Int
    }

    var info: SuiteInfo
    /// When it began and ended, in nanoseconds from the first run's start; nil while that is not known.
    var start: Int64?
    var end: Int64?
    var counts = OutcomeCounts()
    /// The most tests that a record of each shard was to have of it; nil for records that are not of a shard.
    var planned: [String?: Int] = [:]
    /// Its tests, as far as they ran to an end or were skipped on purpose.
    var doneCount = 0
    /// Whether its server ended by itself in one of the runs.
    var hasServerError = false

    init(_ info: SuiteInfo) {
        self.info = info
        self.info.testCount = 0
    }

    /// Takes what another record says of the suite.
    mutating func join(_ other: SuiteInfo) {
        if info.baseURL == nil { info.baseURL = other.baseURL }
        if info.digest != other.digest { info.digest = nil }
    }

    mutating func spans(from start: Int64, to end: Int64) {
        self.start = min(self.start ?? start, start)
        self.end = max(self.end ?? end, end)
    }

    /// The order of the suites: that of their paths where every record has them so, otherwise that of the records.
    ///
    /// - Parameter lists: For each record its suites, as indices into `suites`.
    static func order(of suites: [MergedSuite], in lists: [[Int]]) -> [Int] {
        func isBefore(_ left: Int, _ right: Int) -> Bool {
            let (left, right) = (suites[left].info, suites[right].info)
            if left.path == right.path { return left.documentIndex < right.documentIndex }
            return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
        }
        let areSorted = lists.allSatisfy { list in zip(list, list.dropFirst()).allSatisfy { !isBefore($1, $0) } }
        if areSorted { return suites.indices.sorted { isBefore($0, $1) || (!isBefore($1, $0) && $0 < $1) } }
        var next: [Int: Int] = [:]
        var last: Int?
        var first: Int?
        // A list of which each element names the next one, so that many suites cost no more than their number.
        for list in lists {
            var previous: Int?
            for suite in list {
                defer { previous = suite }
                if suite == last || next[suite] != nil { continue }
                if let previous {
                    next[suite] = next[previous]
                    next[previous] = suite
                    if previous == last { last = suite }
                } else {
                    next[suite] = first
                    if first == nil { last = suite }
                    first = suite
                }
            }
        }
        var order: [Int] = []
        while let suite = first {
            order.append(suite)
            first = suite == last ? nil : next[suite]
        }
        return order
    }
}

/// A test of merged records, and where the line stands that tells what became of it.
///
/// Small, as there is one for each test of all records; the line is read again when its turn comes.
struct MergedTest {
    /// How much a result says when the same test is in several shards: the greater counts.
    enum Weight: UInt8, Comparable {
        case unfinished, skipped, passed, flaky, known, blocked, failed, errored

        init(_ outcome: TestResult.Outcome) {
            switch outcome {
            case .passed: self = .passed
            case .flaky: self = .flaky
            case .known: self = .known
            case .failed: self = .failed
            case .errored: self = .errored
            case .skipped: self = .skipped
            case .blocked: self = .blocked
            }
        }

        /// The weight of a result.
        init(_ result: TestResult) {
            self = result.isCutOff ? .unfinished : Weight(result.outcome)
        }

        /// Whether the test was run to an end.
        var wasRun: Bool {
            switch self {
            case .passed, .flaky, .known, .failed, .errored: true
            case .unfinished, .skipped, .blocked: false
            }
        }

        static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
    }

    /// A result: where it stands, and what decides whether it counts.
    struct Place {
        /// The index of the record.
        var record: Int32
        /// The number of the line.
        var line: Int32
        /// The bytes of the line in the record.
        var bytes: Range<Int>
        /// When the test ended, in nanoseconds from the first run's start.
        var end: Int64
        var weight: Weight
    }

    /// The merged suite.
    var suite: Int32
    /// The record in which the test was seen first, and where it stands in that.
    var record: Int32
    var position: Int32
    var ordinal: Int
    /// Whether it is a setup or teardown.
    var isFixture: Bool
    /// The result that counts.
    var place: Place

    /// Whether the test comes before another one of the same suite.
    func isBefore(_ other: MergedTest) -> Bool {
        (ordinal, record, position) < (other.ordinal, other.record, other.position)
    }
}
