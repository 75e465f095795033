import Diagnostics
public import JSON
import Output
public import RunRecord

/// Descriptions of trends in words.
enum TrendText {
    /// Returns the number of tests of each kind, such as `2 new failures, 1 fixed`, or `nil` if there are none.
    static func counts(of trends: Trends) -> String? {
        var parts: [String] = []
        if trends.newFailures.count > 0 { parts.append(NumberText.count(trends.newFailures.count, "new failure")) }
        if trends.stillFailing.count > 0 { parts.append("\(trends.stillFailing.count) still failing") }
        if trends.fixed.count > 0 { parts.append("\(trends.fixed.count) fixed") }
        if trends.flaky.count > 0 { parts.append("\(trends.flaky.count) flaky") }
        if trends.slower.count > 0 { parts.append("\(trends.slower.count) slower") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Returns the description of a test that newly failed.
    static func newFailure(_ test: Trends.Test) -> String {
        test.streakBefore == 0
            ? "failed in its first run (\(moment(test.since)))"
            : "failed at \(moment(test.since)), passed in \(before(test))"
    }

    /// Returns the description of a test that has failed in several runs.
    static func stillFailing(_ test: Trends.Test) -> String {
        "failing since \(moment(test.since)) (\(NumberText.count(test.streak, "run")))"
            + (test.streakBefore > 0 ? ", passed in \(before(test))" : "")
    }

    /// Returns the description of a test that passes again.
    static func fixed(_ test: Trends.Test) -> String {
        "passed at \(moment(test.since)), failed in \(before(test))"
    }

    /// Returns the description of a flaky test.
    static func flaky(_ test: Trends.Test) -> String {
        var parts: [String] = []
        if test.changes + test.changesInRevision > 0 {
            var text =
                "failed in \(test.failuresOnContent) of \(NumberText.count(test.runsOnContent, "run")) of the same suite content"
            if test.changesInRevision > 0 {
                text += ", with \(NumberText.count(test.changesInRevision, "outcome change")) within a revision"
            } else {
                text += ", with \(NumberText.count(test.changes, "outcome change"))"
            }
            parts.append(text)
        }
        if test.retried > 0 {
            parts.append("passed only after a retry in \(NumberText.count(test.retried, "run"))")
        }
        if test.hasFailed { parts.append("failed in the last run") }
        return parts.joined(separator: "; ")
    }

    /// Returns the description of a test that has become slower.
    static func slower(_ test: Trends.Test) -> String {
        guard let duration = test.duration, let median = test.median else { return "" }
        return "\(DurationText.text(duration)), compared with a median of \(DurationText.text(median)) in "
            + NumberText.count(test.samples, "previous run")
    }

    /// Returns the nonempty kinds of trends with their headings, tests, and descriptions, most important first.
    static func sections(
        of trends: Trends
    ) -> [(title: String, tests: Trends.List, text: (Trends.Test) -> String)] {
        [
            ("New failures", trends.newFailures, newFailure), ("Still failing", trends.stillFailing, stillFailing),
            ("Fixed", trends.fixed, fixed), ("Flaky", trends.flaky, flaky),
            ("Slower", trends.slower, slower),
        ].filter { $0.1.count > 0 }
    }

    /// Returns the number of runs, their period, and the share of failures.
    static func overview(of trends: Trends) -> String {
        var text = NumberText.count(trends.runs, "run")
        if trends.runs > 1 { text += " from \(moment(trends.firstStart)) to \(moment(trends.lastStart))" }
        text += ": \(NumberText.count(trends.results, "result")), \(percentage(trends)) failed"
        if trends.unreadable > 0 { text += "; \(NumberText.count(trends.unreadable, "file")) cannot be read" }
        return text
    }

    /// Returns a point in time in UTC.
    static func moment(_ seconds: Double) -> String { Timestamp.text(seconds) + "Z" }

    /// Returns the share of failures in percent with one decimal.
    private static func percentage(_ trends: Trends) -> String {
        guard trends.results > 0 else { return "0%" }
        let tenths = (trends.failures * 1_000 + trends.results / 2) / trends.results
        return tenths == 0 && trends.failures > 0 ? "less than 0.1%" : "\(tenths / 10).\(tenths % 10)%"
    }

    private static func before(_ test: Trends.Test) -> String {
        test.streakBefore == 1 ? "the run before" : "the \(test.streakBefore) runs before"
    }
}

extension Trends {
    /// Returns the trends as text with a section for each kind.
    ///
    /// - Parameter color: Whether to color headings with terminal control sequences.
    public func text(color: Bool = false) -> String {
        let painter = Painter(color: color)
        var text = TrendText.overview(of: self) + "\n"
        for (title, list, sentence) in TrendText.sections(of: self) {
            text += "\n" + painter.paint("\(title) (\(list.count))", .bold) + "\n"
            for test in list.tests {
                var name = "\(test.suite) › \(test.name)"
                if let environment = test.environment { name += " (\(environment))" }
                text += "  " + DisplayWidth.printable(name) + "\n      " + painter.paint(sentence(test), .dim) + "\n"
            }
            if list.count > list.tests.count { text += "  … and \(list.count - list.tests.count) more\n" }
        }
        if isEmpty { text += "\nNo failing, flaky or slower tests.\n" }
        return text
    }

    /// The trends as Markdown with a table for each kind.
    public var markdown: String {
        "# Trends\n\n\(TrendText.overview(of: self)).\n\n" + markdownSections(level: "##", limit: .max)
            + (isEmpty ? "No failing, flaky or slower tests.\n" : "")
    }

    /// Returns the tables of the trends as Markdown.
    ///
    /// - Parameters:
    ///   - level: The marker of headings, such as `##`.
    ///   - limit: The maximum number of bytes. Tests beyond it are only counted.
    func markdownSections(level: String, limit: Int) -> String {
        var text = ""
        for (title, list, sentence) in TrendText.sections(of: self) {
            var section = "\(level) \(title)\n\n" + MarkdownText.head("Test", "")
            var shown = 0
            for test in list.tests {
                let environment = test.environment.map { " (\($0))" } ?? ""
                let name = MarkdownText.code("\(test.suite) › \(test.name)\(environment)", inTable: true)
                let row = MarkdownText.row(name, sentence(test))
                guard text.utf8.count + section.utf8.count + row.utf8.count + 40 <= limit else { break }
                section += row
                shown += 1
            }
            section += list.count > shown ? "\n… and \(list.count - shown) more\n\n" : "\n"
            if text.utf8.count + section.utf8.count <= limit { text += section }
        }
        return text
    }

    /// The trends as JSON.
    public var json: JSONValue {
        var object = JSONObject()
        object.append("runs", .number(JSONNumber(runs)))
        object.append("first", .string(TrendText.moment(firstStart)))
        object.append("last", .string(TrendText.moment(lastStart)))
        object.append("results", .number(JSONNumber(results)))
        object.append("failures", .number(JSONNumber(failures)))
        object.append("unreadableFiles", .number(JSONNumber(unreadable)))
        for (name, list) in [
            ("newFailures", newFailures), ("stillFailing", stillFailing), ("fixed", fixed), ("flaky", flaky),
            ("slower", slower),
        ] {
            object.append(
                name,
                .object([
                    "count": .number(JSONNumber(list.count)), "tests": .array(list.tests.map(Self.json)),
                ]))
        }
        return .object(object)
    }

    private static func json(_ test: Test) -> JSONValue {
        var object = JSONObject()
        object.append("suite", .string(test.suite))
        object.append("file", .string(test.file))
        if let environment = test.environment { object.append("environment", .string(environment)) }
        object.append("test", .string(test.name))
        object.append("status", .string(test.hasFailed ? "failed" : "passed"))
        object.append("since", .string(TrendText.moment(test.since)))
        object.append("runsSince", .number(JSONNumber(test.streak)))
        object.append("runs", .number(JSONNumber(test.runs)))
        object.append("failures", .number(JSONNumber(test.failures)))
        object.append(
            "onContent",
            .object([
                "runs": .number(JSONNumber(test.runsOnContent)),
                "failures": .number(JSONNumber(test.failuresOnContent)),
                "changes": .number(JSONNumber(test.changes)),
                "changesInRevision": .number(JSONNumber(test.changesInRevision)),
                "retried": .number(JSONNumber(test.retried)),
            ]))
        if let duration = test.duration, let median = test.median {
            object.append("duration", .number(JSONNumber(duration)))
            object.append("median", .number(JSONNumber(median)))
            object.append("medianOf", .number(JSONNumber(test.samples)))
        }
        return .object(object)
    }
}
