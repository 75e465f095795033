import Diagnostics
public import JSON

extension Trends {
    /// The trends as text, a section for each kind.
    ///
    /// - Parameter color: Whether headings are coloured with terminal control sequences.
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
        if isEmpty { text += "\nNo test fails, is flaky or has become slower.\n" }
        return text
    }

    /// The trends as Markdown, a table for each kind.
    public var markdown: String {
        "# Trends\n\n\(TrendText.overview(of: self)).\n\n" + markdownSections(level: "##", limit: .max)
            + (isEmpty ? "No test fails, is flaky or has become slower.\n" : "")
    }

    /// The tables of a page in Markdown.
    ///
    /// - Parameters:
    ///   - level: What stands before a heading.
    ///   - limit: The most bytes; what does not fit is counted.
    func markdownSections(level: String, limit: Int) -> String {
        var text = ""
        for (title, list, sentence) in TrendText.sections(of: self) {
            var section = "\(level) \(title)\n\n| Test | |\n| --- | --- |\n"
            var shown = 0
            for test in list.tests {
                let environment = test.environment.map { " (\($0))" } ?? ""
                let name = MarkdownText.code("\(test.suite) › \(test.name)\(environment)", inTable: true)
                let row = "| \(name) | \(sentence(test)) |\n"
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
