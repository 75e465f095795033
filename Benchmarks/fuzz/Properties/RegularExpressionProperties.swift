import RegularExpressions

/// What must hold for any pattern in every dialect and any text it is matched with.
enum RegularExpressionProperties {
    /// Checks an input: a byte for the options, a line for the pattern, and the text.
    static func check(_ input: [UInt8]) throws(PropertyViolation) {
        let options = RegularExpression.Options(rawValue: (input.first ?? 0) & 15)
        let parts = FuzzInput(Array(input.dropFirst()))
        let bytes = Array(parts.rest.prefix(1_024))
        for dialect in RegularExpression.Dialect.allCases {
            let expression: RegularExpression
            do {
                expression = try RegularExpression(parts.first, dialect: dialect, options: options)
            } catch {
                try requirePlace(offset: error.offset, length: error.length, in: parts.first, error.message)
                try require(!error.message.isEmpty, "no message")
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self)
            try withinBounds {
                // Whatever comes of bytes that are no text, they are no reason to stop.
                _ = try expression.matches(utf8: bytes) && expression.matchesWhole(utf8: bytes)
                try check(expression, on: text)
                try checkWhole(expression, on: text)
                try checkSurroundings(expression, of: text)
            }
        }
        guard options.isEmpty else { return }
        try withinBounds { try compare(parts.first, with: String(decoding: bytes.prefix(64), as: UTF8.self)) }
    }

    /// A search that reaches its bound has no answer, which is as it should be.
    private static func withinBounds(_ body: () throws -> Void) throws(PropertyViolation) {
        do {
            try body()
        } catch let violation as PropertyViolation {
            throw violation
        } catch {
            return
        }
    }

    /// All ways to ask give one answer, and what is captured lies between characters.
    private static func check(_ expression: RegularExpression, on text: String) throws {
        let what = "\(expression.dialect) \(expression.pattern.debugDescription) on \(text.debugDescription)"
        let isFound = try expression.matches(text)
        let isWhole = try expression.matchesWhole(text)
        let match = try expression.firstMatch(in: text)
        try require(isFound == (match != nil), "matches is \(isFound), the first match is \(match == nil): \(what)")
        if isWhole { try require(match?.range.lowerBound == 0, "the whole text matches, its start does not: \(what)") }
        let bytes = Array(text.utf8)
        let (utf8, utf8Whole) = (try expression.matches(utf8: bytes), try expression.matchesWhole(utf8: bytes))
        try require(utf8 == isFound && utf8Whole == isWhole, "another answer for UTF-8: \(what)")
        guard let match else { return }
        try require(match.groups.count == expression.groupCount + 1, "\(match.groups.count) groups: \(what)")
        try require(match.groups.first == .some(match.range), "group 0 is not the match: \(what)")
        for range in match.groups.compactMap(\.self) {
            let isInside = range.lowerBound >= match.range.lowerBound && range.upperBound <= match.range.upperBound
            // What lookaround captures may lie anywhere.
            try require(isInside || !expression.isLinear, "a group outside of the match: \(what)")
            for end in [range.lowerBound, range.upperBound] where end < bytes.count {
                try require(bytes[end] & 0xC0 != 0x80, "a match within a character: \(what)")
            }
        }
        try require(match.text.utf8.elementsEqual(bytes[match.range]), "the text of the match is another: \(what)")
        _ = match.indices
        for number in 0...expression.groupCount { _ = match.text(ofGroup: number) }
    }

    /// To match the whole text is to match between its ends.
    private static func checkWhole(_ expression: RegularExpression, on text: String) throws {
        let pattern = expression.pattern
        let anchored: String
        switch expression.dialect {
        case .ecmaScript where !expression.options.contains(.multiline): anchored = "^(?:\(pattern))$"
        // An open quotation would quote the end as well.
        case .re2 where !pattern.contains("\\Q"): anchored = "\\A(?:\(pattern))\\z"
        default: return
        }
        guard let other = try? RegularExpression(anchored, dialect: expression.dialect, options: expression.options)
        else { return }
        let isWhole = try expression.matchesWhole(text)
        let isAnchored = try other.matches(text)
        try require(
            isAnchored == isWhole,
            "whole is \(isWhole) for \(expression.dialect) \(pattern.debugDescription) on \(text.debugDescription)")
        try require(
            try other.matchesWhole(text) == isWhole, "whole differs between anchors: \(pattern.debugDescription)")
    }

    /// Without assertions a match stays one whatever stands around it; and an answer does not depend on earlier ones.
    private static func checkSurroundings(
        _ expression: RegularExpression, of text: String
    ) throws {
        let isFound = try expression.matches(text)
        let hasAssertions =
            !expression.isLinear || expression.pattern.utf8.contains { [0x5C, 0x5E, 0x24].contains($0) }
        let longer = String(repeating: "-é", count: 40) + text + String(repeating: "\u{2028}😀", count: 40)
        try check(expression, on: longer)
        if isFound, !hasAssertions {
            try require(
                try expression.matches(longer), "no match in a longer text: \(expression.pattern.debugDescription)")
        }
        try require(try expression.matches(text) == isFound, "another answer the second time: \(expression.pattern)")
    }

    /// Simple patterns match where a matcher that tries everything finds a match.
    private static func compare(_ pattern: String, with text: String) throws {
        guard let simple = SimplePattern(pattern),
            let expression = try? RegularExpression(pattern, dialect: .ecmaScript)
        else { return }
        let scalars = Array(text.unicodeScalars)
        guard let expected = simple.matches(in: scalars) else { return }
        let what = "\(pattern.debugDescription) on \(text.debugDescription)"
        let offsets = scalars.reduce(into: [0]) { $0.append($0[$0.count - 1] + UTF8.width($1)) }
        let match = try expression.firstMatch(in: text)
        let first = expected.firstIndex { !$0.isEmpty }
        try require((match == nil) == (first == nil), "expected a match at \(String(describing: first)): \(what)")
        try require(try expression.matchesWhole(text) == expected[0].contains(scalars.count), "whole: \(what)")
        guard let match, let first else { return }
        try require(
            match.range.lowerBound == offsets[first], "expected a match at \(first), got \(match.range): \(what)")
        let ends = expected[first].map { offsets[$0] }
        try require(ends.contains(match.range.upperBound), "expected an end of \(ends), got \(match.range): \(what)")
    }
}
