import Diagnostics

/// A comparison for people: the numbers of changes, then by operation a line for each change and one for its id and places.
struct TextChanges {
    private let report: ComparisonReport
    private let color: Bool

    /// Creates the text of a report.
    init(_ report: ComparisonReport, color: Bool) {
        self.report = report
        self.color = color
    }

    /// The text.
    var text: String {
        var output = styled(DisplayWidth.printable(report.headline), "1") + "\n"
        for (operation, changes) in report.groups {
            output += "\n" + styled(operation.map(DisplayWidth.printable) ?? "The whole description", "1") + "\n"
            for change in changes {
                let name = change.level.rawValue
                let padding = String(repeating: " ", count: 10 - name.count)
                output += "  \(styled(name, Self.style(change.level)))\(padding)"
                output += DisplayWidth.printable(change.message) + "\n"
                output += String(repeating: " ", count: 12)
                output += styled(DisplayWidth.printable("\(change.id)  \(report.placesText(change))"), "2") + "\n"
            }
        }
        if !report.ignored.isEmpty {
            output += "\n" + styled("Ignored", "1") + "\n"
            for (change, entry) in report.ignored {
                let place = change.operation.map { " (\($0))" } ?? ""
                output += "  " + DisplayWidth.printable("\(change.message)\(place): \(entry.reason)") + "\n"
            }
        }
        return output
    }

    private static func style(_ level: ChangeLevel) -> String {
        switch level {
        case .breaking: "1;31"
        case .warning: "33"
        case .info: "36"
        }
    }

    private func styled(_ text: String, _ style: String) -> String {
        color ? "\u{1B}[\(style)m\(text)\u{1B}[0m" : text
    }
}
