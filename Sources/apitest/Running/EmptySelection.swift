import Basics
import Diagnostics
import RunModel
import Runner
import SuiteModel

/// What to say when options select no test.
struct EmptySelection {
    let options: SelectionOptions
    let selection: TestSelection
    let suites: [Suite]
    let misses: [PlaceFinder.Miss]

    /// Prints the message.
    ///
    /// - Parameters:
    ///   - wish: What else was asked of tests.
    ///   - notes: What else there is to say.
    /// - Returns: ``ExitStatus/nothingSelected``, to be thrown.
    func report(adding wish: String? = nil, notes: [String] = []) -> ExitStatus {
        StandardError.write(message(adding: wish) + notes.map { "  \($0)\n" }.joined())
        return .nothingSelected
    }

    /// How many tests there are, what was asked of them, and what may have been meant.
    private func message(adding wish: String?) -> String {
        let count = suites.reduce(0) { $0 + $1.tests.count { $0.kind == .test } }
        guard count > 0 else { return "no test was selected: there is no test here\n" }
        var wishes: [String] = []
        if !options.tag.isEmpty { wishes.append("the tag " + Self.list(options.tag)) }
        if !options.excludeTag.isEmpty { wishes.append("not the tag " + Self.list(options.excludeTag)) }
        if !options.test.isEmpty { wishes.append("a name like " + Self.list(options.test)) }
        if !selection.places.isEmpty {
            wishes.append("a place at " + selection.places.map { "\($0.path):\($0.line)" }.joined(separator: " or "))
        }
        if let wish { wishes.append(wish) }
        if suites.contains(where: { $0.tests.contains(where: \.isOnly) }) { wishes.append("\"only\", as others have") }
        let tests = count == 1 ? "the one test has not" : "none of \(count) tests has"
        return DisplayWidth.printable("no test was selected: \(tests) \(wishes.joined(separator: " and "))")
            + "\n\(hints)"
    }

    private static func list(_ texts: [String]) -> String {
        texts.map { "\"\($0)\"" }.joined(separator: " or ")
    }

    /// Tags that were probably meant, and tests near to a line.
    private var hints: String {
        var hints: [String] = []
        var known: [String] = []
        for suite in suites {
            for test in suite.tests where test.kind == .test {
                for tag in test.tags where !known.contains(tag) { known.append(tag) }
            }
        }
        for name in selection.tags.flatMap(\.names) where !known.contains(name) {
            if let nearest = Spelling.nearest(to: name, among: known) {
                hints.append("no test has the tag \"\(name)\"; did you mean \"\(nearest)\"?")
            } else if name.contains(",") {
                hints.append("a comma is part of a tag; write \"or\" between tags")
            }
        }
        return (hints + misses.compactMap(Self.hint)).map { "  \(DisplayWidth.printable($0))\n" }.joined()
    }

    /// The test that is nearest to a line at which there is none.
    static func hint(_ miss: PlaceFinder.Miss) -> String? {
        miss.nearest.map { "the test nearest to line \(miss.place.line) is \"\($0.name)\", line \($0.line)" }
    }
}
