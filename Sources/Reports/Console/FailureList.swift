import Diagnostics
import ExchangeFormats
import Output
import RunModel
import RunRecord

/// A list of the tests that did not pass, shown after long output, with the location that selects each test.
struct FailureList {
    private struct Entry {
        var suite: Int
        var position: Int
        var location: String
        var title: String
        var problem: String
    }

    /// The maximum number of listed tests.
    private static let maximum = 30
    /// The number of lines after the first failure above which the list is shown.
    private static let longOutput = 50

    private var entries: [Entry] = []
    private var count = 0
    private var lines = 0

    /// Counts written lines.
    mutating func note(_ text: String) {
        guard count > 0, lines <= Self.longOutput else { return }
        lines += text.utf8.count { $0 == 0x0A }
    }

    /// Adds a test that did not pass.
    mutating func add(_ result: TestResult, names: [String]) {
        count += 1
        guard entries.count < Self.maximum else { return }
        let findings = (result.steps.first(where: \.outcome.isFailure) ?? result.steps.first)?.findings ?? []
        let first = findings.mostTelling
        var problem = first.map { "\($0.subject): \($0.message)" } ?? ""
        if findings.count > 1 { problem += " (and \(findings.count - 1) more)" }
        let range = result.test.range
        entries.append(
            Entry(
                suite: result.test.suite, position: result.test.position,
                location: "\(range.file.name):\(range.start.line)", title: names.joined(separator: " › "),
                problem: DisplayWidth.printable(problem)))
    }

    /// Returns the list, or an empty string if the output is short enough to be seen as a whole.
    ///
    /// - Parameters:
    ///   - recordPath: The path of the report from which the tests can be rerun.
    ///   - repeated: The command-line arguments that a rerun needs to behave the same.
    func text(_ layout: ConsoleLayout, recordPath: String?, repeated: RepeatArguments) -> String {
        // Failures arrive as they happen, but the list is in file order.
        let entries = entries.sorted { ($0.suite, $0.position) < ($1.suite, $1.position) }
        guard lines > Self.longOutput, let example = entries.first else { return "" }
        let painter = layout.painter
        var text = painter.paint("failures:", .bold) + "\n"
        let locationWidth = min(40, entries.map { DisplayWidth.of($0.location) }.max() ?? 0)
        for entry in entries {
            let location = DisplayWidth.printable(entry.location)
            let padding = TextFitting.spaces(locationWidth - DisplayWidth.of(location))
            let column = 2 + max(locationWidth, DisplayWidth.of(location)) + 2
            let title = TextFitting.cut(entry.title, to: max(20, layout.maximumLength - column))
            var line = "  " + painter.paint(location, .location) + padding + "  " + title
            let room = layout.maximumLength - column - DisplayWidth.of(title) - 2
            if room >= 16 {
                line += "  " + painter.paint(TextFitting.cut(entry.problem, to: room), .dim)
            }
            text += line + "\n"
        }
        if count > entries.count { text += "  … \(count - entries.count) more\n" }
        return text + "  " + painter.paint(again(example, recordPath: recordPath, repeated), .dim) + "\n\n"
    }

    private func again(_ example: Entry, recordPath: String?, _ repeated: RepeatArguments) -> String {
        guard let recordPath else {
            return "rerun one of them: "
                + ShellDialect.terminal.command(["apitest", example.location] + repeated.options)
        }
        if repeated.paths.isEmpty, repeated.options.isEmpty {
            return "rerun all of them: the same command with "
                + ShellDialect.terminal.command(["--failed", recordPath])
        }
        return "rerun all of them: "
            + ShellDialect.terminal.command(["apitest"] + repeated.paths + repeated.options + ["--failed", recordPath])
    }
}

/// A policy for how much of each failure the console shows, so that one cause with many failures does not hide others.
struct FailureForms {
    /// The level of detail of a failure.
    enum Form {
        /// With all findings and exchanges.
        case whole
        /// A single line with the first finding.
        case line
        /// Only counted and named before the summary, along with other failures of the same cause.
        case counted
    }

    /// Tests that got no response for an already shown reason.
    struct Group {
        /// The reason.
        let cause: String
        /// The path of names to the test with which the reason was shown.
        let first: [String]
        /// The names of the first tests for which the reason was not shown.
        var names: [[String]] = []
        /// The number of tests for which the reason was not shown.
        var count = 0
    }

    /// The maximum number of failures shown in full.
    private static let maximumWhole = 50
    /// The maximum number of names kept for each cause.
    private static let maximumNames = 5

    /// Whether to show all failures in full except those of an outage.
    private let isVerbose: Bool
    private var causes = FailureCauses()
    private var whole = 0
    private var groups: [Int: Group] = [:]

    /// Creates a policy that has seen no failures.
    init(isVerbose: Bool) { self.isVerbose = isVerbose }

    /// Returns the level of detail at which to show a failure.
    ///
    /// - Parameter names: The path of names to the test, outermost first.
    mutating func form(of result: TestResult, names: [String]) -> Form {
        guard let member = causes.add(result) else { return .whole }
        if member.isShownWhole || (isVerbose && !member.cause.isOutage) {
            if let index = member.index, member.rank == 0, member.cause.isOutage {
                groups[index] = Group(cause: member.cause.text, first: names)
            }
            guard isVerbose || whole < Self.maximumWhole else { return .line }
            whole += 1
            return .whole
        }
        guard let index = member.index, groups[index] != nil else { return .line }
        groups[index]?.count += 1
        if (groups[index]?.names.count ?? 0) < Self.maximumNames { groups[index]?.names.append(names) }
        return isVerbose ? .line : .counted
    }

    /// The causes that were not shown with every test, in order of appearance.
    var repeated: [Group] {
        groups.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 0 }
    }
}

/// The failures that the console shows before the summary, in file order.
struct FinalFailures {
    /// The maximum size in bytes of the kept failures.
    ///
    /// Any further ones are only counted.
    private static let maximumBytes = 1 << 25

    private var forms: FailureForms
    private var blocks: [FoldableText] = []
    private var lines = ""
    private var bytes = 0
    private var omitted = 0

    /// Creates an empty list.
    init(isVerbose: Bool) { forms = FailureForms(isVerbose: isVerbose) }

    /// The causes that were not shown with every test.
    var repeated: [FailureForms.Group] { forms.repeated }

    /// Adds a failure.
    mutating func add(_ result: TestResult, names: [String], sizes: BodySizes, layout: ConsoleLayout) {
        switch forms.form(of: result, names: names) {
        case .counted: break
        case .whole where bytes < Self.maximumBytes:
            let failure = layout.failure(result, names, sizes: sizes)
            bytes += failure.text.plain.utf8.count
            if failure.isBlock { blocks.append(failure.text) } else { lines += failure.text.plain }
        case .line where bytes < Self.maximumBytes:
            let line = layout.failureLine(result, names)
            bytes += line.utf8.count
            lines += line
        case .whole, .line: omitted += 1
        }
    }

    /// Removes and returns the failures that are shown in full, and the lines of the others.
    mutating func takeAll() -> (blocks: [FoldableText], lines: String) {
        defer {
            blocks = []
            lines = ""
        }
        let more = omitted > 0 ? "… \(NumberText.count(omitted, "more failure"))\n" : ""
        return (blocks, lines + more)
    }
}
