public import SuiteModel

/// Which tests of the loaded suites are wanted.
public struct TestSelection: Sendable {
    /// A place on the command line, `PATH:LINE`.
    public struct Place: Sendable, Hashable {
        /// The path of a suite, as ``Suite/path`` has it.
        public var path: String
        /// A line of the test, from 1.
        public var line: Int32

        /// Creates a place.
        public init(path: String, line: Int32) {
            self.path = path
            self.line = line
        }
    }

    /// Conditions on tags of which at least one must hold; empty asks for none.
    public var tags: [TagExpression]
    /// Conditions on tags of which none may hold.
    public var excludedTags: [TagExpression]
    /// Patterns of which the name or identifier must match at least one; empty asks for none.
    public var patterns: [NamePattern]
    /// Places of which a test must hold at least one, in files that have any.
    public var places: [Place]

    /// Creates a selection; without arguments it takes every test.
    public init(
        tags: [TagExpression] = [], excludedTags: [TagExpression] = [], patterns: [NamePattern] = [],
        places: [Place] = []
    ) {
        self.tags = tags
        self.excludedTags = excludedTags
        self.patterns = patterns
        self.places = places
    }

    /// Whether every test is taken.
    public var takesEverything: Bool {
        tags.isEmpty && excludedTags.isEmpty && patterns.isEmpty && places.isEmpty
    }

    /// Whether the selection takes the test, or one of its rows.
    ///
    /// Setup and teardown are taken for themselves only by a place in them; otherwise they come with the tests.
    ///
    /// - Parameter rowName: The name of a row of the test, which patterns may match as well.
    public func includes(_ test: SuiteTest, of suite: Suite, rowName: String? = nil) -> Bool {
        if takesEverything { return true }
        let places = places.filter { $0.path == suite.path }
        let isInPlace = places.contains { test.lines.contains($0.line) }
        guard test.kind == .test else { return isInPlace }
        if !tags.isEmpty && !tags.contains(where: { $0.holds(for: test.tags) }) { return false }
        if excludedTags.contains(where: { $0.holds(for: test.tags) }) { return false }
        if !patterns.isEmpty {
            let isNamed =
                matches(test.name, of: suite) || test.id.map(isMatched) == true
                || rowName.map { matches($0, of: suite) } == true
            guard isNamed else { return false }
        }
        return places.isEmpty || isInPlace
    }

    private func matches(_ name: String, of suite: Suite) -> Bool {
        isMatched(name) || isMatched("\(suite.name) › \(name)")
    }

    private func isMatched(_ name: String) -> Bool {
        patterns.contains { $0.matches(name) }
    }
}
