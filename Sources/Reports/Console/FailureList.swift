import Diagnostics
import SuiteModel

/// The tests that did not pass, for the end of a long output: each with the location by which it can be run alone.
struct FailureList {
    private struct Entry {
        var suite: Int
        var position: Int
        var place: String
        var title: String
        var problem: String
    }

    /// Tests that are listed.
    private static let most = 30
    /// Lines after the first failure from which on the list is worth its space.
    private static let longOutput = 50

    private var entries: [Entry] = []
    private var count = 0
    private var lines = 0

    /// Notes lines that were written.
    mutating func note(_ text: String) {
        guard count > 0, lines <= Self.longOutput else { return }
        lines += text.utf8.count { $0 == 0x0A }
    }

    /// Adds a test that did not pass.
    mutating func add(_ result: TestResult, names: [String]) {
        count += 1
        guard entries.count < Self.most else { return }
        let findings = (result.steps.first(where: \.outcome.isFailure) ?? result.steps.first)?.findings ?? []
        let first = findings.first { $0.kind == .error } ?? findings.first
        var problem = first.map { "\($0.subject): \($0.message)" } ?? ""
        if findings.count > 1 { problem += " (and \(findings.count - 1) more)" }
        let range = result.test.range
        entries.append(
            Entry(
                suite: result.test.suite, position: result.test.position,
                place: "\(range.file.name):\(range.start.line)", title: names.joined(separator: " › "),
                problem: DisplayWidth.printable(problem)))
    }

    /// The list, or nothing when the output was short enough to be seen whole.
    ///
    /// - Parameters:
    ///   - recordPath: The report from which the tests can be run again.
    ///   - repeated: The arguments of the program without which they would run otherwise.
    func text(_ layout: ConsoleLayout, recordPath: String?, repeated: RepeatArguments) -> String {
        // Failures come as they happen; a list is read in the order of the files.
        let entries = entries.sorted { ($0.suite, $0.position) < ($1.suite, $1.position) }
        guard lines > Self.longOutput, let example = entries.first else { return "" }
        let painter = layout.painter
        var text = painter.paint("did not pass:", .bold) + "\n"
        let placeWidth = min(40, entries.map { DisplayWidth.of($0.place) }.max() ?? 0)
        for entry in entries {
            let place = DisplayWidth.printable(entry.place)
            let padding = TextFitting.spaces(placeWidth - DisplayWidth.of(place))
            let column = 2 + max(placeWidth, DisplayWidth.of(place)) + 2
            let title = TextFitting.cut(entry.title, to: max(20, layout.longest - column))
            var line = "  " + painter.paint(place, .place) + padding + "  " + title
            let room = layout.longest - column - DisplayWidth.of(title) - 2
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
            return "again, one of these: " + ShellQuoting.command(["apitest", example.place] + repeated.options)
        }
        if repeated.paths.isEmpty, repeated.options.isEmpty {
            return "again, all of these: the same command with " + ShellQuoting.command(["--failed", recordPath])
        }
        return "again, all of these: "
            + ShellQuoting.command(["apitest"] + repeated.paths + repeated.options + ["--failed", recordPath])
    }
}
