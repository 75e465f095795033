import Basics
import CEL
import JSON
import RegularExpressions
import RunModel
import SuiteModel

/// The operators for strings: `contains`, which also applies to arrays and objects, `startsWith`, `endsWith` and
/// `matches`.
extension MatcherEvaluator {
    /// The maximum size of a string that is searched for a probable match, in bytes.
    private var maximumSearchedLength: Int { 4_000_000 }

    // MARK: Parts

    /// Evaluates `contains`.
    func contains(
        _ value: JSONValue, _ part: JSONValue, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        switch (value, part) {
        case (.array(let elements), _):
            for element in elements where areEqual(element, part) { return nil }
            var mismatch = try unmet(value, operation, .value)
            if explains, let nearest = NearestValue(to: part, among: elements, isExpected: true) {
                mismatch.wording += "; \(nearest.sentence("element [\(nearest.index)]"))"
                mismatch.details += nearest.details(root: root + "[\(nearest.index)]")
            }
            return mismatch
        case (.object(let members), .string(let name)):
            if members.contains(name) { return nil }
            var mismatch = try unmet(value, operation, .value)
            if explains, let nearest = NearestValue(to: part, among: members.keys.map { .string($0) }, isExpected: true)
            {
                mismatch.wording += "; \(nearest.sentence("the member \(ValueDescription.plain(nearest.value))"))"
            }
            return mismatch
        case (.string(let text), _):
            guard let part = Self.part(part) else { break }
            if ByteSearch.contains(text, part) { return nil }
            var mismatch = try unmet(value, operation, .value)
            if explains, text.utf8.count <= maximumSearchedLength, let note = Self.trace(of: part, in: text) {
                mismatch.wording += "; \(note)"
            }
            return mismatch
        default: break
        }
        return try unmet(value, operation, .value)
    }

    /// Returns the string to search for when the operand of `contains` is applied to a string.
    private static func part(_ operand: JSONValue) -> String? {
        switch operand {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// Returns a note if a string contains a missing part in another case, or the beginning of the part.
    private static func trace(of part: String, in text: String) -> MessageText? {
        let folded = text.lowercased()
        if let location = ByteSearch.position(of: part.lowercased(), in: folded) {
            return "it occurs in a different case, at \(TextLocation(utf8Offset: location, in: folded))"
        }
        let words = TextDifference.withSimpleSpace(text)
        if ByteSearch.contains(words, TextDifference.withSimpleSpace(part)) {
            return "it occurs with different whitespace"
        }
        let (offset, length) = ByteSearch.longestPrefix(of: part, in: text)
        let beginning = String(decoding: part.utf8.prefix(length), as: UTF8.self)
        let scalars = part.unicodeScalars.count
        // One or two letters occur almost everywhere.
        guard beginning.unicodeScalars.count >= max(3, scalars / 4) else { return nil }
        // The ellipses also indicate to the masking of secrets that both are fragments.
        let rest = "…" + TextLocation.text(of: text, from: offset + length)
        return "its beginning \(ValueDescription.quoted(beginning + "…")) is at "
            + "\(TextLocation(utf8Offset: offset, in: text)), followed by \(ValueDescription.plain(.string(rest), limit: 21))"
    }

    // MARK: Prefixes and suffixes

    /// Evaluates `startsWith`.
    func startsWith(
        _ value: JSONValue, _ prefix: String, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        guard case .string(let text) = value else { return try unmet(value, operation, .value) }
        if text.utf8.starts(with: prefix.utf8) { return nil }
        var mismatch = try unmet(value, operation, .value)
        guard explains else { return mismatch }
        let beginning = String(text.unicodeScalars.prefix(prefix.unicodeScalars.count))
        if let note = TextDifference(expected: prefix, actual: beginning).note(about: "its beginning") {
            mismatch.wording += "; \(note)"
        } else if let first = text.unicodeScalars.first, TextDifference.isBlank(first),
            TextDifference.trimmed(text).utf8.starts(with: prefix.utf8)
        {
            mismatch.wording += "; it is preceded by whitespace"
        }
        return mismatch
    }

    /// Evaluates `endsWith`.
    func endsWith(
        _ value: JSONValue, _ suffix: String, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        guard case .string(let text) = value else { return try unmet(value, operation, .value) }
        if text.utf8.count >= suffix.utf8.count,
            text.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        {
            return nil
        }
        guard explains else { return silent(operation) }
        var mismatch = Mismatch(
            type: operation.reason,
            message:
                "expected to end with \(ValueDescription.quotedEnd(suffix)), got \(ValueDescription.typedEnd(text))",
            actual: value, range: operation.range)
        let end = String(text.unicodeScalars.suffix(suffix.unicodeScalars.count))
        if let only = TextDifference(expected: suffix, actual: end).only {
            mismatch.wording += "; its end differs only \(only)"
        } else if let last = text.unicodeScalars.last, TextDifference.isBlank(last),
            TextDifference.trimmed(text).utf8.reversed().starts(with: suffix.utf8.reversed())
        {
            mismatch.wording += "; it is followed by whitespace"
        }
        return mismatch
    }

    // MARK: Patterns

    /// Evaluates `matches`.
    func matches(
        _ value: JSONValue, _ expression: RegularExpression, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        guard case .string(let text) = value else { return try unmet(value, operation, .value) }
        do throws(RegularExpressionLimitError) {
            if try expression.matches(text) { return nil }
        } catch {
            throw TemplateError(
                message: error.wording, range: operation.range, expression: expression.pattern)
        }
        var mismatch = try unmet(value, operation, .value)
        if explains, let note = PatternTrace.note(expression, text) { mismatch.wording += "; \(note)" }
        return mismatch
    }

    /// Returns the position of a forbidden part in a string that messages truncate; otherwise an empty string.
    func occurrence(ofPart template: ValueTemplate, in value: JSONValue) throws(TemplateError) -> MessageText {
        guard case .string(let text) = value, let part = Self.part(try operand(template, .value)),
            let offset = ByteSearch.position(of: part, in: text), ValueDescription.isCut(text)
        else { return "" }
        return "; it is at \(TextLocation(utf8Offset: offset, in: text))"
    }

    /// Returns the part of a string that matches a forbidden pattern; an empty string if the whole string matches.
    func occurrence(of pattern: Matcher.Pattern, in value: JSONValue) throws(TemplateError) -> MessageText {
        guard case .string(let text) = value else { return "" }
        let expression = try regularExpression(pattern)
        guard let match = try? expression.firstMatch(in: text), match.text.utf8.count < text.utf8.count
        else { return "" }
        return "; \(ValueDescription.quoted(String(match.text))) at "
            + "\(TextLocation(utf8Offset: match.range.lowerBound, in: text)) matches"
    }
}

/// An explanation of why a pattern does not match a string, based on similar patterns and strings that match.
enum PatternTrace {
    /// The maximum size of a string that is examined, in bytes.
    private static let maximumTextLength = 20_000
    /// The maximum length of a pattern whose beginnings are tried, in Unicode scalars.
    private static let maximumPatternLength = 120

    /// Returns a sentence such as `it matches if case is ignored`; nil without a simple explanation.
    static func note(_ expression: RegularExpression, _ text: String) -> MessageText? {
        guard !text.isEmpty, text.utf8.count <= maximumTextLength else { return nil }
        if matches(expression, text, adding: .caseInsensitive) { return "it matches if case is ignored" }
        let trimmed = TextDifference.trimmed(text)
        if trimmed.utf8.count < text.utf8.count, !trimmed.isEmpty, (try? expression.matches(trimmed)) == true {
            return "it matches without its \(isBlankBefore(text) ? "leading" : "trailing") whitespace"
        }
        if text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
            if matches(expression, text, adding: .multiline) {
                return "one of its lines matches, but ^ and $ match only at the beginning and end of the whole string"
            }
            if matches(expression, text, adding: .dotMatchesNewlines) {
                return "it matches if . also matches line breaks, as [^] does"
            }
        }
        return beginning(expression, text)
    }

    private static func isBlankBefore(_ text: String) -> Bool {
        text.unicodeScalars.first.map(TextDifference.isBlank) == true
    }

    private static func matches(
        _ expression: RegularExpression, _ text: String, adding option: RegularExpression.Options
    ) -> Bool {
        let options = expression.options.union(option)
        guard let other = try? RegularExpression(expression.pattern, dialect: expression.dialect, options: options)
        else {
            return false
        }
        return (try? other.matches(text)) == true
    }

    /// Returns the longest beginning of a pattern that matches, with the matched text.
    private static func beginning(_ expression: RegularExpression, _ text: String) -> MessageText? {
        let pattern = Array(expression.pattern.unicodeScalars)
        guard pattern.count > 1, pattern.count <= maximumPatternLength, !hasAlternatives(pattern) else { return nil }
        for end in (1..<pattern.count).reversed() {
            // A pattern cut within an escape, class, group or quantifier does not compile.
            let source = String(String.UnicodeScalarView(pattern[..<end]))
            guard
                let shorter = try? RegularExpression(source, dialect: expression.dialect, options: expression.options),
                let match = try? shorter.firstMatch(in: text), !match.range.isEmpty
            else { continue }
            // A letter that matches the first part of the pattern is not informative.
            guard end * 2 >= pattern.count || match.text.unicodeScalars.count >= 3 else { return nil }
            return "it matches as far as /\(source)/: \(ValueDescription.quoted(String(match.text)))"
        }
        return nil
    }

    /// Returns whether a pattern has alternatives outside of groups. The beginning of such a pattern is not
    /// informative.
    private static func hasAlternatives(_ pattern: [Unicode.Scalar]) -> Bool {
        var depth = 0
        var isInClass = false
        var isEscaped = false
        for scalar in pattern {
            if isEscaped {
                isEscaped = false
                continue
            }
            switch scalar {
            case "\\": isEscaped = true
            case "[": isInClass = true
            case "]": isInClass = false
            case "(" where !isInClass: depth += 1
            case ")" where !isInClass: depth -= 1
            case "|" where !isInClass && depth == 0: return true
            default: break
            }
        }
        return false
    }
}
