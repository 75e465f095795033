import ArgumentParser
import RegularExpressions
import Runner

/// The options that select tests.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run tests with this tag, or for which an expression holds, as 'smoke and not (slow or broken)'; may be repeated.",
            valueName: "tag"), completion: .custom(SuiteCompletions.tags))
    var tag: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Leave out tests with this tag, or for which an expression holds; may be repeated.", valueName: "tag"),
        completion: .custom(SuiteCompletions.tags))
    var excludeTag: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run tests whose name or id contains this text (* stands for any text), is =NAME, or matches /expression/; may be repeated.",
            valueName: "pattern"), completion: .custom(SuiteCompletions.tests))
    var test: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run tests that failed, errored or were blocked according to the report of an earlier run, JUnit or JSON lines.",
            valueName: "report"), completion: .file(extensions: ["xml"]))
    var failed: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Run the I-th of N shares of the selected tests; tests that depend on each other stay together.",
            valueName: "i/n"))
    var shard: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Make the shares of --shard equally long by the times in the report of an earlier run, JUnit or JSON lines.",
            valueName: "report"), completion: .file(extensions: ["xml"]))
    var durations: String?

    /// Whether some of the tests may be left out.
    var isPartial: Bool {
        !tag.isEmpty || !excludeTag.isEmpty || !test.isEmpty || failed != nil || shard != nil
    }

    func validate() throws {
        if let shard, Shard(parsing: shard) == nil {
            throw ValidationError(
                "--shard \(shard): write I/N, such as 2/5, with I from 1 to N and N up to \(Shard.maximumCount)")
        }
        if durations != nil, shard == nil { throw ValidationError("--durations: it goes with --shard") }
    }

    /// The selection that the options describe, without places.
    ///
    /// - Throws: ``ExitStatus/invalid`` when an option is wrong, which is printed.
    func selection(color: ColorChoice) throws -> TestSelection {
        TestSelection(
            tags: try tag.map { try Self.expression($0, of: "--tag", color: color) },
            excludedTags: try excludeTag.map { try Self.expression($0, of: "--exclude-tag", color: color) },
            patterns: try test.map { try Self.pattern($0, color: color) })
    }

    private static func expression(_ text: String, of option: String, color: ColorChoice) throws -> TagExpression {
        do {
            return try TagExpression(parsing: text)
        } catch {
            throw ArgumentProblem(
                option: option, text: text, id: "invalid-tag-expression", message: error.message,
                offset: error.offset, length: error.length, suggestion: error.suggestion
            ).report(color: color)
        }
    }

    private static func pattern(_ text: String, color: ColorChoice) throws -> NamePattern {
        do {
            return try NamePattern(parsing: text)
        } catch {
            throw ArgumentProblem(
                option: "--test", text: text, id: "invalid-pattern", message: error.message, offset: error.offset,
                length: error.length, suggestion: "to look for the text itself, write \"*\(text)*\""
            ).report(color: color)
        }
    }
}
