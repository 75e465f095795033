import Basics
import Diagnostics
import RegularExpressions
import RunModel
import Runner
import SuiteModel

/// The options that select tests.
struct SelectionOptions: OptionGroup {
    var tag: [String] = []
    var excludeTag: [String] = []
    var test: [String] = []
    var failed: String?
    var shard: String?
    var durations: String?

    static var syntax: [Syntax] {
        [
            .option(
                "tag", \.tag,
                "Run tests that have this tag or match this tag expression",
                completion: .words(SuiteCompletions.tags)),
            .option(
                "exclude-tag", value: "tag", \.excludeTag,
                "Skip tests that have this tag or match this tag expression",
                completion: .words(SuiteCompletions.tags)),
            .option(
                "test", value: "pattern", \.test,
                "Run tests by name or id: text with * wildcards, =NAME or /regex/",
                completion: .words(SuiteCompletions.tests)),
            .option(
                "failed", value: "report", \.failed,
                "Run tests that did not pass in this JUnit or JSON Lines report",
                completion: .files(["xml"])),
            .option(
                "shard", \.shard,
                "Run one part of the tests: I/N, hash:I/N, auto or hash:auto",
                completion: .words { _ in ["auto", "hash:auto"] }),
            .option(
                "durations", value: "report", \.durations,
                "Balance --shard by the durations in this JUnit or JSON Lines report",
                completion: .files(["xml"])),
        ]
    }

    /// Whether the options may exclude some tests.
    var isPartial: Bool {
        !tag.isEmpty || !excludeTag.isEmpty || !test.isEmpty || failed != nil || shard != nil
    }

    func validate() throws {
        if let shard {
            guard let option = ShardOption(parsing: shard) else {
                throw UsageError(
                    .invalidOption,
                    "--shard \(shard): write I/N or hash:I/N, such as 2/5, with I from 1 to N and N up to "
                        + "\(Shard.maximumCount); or write auto or hash:auto")
            }
            if durations != nil, option.rule == .hash {
                throw UsageError(.conflictingOptions, "--durations cannot be used with --shard \(shard)")
            }
        } else if durations != nil {
            throw UsageError(.missingOption, "--durations requires --shard")
        }
    }

    /// Returns the selection described by the options, without locations.
    ///
    /// - Throws: ``ExitStatus/invalid`` if an option is invalid. The error is printed.
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
                option: "--test", text: text, id: "invalid-pattern", message: error.wording,
                offset: error.offset,
                length: error.length, suggestion: "to search for this exact text, write \"*\(text)*\""
            ).report(color: color)
        }
    }
}
