import ArgumentParser
import Runner
import SuiteModel

/// The options that select tests.
struct SelectionOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Run tests with this tag; may be repeated.", valueName: "tag"))
    var tag: [String] = []

    @Option(name: .long, help: ArgumentHelp("Leave out tests with this tag; may be repeated.", valueName: "tag"))
    var excludeTag: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run tests whose name or id contains this text (* stands for any text); may be repeated.",
            valueName: "pattern"))
    var test: [String] = []

    /// What to say when nothing was selected: how many tests there are, and what was asked of them.
    func emptyMessage(suites: [Suite], places: [TestSelection.Place]) -> String {
        let count = suites.reduce(0) { $0 + $1.tests.count }
        var wishes: [String] = []
        if !tag.isEmpty { wishes.append("the tag " + tag.map { "\"\($0)\"" }.joined(separator: " or ")) }
        if !excludeTag.isEmpty {
            wishes.append("not the tag " + excludeTag.map { "\"\($0)\"" }.joined(separator: " or "))
        }
        if !test.isEmpty { wishes.append("a name like " + test.map { "\"\($0)\"" }.joined(separator: " or ")) }
        if !places.isEmpty {
            wishes.append("a place at " + places.map { "\($0.path):\($0.line)" }.joined(separator: " or "))
        }
        guard count > 0 else { return "no test was selected: there is no suite here\n" }
        let tests = count == 1 ? "the one test has not" : "none of \(count) tests has"
        return "no test was selected: \(tests) \(wishes.joined(separator: " and "))\n"
    }

    /// The selection, with the places given as PATH:LINE.
    func selection(places: [TestSelection.Place]) -> TestSelection {
        TestSelection(tags: tag, excludedTags: excludeTag, patterns: test.map(NamePattern.init), places: places)
    }
}
