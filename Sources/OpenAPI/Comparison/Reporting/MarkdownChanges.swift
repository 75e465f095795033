import Diagnostics

/// A comparison for a comment or a summary: a table for each operation.
struct MarkdownChanges {
    private let report: ComparisonReport

    /// Creates the text of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// The text, in the Markdown of GitHub and GitLab.
    var text: String {
        var output = "# \(Self.code(report.oldName)) → \(Self.code(report.newName))\n\n\(report.summary)\n"
        for (operation, changes) in report.groups {
            output += "\n## \(operation.map(Self.code) ?? "The whole description")\n\n"
            output += "| level | change | check | place |\n| --- | --- | --- | --- |\n"
            for change in changes {
                let level = change.level == .breaking ? "**breaking**" : change.level.rawValue
                let places = [change.oldPlace, change.newPlace].compactMap {
                    report.range(of: $0).map { Self.code("\($0)") }
                }
                output += "| \(level) | \(Self.escaped(change.message)) | \(Self.code(change.id)) "
                output += "| \(places.joined(separator: " → ")) |\n"
            }
        }
        if !report.ignored.isEmpty {
            output += "\n## Ignored\n\n| operation | change | check | reason |\n| --- | --- | --- | --- |\n"
            for (change, entry) in report.ignored {
                output += "| \(change.operation.map(Self.code) ?? "") | \(Self.escaped(change.message)) "
                output += "| \(Self.code(change.id)) | \(Self.escaped(entry.reason)) |\n"
            }
        }
        return output
    }

    /// A text as a code span in a cell, where nothing in it has a meaning.
    private static func code(_ text: String) -> String {
        let text = DisplayWidth.printable(text)
        var longest = 0
        var run = 0
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        let space = longest > 0 ? " " : ""
        return fence + space + text.replacing("|", with: "\\|") + space + fence
    }

    /// A text in a cell, with a reference in place of each character that has a meaning.
    static func escaped(_ text: String) -> String {
        var result = ""
        var isAfterColon = false
        for scalar in DisplayWidth.printable(text).unicodeScalars {
            // Before anything but a space, a colon makes an address or an emoji.
            if isAfterColon { result += scalar == " " ? ":" : "&#58;" }
            isAfterColon = scalar == ":"
            switch scalar {
            case ":": break
            case "&", "<", ">", "|", "\\", "`", "*", "_", "[", "]", "~", "#", "@": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return isAfterColon ? result + ":" : result
    }
}
