import Diagnostics

/// The result of a comparison, as it is shown.
public struct ComparisonReport: Sendable {
    /// How it is shown.
    public enum Format: String, Sendable, CaseIterable {
        case text, json, markdown, junit, github
    }

    /// What the old description is called.
    public var oldName: String
    /// What the new description is called.
    public var newName: String
    /// The changes that count.
    public let changes: [Change]
    /// The changes that were accepted, each with the reason.
    public let ignored: [(change: Change, entry: IgnoredChanges.Entry)]
    /// From which level on a change fails; nil for none.
    public var failOn: ChangeLevel?
    /// The places in the files; many changes share one, and to find one takes a look through the file.
    private let ranges: [DescriptionNode: SourceRange]

    /// Creates a report.
    public init(
        oldName: String, newName: String, changes: [Change],
        ignored: [(change: Change, entry: IgnoredChanges.Entry)] = [], failOn: ChangeLevel? = .breaking
    ) {
        self.oldName = oldName
        self.newName = newName
        self.changes = changes
        self.ignored = ignored
        self.failOn = failOn
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
    /// - Parameter color: Whether a terminal shows it in colours; of the format text alone.
    public func rendered(as format: Format, color: Bool = false) -> String {
        switch format {
        case .text: TextChanges(self, color: color).text
        case .json: JSONChanges(self).text
        case .markdown: MarkdownChanges(self).text
        case .junit: JUnitChanges(self).text
        case .github: GitHubChanges(self).text
        }
    }

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
        return parts.isEmpty ? "no change" : parts.joined(separator: ", ")
    }

    /// The changes by what they concern, in the order of the first of each; those of the whole description last.
    var groups: [(operation: String?, changes: [Change])] {
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
