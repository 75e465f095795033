import OpenAPI

/// A comparison as JUnit test cases for CI servers. Each failing change is a failed test case.
struct JUnitChanges {
    private let report: ComparisonReport

    /// Creates the XML of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// The XML.
    var text: String {
        let failures = report.changes.count(where: report.fails)
        let total = report.shown.count + report.ignored.count
        let name = "\(report.oldName) -> \(report.newName)"
        let counts =
            "tests=\"\(max(total, 1))\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(report.ignored.count)\""
        var output = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        output += "<testsuites name=\"apitest contract diff\" \(counts)>\n"
        output += "  <testsuite name=\(Self.quoted(name)) \(counts)>\n"
        output += "    <properties>\n      <property name=\"summary\" value=\(Self.quoted(report.summary))/>\n"
        output += "    </properties>\n"
        if total == 0 {
            output += "    <testcase classname=\"apitest contract diff\" name=\(Self.quoted(report.summary))/>\n"
        }
        for change in report.shown {
            let text = "\(change.level.rawValue): \(change.message)\n\(change.id)\n\(report.placesText(change))"
            output += Self.start(change)
            if report.fails(change) {
                output += "      <failure type=\(Self.quoted(change.id)) message=\(Self.quoted(change.message))>"
                output += Self.escaped(text) + "</failure>\n"
            } else {
                output += "      <system-out>" + Self.escaped(text) + "</system-out>\n"
            }
            output += "    </testcase>\n"
        }
        for (change, entry) in report.ignored {
            output += Self.start(change)
            output += "      <skipped message=\(Self.quoted("ignored: \(entry.reason)"))/>\n    </testcase>\n"
        }
        return output + "  </testsuite>\n</testsuites>\n"
    }

    private static func start(_ change: Change) -> String {
        let name = "\(change.message) [\(change.id)]"
        return "    <testcase classname=\(quoted(change.operation ?? "the whole description")) name=\(quoted(name))>\n"
    }

    private static func quoted(_ text: String) -> String { "\"\(escapedLine(text))\"" }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { escapedLine(String($0)) }
            .joined(separator: "\n")
    }

    /// Returns a string on a single line, with escapes for characters that XML 1.0 does not allow (section 2.2).
    private static func escapedLine(_ text: String) -> String {
        let scalars = HTMLChanges.escaped(text).unicodeScalars.map { $0 == "\u{FFFE}" || $0 == "\u{FFFF}" ? "?" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
