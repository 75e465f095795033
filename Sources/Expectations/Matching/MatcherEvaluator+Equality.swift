import CEL
import JSON
import SuiteModel

extension MatcherEvaluator {
    /// Whether a value is what is expected; text without types of its own may say a number, `true` or `null`.
    func areEqual(_ value: JSONValue, _ expected: JSONValue) -> Bool {
        if value == expected { return true }
        guard subjectKind == .text else { return false }
        if case .array(let elements) = value, case .array(let others) = expected {
            return elements.count == others.count && zip(elements, others).allSatisfy { areEqual($0, $1) }
        }
        guard case .string(let text) = value else { return false }
        switch expected {
        case .number(let number): return JSONNumber(literal: text) == number
        case .bool(let flag): return text == (flag ? "true" : "false")
        case .null: return text == "null"
        case .string, .array, .object: return false
        }
    }

    /// The value as the number that it is, or, for text without types, that it says.
    func number(_ value: JSONValue) -> JSONNumber? {
        switch value {
        case .number(let number): number
        case .string(let text) where subjectKind == .text: JSONNumber(literal: text)
        default: nil
        }
    }

    func equality(
        _ value: JSONValue, _ expected: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) -> Mismatch? {
        if areEqual(value, expected) { return nil }
        guard explains else { return silent(operation) }
        switch (expected, value) {
        case (.string(let expectedText), .string(let text)):
            return Mismatch(
                type: operation.operator.keyword, message: TextDifference.message(expected: expectedText, actual: text),
                expected: expected, actual: value, range: operation.range)
        case (.array(let others), .array(let elements)) where subjectKind == .text:
            // A text that says what is expected is no difference.
            let shown = elements.enumerated().map { index, element in
                index < others.count && areEqual(element, others[index]) ? others[index] : element
            }
            return structure(.array(shown), expected, operation, actual: value)
        case (.array, .array), (.object, .object):
            return structure(value, expected, operation, actual: value)
        default:
            let expectedText = Quantity.describeOperand(expected, in: domain)
            return Mismatch(
                type: operation.operator.keyword,
                message: "expected \(expectedText), got \(Quantity.describe(value, in: domain, against: expected))",
                expected: shownOperand(expected, domain), actual: shown(value, domain), range: operation.range)
        }
    }

    /// The mismatch of two structures: a difference of one place in the message, of several in details.
    ///
    /// - Parameters:
    ///   - value: What is compared: the actual value, or the part of it that counts.
    ///   - actual: The whole actual value.
    func structure(
        _ value: JSONValue, _ expected: JSONValue, _ operation: Matcher.Operation, actual: JSONValue
    ) -> Mismatch {
        guard explains else { return silent(operation) }
        let difference = JSONDifference(expected: expected, actual: value)
        let lines = DifferenceLines.lines(difference, root: root)
        let message: String
        var details: [String] = []
        if let only = difference.changes.first, difference.changes.count == 1 {
            message =
                only.location.steps.isEmpty
                ? "expected \(ValueDescription.typed(expected)), got \(ValueDescription.typed(actual))"
                : lines.first ?? ""
        } else {
            message = "\(difference.changes.count) differences from what is expected"
            details = lines
        }
        return Mismatch(
            type: operation.operator.keyword, message: message, expected: expected, actual: actual,
            range: operation.range, details: details)
    }

    /// Whether text has a part, a list an element, or an object a member of that name.
    func contains(_ value: JSONValue, _ part: JSONValue) -> Bool {
        switch (value, part) {
        case (.string(let text), .string(let part)): ByteSearch.contains(text, part)
        case (.string(let text), .number(let number)): ByteSearch.contains(text, number.literal)
        case (.string(let text), .bool(let flag)): ByteSearch.contains(text, flag ? "true" : "false")
        case (.array(let elements), _): elements.contains { areEqual($0, part) }
        case (.object(let members), .string(let name)): members.contains(name)
        default: false
        }
    }

    func hasType(_ value: JSONValue, _ type: Matcher.ValueType) -> Bool {
        switch (type, value) {
        case (.string, .string), (.boolean, .bool), (.array, .array), (.object, .object), (.null, .null): return true
        case (.number, _): return number(value) != nil
        case (.integer, _): return number(value)?.isInteger == true
        case (.boolean, .string(let text)) where subjectKind == .text: return text == "true" || text == "false"
        case (_, .string(let text)): return TextFormat.holds(text, type)
        default: return false
        }
    }
}
