import JSON

/// A structural difference as lines: only what changed, each with its place.
enum DifferenceLines {
    /// The most lines that are shown.
    private static let limit = 20

    /// The lines of a difference.
    ///
    /// - Parameter root: What stands for the compared value in paths, such as `$` or `$.data`.
    static func lines(_ difference: JSONDifference, root: String) -> [String] {
        var lines = difference.changes.prefix(limit).map { line($0, root: root) }
        let rest = difference.changes.count - lines.count
        if rest > 0 { lines.append("… and \(ValueDescription.count(rest, "more difference"))") }
        return lines
    }

    /// One change: `$.a: expected 1, got 2`, `- missing $.b: "x"`, `+ unexpected $.c: 1`.
    static func line(_ change: JSONDifference.Change, root: String) -> String {
        let path = root + change.path.dropFirst()
        switch (change.expected, change.actual) {
        case (.some(.string(let expected)), .some(.string(let actual))):
            return "\(path): \(TextDifference.message(expected: expected, actual: actual))"
        case (let expected?, let actual?):
            return "\(path): expected \(ValueDescription.typed(expected)), got \(ValueDescription.typed(actual))"
        case (let expected?, nil): return "- missing \(path): \(ValueDescription.plain(expected))"
        case (nil, let actual?): return "+ unexpected \(path): \(ValueDescription.plain(actual))"
        case (nil, nil): return path
        }
    }
}
