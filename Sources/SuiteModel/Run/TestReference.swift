public import Diagnostics

/// Which test an event speaks of.
public struct TestReference: Sendable {
    /// The suite's index in the run, from 0.
    public var suite: Int
    /// The position among the run's selected tests of that suite, from 0, in file order.
    public var position: Int
    /// Where the test stands among the tests of the suite that all shards of the run take together; of two, the one with the
    /// smaller number comes first in the file.
    public var ordinal = 0
    /// The test's name, unique within its suite: a repeated name has ` [2]` added.
    public var name: String
    /// The test's identifier.
    public var id: String?
    /// The tags.
    public var tags: [String]
    /// The description, the owner and the properties, when the test has any.
    public var annotations: Annotations?
    /// What the test is to its suite: setup and teardown are not tests, and count only when they fail.
    public var kind = SuiteTest.Kind.test
    /// True when the test was written with `steps`.
    public var hasSteps: Bool
    /// The place of the test.
    public var range: SourceRange

    /// Creates a reference.
    public init(
        suite: Int, position: Int, name: String, id: String? = nil, tags: [String] = [], hasSteps: Bool = false,
        range: SourceRange
    ) {
        self.suite = suite
        self.position = position
        ordinal = position
        self.name = name
        self.id = id
        self.tags = tags
        self.hasSteps = hasSteps
        self.range = range
    }
}
