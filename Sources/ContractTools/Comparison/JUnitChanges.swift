import Diagnostics
import OpenAPI
import Output

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
        output += "  <testsuite\(Self.attribute("name", name)) \(counts)>\n"
        output += "    <properties>\n      <property name=\"summary\"\(Self.attribute("value", report.summary))/>\n"
        output += "    </properties>\n"
        if total == 0 {
            output += "    <testcase classname=\"apitest contract diff\"\(Self.attribute("name", report.summary))/>\n"
        }
        for change in report.shown {
            let lines = "\(change.level.rawValue): \(change.message)\n\(change.id)\n\(report.locationsText(change))"
            let text = lines.split(separator: "\n", omittingEmptySubsequences: false).map { Self.escaped(String($0)) }
                .joined(separator: "\n")
            output += Self.start(change)
            if report.fails(change) {
                output +=
                    "      <failure\(Self.attribute("type", change.id))\(Self.attribute("message", change.message))>"
                output += text + "</failure>\n"
            } else {
                output += "      <system-out>" + text + "</system-out>\n"
            }
            output += "    </testcase>\n"
        }
        for (change, entry) in report.ignored {
            output += Self.start(change)
            output += "      <skipped\(Self.attribute("message", "ignored: \(entry.reason)"))/>\n    </testcase>\n"
        }
        return output + "  </testsuite>\n</testsuites>\n"
    }

    private static func start(_ change: Change) -> String {
        let operation = attribute("classname", change.operation ?? "the whole description")
        return "    <testcase\(operation)\(attribute("name", "\(change.message) [\(change.id)]"))>\n"
    }

    private static func attribute(_ name: String, _ value: String) -> String { " \(name)=\"\(escaped(value))\"" }

    /// Returns a string on a single line, escaped for character data and attribute values.
    private static func escaped(_ text: String) -> String {
        var output: [UInt8] = []
        XMLText.append(DisplayWidth.printable(text), to: &output, isAttribute: true)
        return String(decoding: output, as: UTF8.self)
    }
}
