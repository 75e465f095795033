import FileSystem
import Output
import RunModel

/// A test of merged records, with the location of the line that has its result.
///
/// The type has a fixed size, so that it can be sorted outside of memory. The line is read again when the test is
/// replayed.
struct MergedTest: BitwiseCopyable {
    /// The precedence of a result if the same test is in several shards.
    ///
    /// The greatest one counts.
    enum Weight: UInt8, Comparable, BitwiseCopyable {
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

        /// Creates the precedence of a result.
        init(_ result: TestResult) {
            self = result.isCutOff ? .unfinished : Weight(result.outcome)
        }

        /// Whether the test ran to its end.
        var wasRun: Bool {
            switch self {
            case .passed, .flaky, .known, .failed, .errored: true
            case .unfinished, .skipped, .blocked: false
            }
        }

        static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
    }

    /// A result: the location of its line, and the values that decide whether it counts.
    struct Location: BitwiseCopyable {
        /// The index of the record.
        var record: Int32
        /// The number of the line.
        var line: Int32
        /// The byte offset and the length of the line in the record.
        var offset: Int
        var length: Int
        /// The end of the test in nanoseconds since the start of the first run.
        var end: Int64
        var weight: Weight

        /// The byte range of the line in the record.
        var bytes: Range<Int> { offset..<offset + length }
    }

    /// The index of the merged suite.
    var suite: Int32
    /// The record in which the test first appeared, and its position there.
    var record: Int32
    var position: Int32
    var ordinal: Int
    /// A hash of the suite and the name, which identifies the test.
    var name: Int
    /// The number of tests that were read before it.
    var sequence: Int
    /// Whether the test is a setup or teardown.
    var isFixture: Bool
    /// The result that counts.
    var location: Location
}

/// The tests of all records, which are kept in bounded memory.
struct MergedTests {
    /// The maximum number of tests in memory before they are written to a temporary file.
    static let standardLimit = 1 << 16

    /// The number of results that another one replaces or is replaced by, except in shards of one run.
    private(set) var repeated = 0
    /// The first of these results, in the order in which they were read.
    private(set) var firstRepeated: [MergedTest] = []

    private let limit: Int
    private let byName: SpilledSort<MergedTest>
    private var count = 0

    /// Creates an empty table.
    init(limit: Int) {
        self.limit = limit
        byName = SpilledSort(limit: limit) { ($0.name, $0.sequence) < ($1.name, $1.sequence) }
    }

    /// Adds the result of a test in a record.
    mutating func add(
        _ test: TestReference, suite: Int, _ location: MergedTest.Location
    ) throws(FileHandle.Failure) {
        var hasher = Hasher()
        hasher.combine(suite)
        hasher.combine(test.name)
        try byName.append(
            MergedTest(
                suite: Int32(clamping: suite), record: location.record, position: Int32(clamping: test.position),
                ordinal: test.ordinal, name: hasher.finalize(), sequence: count, isFixture: test.kind != .test,
                location: location))
        count += 1
    }

    /// Merges the results of each test, and sorts the tests by suite and then in file order.
    ///
    /// - Parameters:
    ///   - suites: The position of each suite in the merged run.
    ///   - areSiblings: Returns whether two records belong to different shards of the same run.
    ///   - names: The maximum number of repeated results to keep.
    ///   - body: Called for each merged test, in any order.
    mutating func merged(
        suites: [Int], areSiblings: (Int32, Int32) -> Bool, names: Int, _ body: (MergedTest) -> Void
    ) throws(FileHandle.Failure) -> SpilledSort<MergedTest> {
        let inOrder = SpilledSort<MergedTest>(limit: limit) { left, right in
            (suites[Int(left.suite)], left.ordinal, left.record, left.position, left.sequence)
                < (suites[Int(right.suite)], right.ordinal, right.record, right.position, right.sequence)
        }
        try byName.finish()
        while var test = byName.first {
            try byName.removeFirst()
            while let other = byName.first, other.name == test.name {
                try byName.removeFirst()
                join(other, to: &test, areSiblings: areSiblings, names: names)
            }
            body(test)
            try inOrder.append(test)
        }
        try inOrder.finish()
        return inOrder
    }

    private mutating func join(
        _ other: MergedTest, to test: inout MergedTest, areSiblings: (Int32, Int32) -> Bool, names: Int
    ) {
        let (new, old) = (other.location, test.location)
        if areSiblings(new.record, old.record) {
            // The setup or teardown of a suite runs in every shard. A failure in any of them must not be lost.
            if new.weight > old.weight { test.location = new }
            return
        }
        repeated += 1
        let index = firstRepeated.firstIndex { $0.sequence > other.sequence } ?? firstRepeated.count
        firstRepeated.insert(other, at: index)
        if firstRepeated.count > names { firstRepeated.removeLast() }
        if (new.weight.wasRun ? 1 : 0, new.end) >= (old.weight.wasRun ? 1 : 0, old.end) { test.location = new }
    }
}
