import Diagnostics
import SuiteModel

/// The tests that did not pass, for the end of a long output: each with the place by which it can be run alone.
struct FailureList {
    private struct Entry {
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
                place: "\(range.file.name):\(range.start.line)", title: names.joined(separator: " › "),
                problem: DisplayWidth.printable(problem)))
    }

    /// The list, or nothing when the output was short enough to be seen whole.
    ///
    /// - Parameter recordPath: The report from which the tests can be run again.
    func text(painter: Painter, width: Int, recordPath: String?) -> String {
        guard lines > Self.longOutput, let example = entries.first else { return "" }
        var text = painter.paint("did not pass:", .bold) + "\n"
        let placeWidth = min(40, entries.map { DisplayWidth.of($0.place) }.max() ?? 0)
        for entry in entries {
            let place = DisplayWidth.printable(entry.place)
            let padding = TextFitting.spaces(placeWidth - DisplayWidth.of(place))
            let column = 2 + max(placeWidth, DisplayWidth.of(place)) + 2
            let title = TextFitting.cut(entry.title, to: max(20, width - column))
            var line = "  " + painter.paint(place, .place) + padding + "  " + title
            let room = width - column - DisplayWidth.of(title) - 2
            if room >= 16 {
                line += "  " + painter.paint(TextFitting.cut(entry.problem, to: room), .dim)
            }
            text += line + "\n"
        }
        if count > entries.count { text += "  … \(count - entries.count) more\n" }
        let again =
            recordPath.map { "again, all of these: the same command with --failed \(ShellQuoting.word($0))" }
            ?? "again, one of these: apitest \(ShellQuoting.word(example.place))"
        return text + "  " + painter.paint(again, .dim) + "\n\n"
    }
}
