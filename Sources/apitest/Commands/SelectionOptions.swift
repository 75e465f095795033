import ArgumentParser
import Runner

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

    /// The selection, with the places given as PATH:LINE.
    func selection(places: [TestSelection.Place]) -> TestSelection {
        TestSelection(tags: tag, excludedTags: excludeTag, patterns: test.map(NamePattern.init), places: places)
    }
}
