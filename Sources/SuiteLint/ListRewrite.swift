import Diagnostics
import JSON
import SuiteModel
import YAML

/// Rewrites a matcher for one value as a matcher for a list with that value.
///
/// The new matcher holds for the list of one value if and only if the old one holds for the value.
enum ListRewrite {
    /// Returns the edits of a matcher; empty if it cannot be rewritten without changing its meaning or its layout.
    static func edits(_ matcher: Matcher) -> [TextEdit] {
        guard !asksForList(matcher) else { return [] }
        if matcher.operations.contains(where: { $0.operator.rejectsArrays }) {
            return replacement(matcher).map { [TextEdit(range: matcher.range, text: $0)] } ?? []
        }
        return matcher.operations.flatMap { operation -> [TextEdit] in
            switch operation.operator {
            case .all(let matchers), .either(let matchers): matchers.flatMap(edits)
            default: []
            }
        }
    }

    /// Returns whether an operator is for a list, so that the matcher never held for one value.
    private static func asksForList(_ matcher: Matcher) -> Bool {
        matcher.operations.contains { operation in
            switch operation.operator {
            case .each, .any, .none, .includes, .unique, .sorted: true
            case .not(let inner): asksForList(inner)
            case .all(let matchers), .either(let matchers): matchers.contains(where: asksForList)
            default: false
            }
        }
    }

    private static func replacement(_ matcher: Matcher) -> String? {
        let range = matcher.range
        guard !range.byteRange.isEmpty, !hasProperties(range) else { return nil }
        if let only = matcher.operations.first, matcher.operations.count == 1, only.range == range {
            return scalar(only, range).map { "[\($0)]" }
        }
        return range.text.hasPrefix("{") ? flow(range.text) : block(range)
    }

    /// Returns a mapping in braces below `each`, with quoted keys if it has them, as in JSON.
    private static func flow(_ text: String) -> String {
        let isQuoted = text.dropFirst().first { $0 != " " } == "\""
        return isQuoted ? "{ \"length\": 1, \"each\": \(text) }" : "{ length: 1, each: \(text) }"
    }

    /// Returns whether an anchor or a tag precedes a node, which the edit would separate from it.
    private static func hasProperties(_ range: SourceRange) -> Bool {
        let before = range.file.text[..<range.byteRange.lowerBound]
        let spaces = Array(" \t\r\n".utf8)
        let end = before.lastIndex { !spaces.contains($0) }
        guard let end else { return false }
        let start = before[...end].lastIndex { spaces.contains($0) }.map { $0 + 1 } ?? before.startIndex
        return [UInt8(ascii: "&"), UInt8(ascii: "!")].contains(before[start])
    }

    /// Returns a scalar as an element between brackets; nil for a scalar of several lines.
    private static func scalar(_ operation: Matcher.Operation, _ range: SourceRange) -> String? {
        let text = range.text
        guard range.isOneLine, case .equals(let operand) = operation.operator,
            let first = text.utf8.first, !"|>*".utf8.contains(first)
        else { return nil }
        if "\"'".utf8.contains(first) { return text }
        switch operand {
        case .constant(.string), .template: return YAMLText.scalar(text, in: .flow)
        case .constant, .array, .object: return text
        }
    }

    /// Returns a block mapping below `each`, with more indentation.
    private static func block(_ range: SourceRange) -> String? {
        let text = range.text
        guard !text.utf8.contains(UInt8(ascii: "\r")), !text.utf8.contains(UInt8(ascii: "\t")) else { return nil }
        let indentation = String(repeating: " ", count: Int(range.start.column) - 1)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            index == 0 || line.isEmpty ? String(line) : "  \(line)"
        }
        return "length: 1\n\(indentation)each:\n\(indentation)  \(lines.joined(separator: "\n"))"
    }
}
