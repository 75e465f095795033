import Diagnostics

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
