import Basics
import Diagnostics
public import OpenAPI
import Output

/// The result of a comparison, ready for rendering.
public struct ComparisonReport: Sendable {
    /// A format of a report.
    public enum Format: String, Sendable, CaseIterable {
        case text, json, markdown, junit, github, html
    }

    /// The name of the old description.
    public var oldName: String
    /// The name of the new description.
    public var newName: String
    /// The relevant changes, grouped by operation, with breaking changes first in each group.
    ///
    /// Operations appear in the order of their first change. Changes of the whole description come last.
    public let changes: [Change]
    /// The accepted changes with their entries, which state the reason.
    public let ignored: [(change: Change, entry: IgnoredChanges.Entry)]
    /// The minimum level of changes that fail the comparison, or `nil` if no change does.
    public var failOn: ChangeLevel?
    /// The minimum level of changes to show. Failing changes are always shown.
    public var level: ChangeLevel
    /// The source ranges by node. Many changes share a node, and finding a range requires a scan of the file.
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
            for node in [change.oldLocation, change.newLocation] {
                if let node, ranges[node] == nil { ranges[node] = node.keyRange }
            }
        }
        self.ranges = ranges
    }

    /// Returns the source range of a node in a change.
    func range(of node: DescriptionNode?) -> SourceRange? { node.flatMap { ranges[$0] } }

    /// Returns both locations of a change as a string: `old.yaml:3:5 -> new.yaml:4:5`.
    func locationsText(_ change: Change) -> String {
        [change.oldLocation, change.newLocation].compactMap { range(of: $0).map { "\($0)" } }.joined(separator: " -> ")
    }

    /// A Boolean value that indicates whether any change fails the comparison.
    public var hasFailed: Bool { changes.contains(where: fails) }

    /// Returns whether the level of a change fails the comparison.
    func fails(_ change: Change) -> Bool { failOn.map { change.level >= $0 } ?? false }

    /// Returns the report in a format.
    ///
    /// - Parameter color: Whether to use terminal colors, in the format `text` only.
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

    /// The changes to show.
    var shown: [Change] { changes.filter { $0.level >= level || fails($0) } }

    /// The first line of every format, with the names of the descriptions and the numbers of changes.
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
        return parts.isEmpty ? "no changes" : parts.joined(separator: ", ")
    }

    /// The changes to show, grouped by operation.
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

/// A comparison as plain text: a summary, then two lines for each change, grouped by operation.
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
                output += styled(DisplayWidth.printable("\(change.id)  \(report.locationsText(change))"), "2") + "\n"
            }
        }
        if !report.ignored.isEmpty {
            output += "\n" + styled("Ignored", "1") + "\n"
            for (change, entry) in report.ignored {
                let location = change.operation.map { " (\($0))" } ?? ""
                output += "  " + DisplayWidth.printable("\(change.message)\(location): \(entry.reason)") + "\n"
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

/// A comparison as Markdown for a comment or a summary, with a table for each operation.
struct MarkdownChanges {
    private let report: ComparisonReport

    /// Creates the Markdown of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// The text, in the Markdown dialect of GitHub and GitLab.
    var text: String {
        var output = "# \(Self.code(report.oldName)) → \(Self.code(report.newName))\n\n\(report.summary)\n"
        for (operation, changes) in report.groups {
            output += "\n## \(operation.map(Self.code) ?? "The whole description")\n\n"
            output += MarkdownText.head("level", "change", "check", "location")
            for change in changes {
                let level = change.level == .breaking ? "**breaking**" : change.level.rawValue
                let locations = [change.oldLocation, change.newLocation].compactMap {
                    report.range(of: $0).map { Self.code("\($0)") }
                }
                output += MarkdownText.row(
                    level, Self.escaped(change.message), Self.code(change.id), locations.joined(separator: " → "))
            }
        }
        if !report.ignored.isEmpty {
            output += "\n## Ignored\n\n" + MarkdownText.head("operation", "change", "check", "reason")
            for (change, entry) in report.ignored {
                output += MarkdownText.row(
                    change.operation.map(Self.code) ?? "", Self.escaped(change.message), Self.code(change.id),
                    Self.escaped(entry.reason))
            }
        }
        return output
    }

    /// Returns a string as a code span in a table cell, where nothing has a special meaning.
    private static func code(_ text: String) -> String {
        MarkdownText.code(text, limit: 10_000).replacing("|", with: "\\|")
    }

    /// Returns a string for a table cell, with character references for special characters.
    static func escaped(_ text: String) -> String {
        var result = ""
        var isAfterColon = false
        for scalar in DisplayWidth.printable(text).unicodeScalars {
            // A colon that is not followed by a space can form a URL or an emoji.
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

/// A comparison as GitHub annotations on the files of the new description.
struct GitHubChanges {
    private let report: ComparisonReport

    /// Creates the annotations of a report.
    init(_ report: ComparisonReport) {
        self.report = report
    }

    /// The workflow commands: one with the summary, and one for each change.
    var text: String {
        let summary = Diagnostic(id: "contract-diff", severity: .note, message: MessageText(report.headline))
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
                        report.range(of: change.oldLocation).map { [Diagnostic.Related(message: "before", range: $0)] }
                        ?? []
                    let message: MessageText =
                        change.operation.map { "\($0): \(change.message)" } ?? MessageText(change.message)
                    return Diagnostic(
                        id: change.id, severity: severity, message: message,
                        range: report.range(of: change.newLocation),
                        related: related)
                })
    }
}
