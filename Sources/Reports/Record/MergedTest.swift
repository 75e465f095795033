import SuiteModel

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
