import Diagnostics
public import OpenAPI

/// The result of a comparison, as it is shown.
public struct ComparisonReport: Sendable {
    /// How it is shown.
    public enum Format: String, Sendable, CaseIterable {
        case text, json, markdown, junit, github, html
    }

    /// What the old description is called.
    public var oldName: String
    /// What the new description is called.
    public var newName: String
    /// The changes that count: by operation in the order of the first of each, breaking ones first in each; those of the
    /// whole description last.
    public let changes: [Change]
    /// The changes that were accepted, each with the reason.
    public let ignored: [(change: Change, entry: IgnoredChanges.Entry)]
    /// From which level on a change fails; nil for none.
    public var failOn: ChangeLevel?
    /// The level from which on changes are shown; what fails is shown in any case.
    public var level: ChangeLevel
    /// The places in the files; many changes share one, and to find one takes a look through the file.
    private let ranges: [DescriptionNode: SourceRange]

    /// Creates a report.
    public init(
        oldName: String, newName: String, changes: [Change],
        ignored: [(change: Change, entry: IgnoredChanges.Entry)] = [], failOn: ChangeLevel? = .breaking,
        level: ChangeLevel = .info
    ) {
        self.oldName = oldName
        self.newName = newName
        self.changes = Self.grouped(changes).flatMap { group in
            [ChangeLevel.breaking, .warning, .info].flatMap { level in group.changes.filter { $0.level == level } }
        }
        self.ignored = ignored
        self.failOn = failOn
        self.level = level
        var ranges: [DescriptionNode: SourceRange] = [:]
        for change in changes + ignored.map(\.change) {
            for node in [change.oldPlace, change.newPlace] {
                if let node, ranges[node] == nil { ranges[node] = node.keyRange }
            }
        }
        self.ranges = ranges
    }

    /// The place of a node of a change.
    func range(of node: DescriptionNode?) -> SourceRange? { node.flatMap { ranges[$0] } }

    /// Both places of a change as text: `old.yaml:3:5 -> new.yaml:4:5`.
    func placesText(_ change: Change) -> String {
        [change.oldPlace, change.newPlace].compactMap { range(of: $0).map { "\($0)" } }.joined(separator: " -> ")
    }

    /// Whether a change fails.
    public var hasFailed: Bool { changes.contains(where: fails) }

    /// Whether a change is of a level that fails.
    func fails(_ change: Change) -> Bool { failOn.map { change.level >= $0 } ?? false }

    /// The report as text.
    ///
    /// - Parameter color: Whether a terminal shows it in colors; of the format text alone.
    public func rendered(as format: Format, color: Bool = false) -> String {
        switch format {
        case .text: TextChanges(self, color: color).text
        case .json: JSONChanges(self).text
        case .markdown: MarkdownChanges(self).text
        case .junit: JUnitChanges(self).text
        case .github: GitHubChanges(self).text
        case .html: HTMLChanges(self).text
        }
    }

    /// The changes that are shown.
    var shown: [Change] { changes.filter { $0.level >= level || fails($0) } }

    /// The first line of every format: the descriptions and the numbers of changes.
    var headline: String { "\(oldName) -> \(newName): \(summary)" }

    /// The numbers of changes by level: `2 breaking changes, 1 warning, 3 notes`.
    var summary: String {
        var parts: [String] = []
        for level in [ChangeLevel.breaking, .warning, .info] {
            let count = changes.count { $0.level == level }
            guard count > 0 else { continue }
            let noun =
                switch level {
                case .breaking: count == 1 ? "breaking change" : "breaking changes"
                case .warning: count == 1 ? "warning" : "warnings"
                case .info: count == 1 ? "compatible change" : "compatible changes"
                }
            parts.append("\(count) \(noun)")
        }
        if !ignored.isEmpty { parts.append("\(ignored.count) ignored") }
        let hidden = changes.count - shown.count
        if hidden > 0 { parts.append("\(hidden) not shown") }
        return parts.isEmpty ? "no change" : parts.joined(separator: ", ")
    }

    /// The changes that are shown by what they concern.
    var groups: [(operation: String?, changes: [Change])] { Self.grouped(shown) }

    private static func grouped(_ changes: [Change]) -> [(operation: String?, changes: [Change])] {
        var groups: [(operation: String?, changes: [Change])] = []
        var positions: [String: Int] = [:]
        var whole: [Change] = []
        for change in changes {
            guard let operation = change.operation else {
                whole.append(change)
                continue
            }
            if let position = positions[operation] {
                groups[position].changes.append(change)
            } else {
                positions[operation] = groups.count
                groups.append((operation, [change]))
            }
        }
        if !whole.isEmpty { groups.append((nil, whole)) }
        return groups
    }
}

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

/// A comparison as annotations of the new description's files.
struct GitHubChanges {
    private let report: ComparisonReport

    /// Creates the text of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// Workflow commands: one with the numbers of changes, and one for each change.
    var text: String {
        let summary = Diagnostic(id: "contract-diff", severity: .note, message: report.headline)
        return GitHubRenderer().render(
            [summary]
                + report.shown.map { change in
                    let severity: Severity =
                        switch change.level {
                        case .breaking: .error
                        case .warning: .warning
                        case .info: .note
                        }
                    let related =
                        report.range(of: change.oldPlace).map { [Diagnostic.Related(message: "before", range: $0)] }
                        ?? []
                    let message = change.operation.map { "\($0): \(change.message)" } ?? change.message
                    return Diagnostic(
                        id: change.id, severity: severity, message: message, range: report.range(of: change.newPlace),
                        related: related)
                })
    }
}
