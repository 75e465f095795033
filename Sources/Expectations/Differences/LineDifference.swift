import Basics
import JSON
import RunModel

/// The first and last difference between two texts, with the removed and added lines between them.
struct LineDifference {
    /// The maximum number of lines shown of either text.
    private static let limit = 10
    /// The maximum length of a shown line, in Unicode scalars.
    private static let width = 160

    /// The 1-based number of the first different line.
    let line: Int
    /// A one-sentence description.
    let message: MessageText
    /// The removed and added lines.
    let details: [MessageText]

    /// Creates the difference of two unequal texts.
    init(expected: String, actual: String) {
        let old = Self.lines(of: expected)
        let new = Self.lines(of: actual)
        var start = 0
        while start < min(old.count, new.count), old[start].utf8.elementsEqual(new[start].utf8) { start += 1 }
        var end = 0
        while end < min(old.count, new.count) - start,
            old[old.count - 1 - end].utf8.elementsEqual(new[new.count - 1 - end].utf8)
        {
            end += 1
        }
        let removed = old[start..<(old.count - end)]
        let added = new[start..<(new.count - end)]
        line = start + 1
        if removed.count == 1, added.count == 1, let gone = removed.first, let came = added.first {
            message = "line \(line): \(TextDifference.message(expected: String(gone), actual: String(came)))"
            details = []
        } else {
            message = "the text first differs at line \(line)"
            details = Self.shown(removed, "- ") + Self.shown(added, "+ ")
        }
    }

    private static func lines(of text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func shown(_ lines: ArraySlice<Substring>, _ mark: MessageText) -> [MessageText] {
        var shown: [MessageText] = lines.prefix(limit).map { line in
            let scalars = line.unicodeScalars
            return "\(mark)\(BriefWriter.visible(scalars.prefix(width)))\(scalars.dropFirst(width).isEmpty ? "" : "…")"
        }
        if lines.count > limit {
            shown.append("\(mark)… and \(ValueDescription.count(lines.count - limit, "more line"))")
        }
        return shown
    }
}

/// The rendering of structural differences as lines: only the changes, each with its location.
enum DifferenceLines {
    /// The maximum number of lines.
    static let limit = 20

    /// Returns the lines of a difference.
    ///
    /// - Parameter root: The path of the compared value, such as `$` or `$.data`.
    static func lines(_ difference: JSONDifference, root: String) -> [MessageText] {
        var lines = difference.changes.prefix(limit).map { line($0, root: root) }
        let rest = difference.changes.count - lines.count
        if rest > 0 { lines.append("… and \(ValueDescription.count(rest, "more difference"))") }
        return lines
    }

    /// Returns lines with the moved elements if two arrays differ only in the order of their elements, or nil
    /// otherwise.
    static func moved(_ expected: [JSONValue], _ actual: [JSONValue], root: String) -> [MessageText]? {
        guard expected.count == actual.count, expected.count > 1 else { return nil }
        var counts: [JSONValue: Int] = [:]
        for value in expected { counts[value, default: 0] += 1 }
        for value in actual {
            guard let count = counts[value], count > 0 else { return nil }
            counts[value] = count - 1
        }
        var lines: [MessageText] = []
        for (index, pair) in zip(expected, actual).enumerated() where pair.0 != pair.1 {
            lines.append(
                "\(root)[\(index)]: expected \(ValueDescription.typed(pair.0)), got \(ValueDescription.typed(pair.1))")
        }
        let rest = lines.count - limit
        return rest > 0 ? lines.prefix(limit) + ["… and \(ValueDescription.count(rest, "more difference"))"] : lines
    }

    /// Returns the line of a change, with one of the formats below.
    ///
    /// - `$.a: expected 1, got 2`
    /// - `- missing $.b: "x"`
    /// - `+ unexpected $.c: 1`
    /// - `~ moved from $[2] to $[0]: 3`
    static func line(_ change: JSONDifference.Change, root: String) -> MessageText {
        let path = root + change.path.dropFirst()
        if let origin = change.origin, let value = change.actual {
            return
                "~ moved from \(root)\(origin.shorthand.dropFirst()) to \(path): \(ValueDescription.plain(value))"
        }
        switch (change.expected, change.actual) {
        case (.some(.string(let expected)), .some(.string(let actual))):
            return "\(path): \(TextDifference.message(expected: expected, actual: actual))"
        case (let expected?, let actual?):
            return "\(path): expected \(ValueDescription.typed(expected)), got \(ValueDescription.typed(actual))"
        case (let expected?, nil): return "- missing \(path): \(ValueDescription.plain(expected))"
        case (nil, let actual?): return "+ unexpected \(path): \(ValueDescription.plain(actual))"
        case (nil, nil): return MessageText(path)
        }
    }
}
