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

    /// What is at other places, line by line, when two lists have the same elements in different orders; otherwise nil.
    static func moved(_ expected: [JSONValue], _ actual: [JSONValue], root: String) -> [String]? {
        guard expected.count == actual.count, expected.count > 1 else { return nil }
        var counts: [JSONValue: Int] = [:]
        for value in expected { counts[value, default: 0] += 1 }
        for value in actual {
            guard let count = counts[value], count > 0 else { return nil }
            counts[value] = count - 1
        }
        var lines: [String] = []
        for (index, pair) in zip(expected, actual).enumerated() where pair.0 != pair.1 {
            lines.append(
                "\(root)[\(index)]: expected \(ValueDescription.typed(pair.0)), got \(ValueDescription.typed(pair.1))")
        }
        let rest = lines.count - limit
        return rest > 0 ? lines.prefix(limit) + ["… and \(ValueDescription.count(rest, "more difference"))"] : lines
    }

    /// One change: `$.a: expected 1, got 2`, `- missing $.b: "x"`, `+ unexpected $.c: 1`, `~ moved $[0], expected at $[2]`.
    static func line(_ change: JSONDifference.Change, root: String) -> String {
        let path = root + change.path.dropFirst()
        if let origin = change.origin, let value = change.actual {
            return
                "~ moved \(path), expected at \(root)\(origin.shorthand.dropFirst()): \(ValueDescription.plain(value))"
        }
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
