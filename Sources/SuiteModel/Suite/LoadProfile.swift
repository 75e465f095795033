public import Diagnostics

/// A load profile: the tests to repeat, how often they start, and the figures that are acceptable.
public struct LoadProfile: Sendable {
    /// The model of the load, which decides when iterations start.
    public enum Model: Sendable, Hashable {
        /// Iterations start at a rate per second, whether or not earlier ones have finished (the open model).
        case rate(Double)
        /// Each of a number of users runs one iteration after another (the closed model).
        case users(Int)

        /// The rate per second, or the number of users.
        public var level: Double {
            switch self {
            case .rate(let rate): rate
            case .users(let users): Double(users)
            }
        }
    }

    /// A part of a load, in which the level changes evenly or stays the same.
    public struct Stage: Sendable, Hashable {
        /// The duration in nanoseconds.
        public var duration: Int64
        /// The rate per second or the number of users at the end; nil if it stays the same.
        public var target: Double?

        /// Creates a stage.
        public init(duration: Int64, target: Double? = nil) {
            self.duration = duration
            self.target = target
        }
    }

    /// The maximum number of users.
    public static let maximumUsers = 100_000

    /// The name of the profile.
    public var name: String
    /// The condition on the tags of the tests; nil for all tests.
    public var tests: TagExpression?
    /// The model of the load; nil if only the command line says so.
    public var model: Model?
    /// The time that a user waits between two iterations, in nanoseconds.
    public var think: Int64 = 0
    /// The parts of the load; empty for a constant one.
    public var stages: [Stage] = []
    /// The duration of a constant load, in nanoseconds; nil if there are stages, or if only the command line says so.
    public var duration: Int64?
    /// The time at the start that counts in no figure, in nanoseconds.
    public var warmup: Int64 = 0
    /// The conditions that the figures have to meet.
    public var thresholds: [EmbeddedExpression] = []
    /// The condition that ends the load early, as a failure.
    public var abort: EmbeddedExpression?
    /// The source range of the profile's name; nil for a profile from the command line.
    public var range: SourceRange?

    /// Creates a profile.
    public init(name: String, range: SourceRange? = nil) {
        self.name = name
        self.range = range
    }

    /// The duration of the whole load, in nanoseconds; nil if it is not known yet.
    public var totalDuration: Int64? {
        stages.isEmpty ? duration : stages.reduce(0) { $0 + $1.duration }
    }
}
