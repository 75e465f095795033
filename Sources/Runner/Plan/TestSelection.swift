public import SuiteModel

/// Which tests of the loaded suites are wanted.
public struct TestSelection: Sendable {
    /// A place on the command line, `PATH:LINE`.
    public struct Place: Sendable, Hashable {
        /// The suite's path as given.
        public var path: String
        /// A line of the test, from 1.
        public var line: Int32

        /// Creates a place.
        public init(path: String, line: Int32) {
            self.path = path
            self.line = line
        }
    }

    /// Tags of which a test must have at least one; empty asks for none.
    public var tags: [String]
    /// Tags that a test must not have.
    public var excludedTags: [String]
    /// Patterns of which the name or identifier must match at least one; empty asks for none.
    public var patterns: [NamePattern]
    /// Places of which a test must hold at least one, in files that have any.
    public var places: [Place]

    /// Creates a selection; without arguments it takes every test.
    public init(
        tags: [String] = [], excludedTags: [String] = [], patterns: [NamePattern] = [], places: [Place] = []
    ) {
        self.tags = tags
        self.excludedTags = excludedTags
        self.patterns = patterns
        self.places = places
    }

    /// Whether the selection takes the test.
    public func includes(_ test: SuiteTest, of suite: Suite) -> Bool {
        if !tags.isEmpty && !test.tags.contains(where: tags.contains) { return false }
        if test.tags.contains(where: excludedTags.contains) { return false }
        if !patterns.isEmpty {
            let isNamed = patterns.contains { pattern in
                pattern.matches(test.name) || test.id.map(pattern.matches) == true
                    || pattern.matches("\(suite.name) › \(test.name)")
            }
            guard isNamed else { return false }
        }
        let places = places.filter { $0.path == suite.path }
        return places.isEmpty || places.contains { test.lines.contains($0.line) }
    }
}
