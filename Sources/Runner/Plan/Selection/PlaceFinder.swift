import Diagnostics
public import SuiteModel

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
