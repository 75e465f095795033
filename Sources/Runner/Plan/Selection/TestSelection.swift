import Diagnostics
import RunModel
public import SuiteModel

/// The selection of tests among those of the loaded suites.
public struct TestSelection: Sendable {
    /// A location on the command line, `PATH:LINE`.
    public struct Location: Sendable, Hashable {
        /// The path of a suite, in the form of ``Suite/path``.
        public var path: String
        /// A line of the test, starting at 1.
        public var line: Int32

        /// Creates a location.
        public init(path: String, line: Int32) {
            self.path = path
            self.line = line
        }
    }

    /// Conditions on tags. At least one must be true; empty for no restriction.
    public var tags: [TagExpression]
    /// Conditions on tags that must all be false.
    public var excludedTags: [TagExpression]
    /// Patterns for names or identifiers. At least one must match; empty for no restriction.
    public var patterns: [NamePattern]
    /// Locations in files. In a file with locations, only tests that contain one of them are selected.
    public var locations: [Location]

    /// Creates a selection. By default, every test is selected.
    public init(
        tags: [TagExpression] = [], excludedTags: [TagExpression] = [], patterns: [NamePattern] = [],
        locations: [Location] = []
    ) {
        self.tags = tags
        self.excludedTags = excludedTags
        self.patterns = patterns
        self.locations = locations
    }

    /// Whether every test is selected.
    public var takesEverything: Bool {
        tags.isEmpty && excludedTags.isEmpty && patterns.isEmpty && locations.isEmpty
    }

    /// Returns whether the test or one of its rows is selected.
    ///
    /// Setup and teardown are selected individually only by a location within them. Otherwise they accompany the tests.
    ///
    /// - Parameter rowName: The name of a row of the test, which patterns may match as well.
    public func includes(_ test: SuiteTest, of suite: Suite, rowName: String? = nil) -> Bool {
        if takesEverything { return true }
        let locations = locations.filter { $0.path == suite.path }
        let isInPlace = locations.contains { test.lines.contains($0.line) }
        guard test.kind == .test else { return isInPlace }
        if !tags.isEmpty && !tags.contains(where: { $0.holds(for: test.tags) }) { return false }
        if excludedTags.contains(where: { $0.holds(for: test.tags) }) { return false }
        if !patterns.isEmpty {
            let isNamed =
                matches(test.name, of: suite) || test.id.map(isMatched) == true
                || rowName.map { matches($0, of: suite) } == true
            guard isNamed else { return false }
        }
        return locations.isEmpty || isInPlace
    }

    private func matches(_ name: String, of suite: Suite) -> Bool {
        isMatched(name) || isMatched("\(suite.name) › \(name)")
    }

    private func isMatched(_ name: String) -> Bool {
        patterns.contains { $0.matches(name) }
    }
}

/// The tests at locations given on the command line.
public struct LocationFinder: Sendable {
    /// A location without a test.
    public struct Miss: Sendable {
        /// The location.
        public var location: TestSelection.Location
        /// The nearest test, with its first line.
        public var nearest: (name: String, line: Int32)?
    }

    /// The locations, each moved to a line of its test.
    public private(set) var locations: [TestSelection.Location] = []
    /// The locations without a test.
    public private(set) var misses: [Miss] = []

    /// Finds the tests at the given locations.
    ///
    /// A line between two tests belongs to the test above it, except that comment lines directly above a test belong to
    /// that test.
    public init(_ locations: [TestSelection.Location], in suites: [Suite]) {
        for location in locations {
            let documents = suites.filter { $0.path == location.path }
            if let line = documents.lazy.compactMap({ Self.testLine(for: location.line, in: $0) }).first {
                self.locations.append(TestSelection.Location(path: location.path, line: line))
            } else {
                let tests = documents.flatMap(\.tests)
                let nearest = tests.min {
                    abs(Int($0.lines.lowerBound) - Int(location.line))
                        < abs(Int($1.lines.lowerBound) - Int(location.line))
                }
                misses.append(Miss(location: location, nearest: nearest.map { ($0.name, $0.lines.lowerBound) }))
                // The location is kept, because otherwise all tests of the file would be selected.
                self.locations.append(location)
            }
        }
    }

    /// Returns a line of the test that the given line belongs to, or nil if there is none.
    private static func testLine(for line: Int32, in suite: Suite) -> Int32? {
        var above: SuiteTest?
        var below: SuiteTest?
        for test in suite.tests {
            if test.lines.contains(line) { return line }
            if test.lines.upperBound < line, test.lines.upperBound > above?.lines.upperBound ?? 0 { above = test }
            if test.lines.lowerBound > line, test.lines.lowerBound < below?.lines.lowerBound ?? .max { below = test }
        }
        guard let above, let below else { return nil }
        let isCommentOfBelow = (line..<below.lines.lowerBound).allSatisfy { number in
            suite.file.line(Int(number))?.allSatisfy(\.isWhitespace) == false
        }
        return isCommentOfBelow ? below.lines.lowerBound : above.lines.upperBound
    }
}
