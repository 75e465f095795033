import RegularExpressions

/// The properties of any pattern in every dialect and any text.
enum RegularExpressionProperties {
    /// Checks an input: a byte for the options, a line for the pattern, and the text.
    static func check(_ input: [UInt8]) throws(PropertyViolation) {
        let options = RegularExpression.Options(rawValue: (input.first ?? 0) & 15)
        let parts = FuzzInput(Array(input.dropFirst()))
        let text = String(decoding: parts.rest.prefix(1_024), as: UTF8.self)
        for dialect in RegularExpression.Dialect.allCases {
            do {
                let pattern = try RegularExpression(parts.first, dialect: dialect, options: options)
                try check(BoundedPattern(pattern), on: text, bytes: Array(parts.rest.prefix(64)))
            } catch let error as PropertyViolation {
                throw error
            } catch let error as RegularExpressionError {
                try requireLocation(offset: error.offset, length: error.length, in: parts.first, error.message)
                try require(!error.message.isEmpty, "no message")
            } catch {
                // The limit was reached, so nothing is known about this text.
            }
        }
        if options.isEmpty {
            do {
                try compare(parts.first, with: String(decoding: parts.rest.prefix(64), as: UTF8.self))
            } catch let error as PropertyViolation {
                throw error
            } catch {
                // As above.
            }
        }
    }

    private static func check(
        _ pattern: BoundedPattern, on text: String, bytes: [UInt8]
    ) throws {
        try checkAnswers(pattern, on: text)
        // The text as UTF-8. Bytes that are not UTF-8 may have any result, but must not crash.
        let isFound = try pattern.expression.matches(utf8: Array(text.utf8))
        let isWhole = try pattern.expression.matchesWhole(utf8: Array(text.utf8))
        try require(try pattern.matches(text) == isFound, "another answer for UTF-8: \(pattern)")
        try require(try pattern.matchesWhole(text) == isWhole, "another answer for the whole as UTF-8: \(pattern)")
        if pattern.expression.isLinear {
            _ = try pattern.expression.matches(utf8: bytes) && pattern.expression.matchesWhole(utf8: bytes)
        }
        try checkWhole(pattern, on: text)
        try checkSurroundings(pattern, of: text)
        try checkEngines(pattern, on: text)
    }

    /// Checks that all ways to match agree, and that captures lie between characters.
    private static func checkAnswers(_ pattern: BoundedPattern, on text: String) throws {
        let what = "\(pattern) on \(text.debugDescription)"
        let isFound = try pattern.matches(text)
        let isWhole = try pattern.matchesWhole(text)
        let match = try pattern.firstMatch(in: text)
        try require(isFound == (match != nil), "matches is \(isFound), the first match is \(match == nil): \(what)")
        if isWhole { try require(match?.range.lowerBound == 0, "the whole text matches, its start does not: \(what)") }
        guard let match else { return }
        let count = pattern.expression.groupCount
        try require(match.groups.count == count + 1, "\(match.groups.count) groups: \(what)")
        try require(match.groups.first == .some(match.range), "group 0 is not the match: \(what)")
        let bytes = Array(text.utf8)
        for range in match.groups.compactMap(\.self) {
            // Lookaround captures text around the match.
            let isInside = range.lowerBound >= match.range.lowerBound && range.upperBound <= match.range.upperBound
            try require(isInside || !pattern.expression.isLinear, "a group outside of the match: \(what)")
            try require(range.upperBound <= bytes.count, "a group behind the text: \(what)")
            for end in [range.lowerBound, range.upperBound] where end < bytes.count {
                try require(bytes[end] & 0xC0 != 0x80, "a match within a character: \(what)")
            }
        }
        try require(match.text.utf8.elementsEqual(bytes[match.range]), "the text of the match is another: \(what)")
        _ = match.indices
        for number in 0...count { _ = match.text(ofGroup: number) }
    }

    /// Checks that matching the whole text is the same as matching with anchors at both ends.
    private static func checkWhole(_ pattern: BoundedPattern, on text: String) throws {
        let expression = pattern.expression
        let anchored: String
        switch expression.dialect {
        case .ecmaScript where !expression.options.contains(.multiline): anchored = "^(?:\(expression.pattern))$"
        // An open quotation would also quote the closing anchor.
        case .re2 where !expression.pattern.contains("\\Q"): anchored = "\\A(?:\(expression.pattern))\\z"
        default: return
        }
        guard let other = pattern.variant(anchored) else { return }
        let isWhole = try pattern.matchesWhole(text)
        try require(try other.matches(text) == isWhole, "whole is \(isWhole): \(pattern) on \(text.debugDescription)")
        try require(
            try other.matchesWhole(text) == isWhole,
            "whole differs between anchors: \(pattern) on \(text.debugDescription)")
    }

    /// Checks that matches without assertions do not depend on the surrounding text or on previous matches.
    private static func checkSurroundings(_ pattern: BoundedPattern, of text: String) throws {
        let isFound = try pattern.matches(text)
        let source = pattern.expression.pattern
        let hasAssertions = source.utf8.contains { [0x5C, 0x5E, 0x24].contains($0) } || !pattern.expression.isLinear
        let longer = String(repeating: "-é", count: 40) + text + String(repeating: "\u{2028}😀", count: 40)
        try checkAnswers(pattern, on: longer)
        if isFound, !hasAssertions {
            try require(
                try pattern.matches(longer), "no match in a longer text: \(pattern) on \(text.debugDescription)")
        }
        try require(try pattern.matches(text) == isFound, "another answer the second time: \(pattern)")
    }

    /// Checks that backtracking, which an empty lookahead forces, finds the same matches as the automata.
    private static func checkEngines(_ pattern: BoundedPattern, on text: String) throws {
        let expression = pattern.expression
        guard expression.dialect == .ecmaScript, expression.isLinear,
            let other = pattern.variant("(?=)(?:\(expression.pattern))")
        else { return }
        let what = "\(pattern) on \(text.debugDescription)"
        try require(!other.expression.isLinear, "lookahead without backtracking: \(what)")
        let match = try pattern.firstMatch(in: text)
        let found = try other.firstMatch(in: text)
        // Repetitions of possibly empty expressions may end differently, so only the starts of matches are compared.
        try require(
            match?.range.lowerBound == found?.range.lowerBound,
            "\(String(describing: match?.range)), by backtracking \(String(describing: found?.range)): \(what)")
        let isWhole = try pattern.matchesWhole(text)
        try require(try other.matchesWhole(text) == isWhole, "whole is \(isWhole), not by backtracking: \(what)")
    }

    /// Checks that simple patterns match where an exhaustive matcher finds a match.
    private static func compare(_ pattern: String, with text: String) throws {
        guard let simple = SimplePattern(pattern),
            let compiled = try? RegularExpression(pattern, dialect: .ecmaScript)
        else { return }
        let expression = BoundedPattern(compiled)
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
