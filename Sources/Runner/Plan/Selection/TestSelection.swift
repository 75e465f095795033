import Diagnostics
import RunModel
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

/// Finds the tests that places on the command line mean.
public struct PlaceFinder: Sendable {
    /// A place at which there is no test.
    public struct Miss: Sendable {
        /// The place.
        public var place: TestSelection.Place
        /// The test whose first line is nearest, with that line.
        public var nearest: (name: String, line: Int32)?
    }

    /// The places, each on a line of the test that it means.
    public private(set) var places: [TestSelection.Place] = []
    /// The places that mean no test.
    public private(set) var misses: [Miss] = []

    /// Looks for the tests of places.
    ///
    /// A line between two tests means the one above it, but the lines of a comment directly above a test mean that test.
    public init(_ places: [TestSelection.Place], in suites: [Suite]) {
        for place in places {
            let documents = suites.filter { $0.path == place.path }
            if let line = documents.lazy.compactMap({ Self.testLine(for: place.line, in: $0) }).first {
                self.places.append(TestSelection.Place(path: place.path, line: line))
            } else {
                let tests = documents.flatMap(\.tests)
                let nearest = tests.min {
                    abs(Int($0.lines.lowerBound) - Int(place.line)) < abs(Int($1.lines.lowerBound) - Int(place.line))
                }
                misses.append(Miss(place: place, nearest: nearest.map { ($0.name, $0.lines.lowerBound) }))
                // It stays a wish of its file, so that not every test of it is taken.
                self.places.append(place)
            }
        }
    }

    /// A line of the test that is meant by a line, or nil when there is none.
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
