import Basics
import JSON
import RegularExpressions

/// Notes on failed comparisons whose reason the values alone do not make obvious.
enum ExplanationNotes {
    /// The length at which displayed strings are truncated; for longer ones, the notes state the position of the
    /// difference.
    private static let shownLength = 40
    /// The maximum length of strings to analyze.
    private static let maximumLength = 1_000_000
    /// The maximum length in characters of a value in a note.
    private static let valueLength = 40
    /// The maximum length of lists to compare regardless of order.
    private static let maximumReordered = 100

    // MARK: Equality

    /// Explains why two values are not equal; returns nil if it is obvious.
    static func difference(_ left: CELValue, _ right: CELValue) -> MessageText? {
        switch (left, right) {
        case (.string(let first), .string(let second)): return difference(first, second)
        case (.list(let first), .list(let second)):
            return isReordered(first, second)
                ? "they have the same elements in a different order" : location(left, right)
        case (.map, .map): return location(left, right)
        case (.null, _), (_, .null): return nil
        default: break
        }
        if isNumber(left), isNumber(right) { return nearness(left, right) }
        guard left.typeName != right.typeName else { return nil }
        let message: MessageText = "\(left.typeName) and \(right.typeName) are never equal"
        switch (left, right) {
        case (.string, _) where isNumber(right), (_, .string) where isNumber(left):
            return message + "; to convert, write string(x), int(x) or double(x)"
        case (.string, .timestamp), (.timestamp, .string): return message + "; to parse a string, write timestamp(x)"
        case (.string, .duration), (.duration, .string): return message + "; to parse a string, write duration(x)"
        case (.string, .bytes), (.bytes, .string): return message + "; to convert, write bytes(x) or string(x)"
        case (.optional, _), (_, .optional): return message + "; for the value of an optional, write x.value()"
        default: return message
        }
    }

    private static func difference(_ left: String, _ right: String) -> MessageText? {
        guard left.utf8.count <= maximumLength, right.utf8.count <= maximumLength else { return nil }
        // Swift compares strings by canonical equivalence, CEL by code points.
        if left == right {
            return "they look alike, but differ in Unicode normalization (NFC and NFD)"
        }
        if left.lowercased() == right.lowercased() { return "they differ only in case" }
        if trimmed(left) == trimmed(right) { return "they differ only in leading or trailing whitespace" }
        guard max(left.unicodeScalars.count, right.unicodeScalars.count) > shownLength else { return nil }
        let shared = zip(left.unicodeScalars, right.unicodeScalars).prefix { $0 == $1 }.count
        return "they first differ at character \(shared + 1)"
    }

    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }

    private static func isNumber(_ value: CELValue) -> Bool {
        switch value {
        case .int, .uint, .double, .number: true
        default: false
        }
    }

    /// Explains numbers that differ by a rounding error.
    private static func nearness(_ left: CELValue, _ right: CELValue) -> MessageText? {
        guard let first = double(left), let second = double(right), first.isFinite, second.isFinite,
            (first - second).magnitude <= 1e-9 * max(first.magnitude, second.magnitude)
        else { return nil }
        return "they differ only by rounding; to allow a difference, write math.abs(a - b) < 0.001"
    }

    private static func double(_ value: CELValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .uint(let number): Double(number)
        case .double(let number): number
        case .number(let number): number.double
        default: nil
        }
    }

    private static func areEqual(_ left: CELValue, _ right: CELValue, _ meter: inout Meter) -> Bool {
        (try? Equality.areEqual(left, right, &meter)) ?? false
    }

    private static func isReordered(_ left: CELList, _ right: CELList) -> Bool {
        guard left.count == right.count, left.count <= maximumReordered else { return false }
        var meter = Meter(CELBudget(maximumSteps: 100_000))
        var rest = right.elements
        for element in left.elements {
            guard let index = rest.firstIndex(where: { areEqual($0, element, &meter) }) else { return false }
            rest.remove(at: index)
        }
        return true
    }

    /// Returns the first location where two lists or maps differ.
    private static func location(_ left: CELValue, _ right: CELValue) -> MessageText? {
        var meter = Meter(CELBudget(maximumSteps: 1_000_000))
        return location(left, right, "", &meter, depth: 0)
    }

    private static func location(
        _ left: CELValue, _ right: CELValue, _ path: String, _ meter: inout Meter, depth: Int
    ) -> MessageText? {
        guard depth < CELLimits.shownDepth else { return nil }
        switch (left, right) {
        case (.list(let first), .list(let second)):
            for index in 0..<min(first.count, second.count) {
                guard let one = first[index], let other = second[index], !areEqual(one, other, &meter) else { continue }
                return location(one, other, path + "[\(index)]", &meter, depth: depth + 1)
            }
            guard let longer = first[second.count] ?? second[first.count] else { return nil }
            let side = first.count > second.count ? "left" : "right"
            return "only the \(side) side has \(path)[\(min(first.count, second.count))]: \(longer.brief(valueLength))"
        case (.map(let first), .map(let second)):
            for (key, value) in first.entries {
                guard let other = second.value(of: key) else {
                    return "only the left side has \(path)\(step(key)): \(value.brief(valueLength))"
                }
                if areEqual(value, other, &meter) { continue }
                return location(value, other, path + step(key), &meter, depth: depth + 1)
            }
            for (key, value) in second.entries where first.value(of: key) == nil {
                return "only the right side has \(path)\(step(key)): \(value.brief(valueLength))"
            }
            return nil
        default:
            let types: (MessageText, MessageText) =
                left.typeName == right.typeName ? ("", "") : (" (\(left.typeName))", " (\(right.typeName))")
            return "they differ at \(path): \(left.brief(valueLength))\(types.0) and "
                + "\(right.brief(valueLength))\(types.1)"
        }
    }

    private static func step(_ key: CELValue) -> String {
        guard case .string(let name) = key, let first = name.utf8.first, Lexer.isIdentifierStart(first),
            name.utf8.allSatisfy(Lexer.isIdentifierPart)
        else { return "[\(key.brief(valueLength))]" }
        return "." + name
    }

    // MARK: Absence

    /// Describes the keys that a map has instead of a missing one.
    static func absence(of key: CELValue, in map: CELMap) -> MessageText {
        guard !map.isEmpty else { return "the map is empty" }
        guard map.count <= 256 else { return "it has \(map.count) keys, but not \(key.brief(valueLength))" }
        let names = map.names
        if case .string(let name) = key, let nearest = Spelling.nearest(to: name, among: names) {
            return "the most similar key is \(Quoting.quoted(nearest))"
        }
        let shown = names.prefix(8).map { CELValue.string($0).brief(valueLength) }.joined(separator: ", ")
        return names.isEmpty ? "its keys are not strings" : "available keys: \(shown)\(names.count > 8 ? ", …" : "")"
    }

    /// Describes the elements that a list or map has instead of a missing one.
    static func absence(of element: CELValue, in container: CELValue) -> MessageText? {
        switch container {
        case .map(let map): return absence(of: element, in: map)
        case .list(let list):
            guard !list.isEmpty else { return "the list is empty" }
            for index in 0..<min(list.count, 10_000) {
                guard let other = list[index], isAlike(element, other) else { continue }
                return "the element at index \(index) is \(other.brief(valueLength)) (\(other.typeName))"
            }
            return nil
        default: return nil
        }
    }

    /// Returns whether two values differ only in type or in letter case.
    private static func isAlike(_ left: CELValue, _ right: CELValue) -> Bool {
        switch (left, right) {
        case (.string(let first), .string(let second)):
            first.utf8.count == second.utf8.count && first.utf8.count < 200 && first.lowercased() == second.lowercased()
        case (.string(let text), _) where isNumber(right), (_, .string(let text)) where isNumber(left):
            text == left.text && text == right.text
        default: false
        }
    }

    /// Explains why a string does not contain, start with, or end with another.
    static func absence(of part: CELValue, in text: CELValue, method: String) -> MessageText? {
        guard case .string(let text) = text, case .string(let part) = part, text.utf8.count <= maximumLength else {
            return nil
        }
        let lower = text.lowercased()
        let alike =
            switch method {
            case "contains": TextSearch(part.lowercased()).isIn(lower)
            case "startsWith": lower.hasPrefix(part.lowercased())
            case "endsWith": lower.hasSuffix(part.lowercased())
            default: false
            }
        if alike { return "it does if case is ignored" }
        guard method == "endsWith", text.unicodeScalars.count > shownLength else { return nil }
        let end = String(String.UnicodeScalarView(text.unicodeScalars.suffix(20)))
        return "it ends with …\(Quoting.quoted(end).dropFirst())"
    }

    /// Explains why a string does not match a pattern.
    static func mismatch(of text: CELValue, with pattern: RegularExpression) -> MessageText? {
        guard case .string(let text) = text, text.utf8.count <= maximumLength else { return nil }
        let options = pattern.options.union(.caseInsensitive)
        let other = try? RegularExpression(pattern.pattern, dialect: pattern.dialect, options: options)
        if (try? other?.matches(text)) == true { return "it does if case is ignored" }
        let bare = trimmed(text)
        return bare != text && (try? pattern.matches(bare)) == true
            ? "it does without leading and trailing whitespace" : nil
    }
}
