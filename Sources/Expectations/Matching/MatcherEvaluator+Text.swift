import CEL
import JSON
import RegularExpressions
import SuiteModel

/// The operators on text: `contains`, which lists and objects have too, `startsWith`, `endsWith` and `matches`.
extension MatcherEvaluator {
    /// Texts with more bytes than this are not searched for what was probably meant.
    private var longestSearched: Int { 4_000_000 }

    // MARK: Parts

    func contains(
        _ value: JSONValue, _ part: JSONValue, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        switch (value, part) {
        case (.array(let elements), _):
            for element in elements where areEqual(element, part) { return nil }
            var mismatch = try unmet(value, operation, .value)
            if explains, let nearest = NearestValue(to: part, among: elements, isExpected: true) {
                mismatch.message += "; \(nearest.sentence("element [\(nearest.index)]"))"
                mismatch.details += nearest.details(root: root + "[\(nearest.index)]")
            }
            return mismatch
        case (.object(let members), .string(let name)):
            if members.contains(name) { return nil }
            var mismatch = try unmet(value, operation, .value)
            if explains, let nearest = NearestValue(to: part, among: members.keys.map { .string($0) }, isExpected: true)
            {
                mismatch.message += "; \(nearest.sentence("the member \(ValueDescription.plain(nearest.value))"))"
            }
            return mismatch
        case (.string(let text), _):
            guard let part = Self.part(part) else { break }
            if ByteSearch.contains(text, part) { return nil }
            var mismatch = try unmet(value, operation, .value)
            if explains, text.utf8.count <= longestSearched, let note = Self.trace(of: part, in: text) {
                mismatch.message += "; \(note)"
            }
            return mismatch
        default: break
        }
        return try unmet(value, operation, .value)
    }

    /// The text that an operand of `contains` stands for where text is searched.
    private static func part(_ operand: JSONValue) -> String? {
        switch operand {
        case .string(let text): text
        case .number(let number): number.literal
        case .bool(let flag): flag ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// What a text has of a part that it does not contain: the part in another case, or the part's beginning.
    private static func trace(of part: String, in text: String) -> String? {
        let folded = text.lowercased()
        if let place = ByteSearch.position(of: part.lowercased(), in: folded) {
            return "it is there in another case, at \(TextPlace(utf8Offset: place, in: folded))"
        }
        let words = TextDifference.withSimpleSpace(text)
        if ByteSearch.contains(words, TextDifference.withSimpleSpace(part)) {
            return "it is there with other white space"
        }
        let (offset, length) = ByteSearch.longestBeginning(of: part, in: text)
        let beginning = String(decoding: part.utf8.prefix(length), as: UTF8.self)
        let scalars = part.unicodeScalars.count
        // A letter or two are everywhere.
        guard beginning.unicodeScalars.count >= max(3, scalars / 4) else { return nil }
        // The ellipses also tell those who mask secrets that both are parts.
        let rest = "…" + TextPlace.text(of: text, from: offset + length)
        return "its beginning \(ValueDescription.quoted(beginning + "…")) is at "
            + "\(TextPlace(utf8Offset: offset, in: text)), followed by \(ValueDescription.plain(.string(rest), limit: 21))"
    }

    // MARK: Beginning and end

    func startsWith(
        _ value: JSONValue, _ prefix: String, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        guard case .string(let text) = value else { return try unmet(value, operation, .value) }
        if text.utf8.starts(with: prefix.utf8) { return nil }
        var mismatch = try unmet(value, operation, .value)
        guard explains else { return mismatch }
        let beginning = String(text.unicodeScalars.prefix(prefix.unicodeScalars.count))
        if let note = TextDifference(expected: prefix, actual: beginning).note(about: "its beginning") {
            mismatch.message += "; \(note)"
        } else if let first = text.unicodeScalars.first, TextDifference.isBlank(first),
            TextDifference.trimmed(text).utf8.starts(with: prefix.utf8)
        {
            mismatch.message += "; there is white space before it"
        }
        return mismatch
    }

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
            type: operation.operator.keyword,
            message:
                "expected to end with \(ValueDescription.quotedEnd(suffix)), got \(ValueDescription.typedEnd(text))",
            actual: value, range: operation.range)
        let end = String(text.unicodeScalars.suffix(suffix.unicodeScalars.count))
        if let only = TextDifference(expected: suffix, actual: end).only {
            mismatch.message += "; its end differs only \(only)"
        } else if let last = text.unicodeScalars.last, TextDifference.isBlank(last),
            TextDifference.trimmed(text).utf8.reversed().starts(with: suffix.utf8.reversed())
        {
            mismatch.message += "; there is white space behind it"
        }
        return mismatch
    }

    // MARK: Patterns

    func matches(
        _ value: JSONValue, _ expression: RegularExpression, _ operation: Matcher.Operation
    ) throws(TemplateError) -> Mismatch? {
        guard case .string(let text) = value else { return try unmet(value, operation, .value) }
        do throws(RegularExpressionLimitError) {
            if try expression.matches(text) { return nil }
        } catch {
            throw TemplateError(message: error.message, range: operation.range, expression: expression.pattern)
        }
        var mismatch = try unmet(value, operation, .value)
        if explains, let note = PatternTrace.note(expression, text) { mismatch.message += "; \(note)" }
        return mismatch
    }

    /// Where a text has what it must not have, when that is not to be seen at a glance.
    func occurrence(of op: Matcher.Operator, in text: String) throws(TemplateError) -> String? {
        switch op {
        case .contains(let template):
            guard let part = Self.part(try operand(template, .value)),
                let offset = ByteSearch.position(of: part, in: text), ValueDescription.isCut(text)
            else { return nil }
            return "it is at \(TextPlace(utf8Offset: offset, in: text))"
        case .matches(let pattern):
            let expression = try regularExpression(pattern)
            guard let match = try? expression.firstMatch(in: text),
                match.text.utf8.count < text.utf8.count
            else { return nil }
            return "\(ValueDescription.quoted(String(match.text))) at "
                + "\(TextPlace(utf8Offset: match.range.lowerBound, in: text)) matches"
        default: return nil
        }
    }
}
