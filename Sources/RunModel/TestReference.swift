public import Basics
public import Diagnostics

/// The test that an event refers to.
public struct TestReference: Sendable {
    /// The index of the suite in the run, from 0.
    public var suite: Int
    /// The index among the selected tests of the suite, from 0, in file order.
    public var position: Int
    /// A number that orders the tests of the suite across all shards of the run.
    ///
    /// Of two tests, the one with the smaller number comes first in the file.
    public var ordinal = 0
    /// The name of the test, unique within its suite: a suffix such as ` [2]` distinguishes duplicates.
    public var name: String
    /// The name with the distinction of words and data, if the program has composed it; nil if it is data as a whole.
    @Indirect public var wording: MessageText?
    /// The identifier of the test, if any.
    public var id: String?
    /// The tags of the test.
    public var tags: [String]
    /// The description, owner, and properties; nil if the test has none.
    public var annotations: Annotations?
    /// The role of the test in its suite. A setup or teardown is not a test and counts only when it fails.
    public var kind = TestKind.test
    /// Whether the test is written with `steps`.
    public var hasSteps: Bool
    /// Whether reports show every exchange of the test, not only those of failures.
    public var isVerbose = false
    /// The source range of the test.
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

/// The role of a test in its suite.
public enum TestKind: Sendable, Hashable {
    /// An ordinary test.
    case test
    /// The setup, which runs before all tests and comes first in the suite.
    case setup
    /// The teardown, which runs after all tests regardless of their outcome and comes last in the suite.
    case teardown
}

/// Descriptive metadata of a suite or test, beyond its name, identifier, and tags.
///
/// A class, so that all rows of a test share one instance.
public final class Annotations: Sendable {
    /// A name and a value for test management tools.
    public struct Property: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value as a string.
        public var value: String

        /// Creates a property.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The description.
    public let description: String?
    /// The person or team that is responsible for the suite or test.
    public let owner: String?
    /// The properties from keys that start with `x-`, in source order.
    public let properties: [Property]

    /// Creates annotations; returns nil if all of them are empty.
    public init?(description: String? = nil, owner: String? = nil, properties: [Property] = []) {
        guard description != nil || owner != nil || !properties.isEmpty else { return nil }
        self.description = description
        self.owner = owner
        self.properties = properties
    }
}
