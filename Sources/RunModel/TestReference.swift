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
    public var kind = TestKind.test
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

/// What a test is to its suite.
public enum TestKind: Sendable, Hashable {
    /// One of the suite's tests.
    case test
    /// What runs before all tests: the first of the suite's elements.
    case setup
    /// What runs after all tests, whatever came of them: the last of the suite's elements.
    case teardown
}

/// What a suite or a test says of itself to people and to other tools, beside names, identifiers and tags.
///
/// An object, so that all rows of a test share it.
public final class Annotations: Sendable {
    /// A name and a value that tools for test management read.
    public struct Property: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value as text.
        public var value: String

        /// Creates a property.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The description.
    public let description: String?
    /// The person or team that is responsible for it.
    public let owner: String?
    /// The properties of the keys that begin with `x-`, in the order of the suite.
    public let properties: [Property]

    /// Creates annotations; nil when there are none.
    public init?(description: String? = nil, owner: String? = nil, properties: [Property] = []) {
        guard description != nil || owner != nil || !properties.isEmpty else { return nil }
        self.description = description
        self.owner = owner
        self.properties = properties
    }
}
