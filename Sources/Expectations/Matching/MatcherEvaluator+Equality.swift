import Basics
import CEL
import JSON
import RunModel
import SuiteModel

extension MatcherEvaluator {
    /// Returns whether a value equals the expected value. Untyped text may represent a number, `true` or `null`.
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

    /// Returns the value as a number, including a number represented by untyped text.
    func number(_ value: JSONValue) -> JSONNumber? {
        switch value {
        case .number(let number): number
        case .string(let text) where subjectKind == .text: JSONNumber(literal: text)
        default: nil
        }
    }

    /// Evaluates `equals`.
    func equality(
        _ value: JSONValue, _ expected: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) -> Mismatch? {
        if areEqual(value, expected, domain) { return nil }
        guard explains else { return silent(operation) }
        if domain == .status, expected.numberValue == nil {
            let wanted = Quantity.plainOperand(expected, in: domain)
            return Mismatch(
                type: operation.reason, message: "expected \(wanted), got \(ValueDescription.plain(value))",
                expected: expected, actual: value, range: operation.range)
        }
        switch (expected, value) {
        case (.string(let expectedText), .string(let text)):
            return Mismatch(
                type: operation.reason,
                message: TextDifference.message(expected: expectedText, actual: text),
                expected: expected, actual: value, range: operation.range)
        case (.array(let others), .array(let elements)) where subjectKind == .text:
            // A string that represents the expected value is not a difference.
            let shown = elements.enumerated().map { index, element in
                index < others.count && areEqual(element, others[index]) ? others[index] : element
            }
            return structure(.array(shown), expected, operation, actual: value)
        case (.array, .array), (.object, .object):
            return structure(value, expected, operation, actual: value)
        default:
            // Untyped text has no type that distinguishes the two values.
            let isPlain = domain == .value && subjectKind == .text && value.stringValue != nil
            let wanted =
                isPlain
                ? MessageText(ValueDescription.plain(expected)) : Quantity.describeOperand(expected, in: domain)
            let got =
                isPlain
                ? described(value, isNumber: expected.numberValue != nil)
                : Quantity.describe(value, in: domain, against: expected)
            return Mismatch(
                type: operation.reason, message: "expected \(wanted), got \(got)",
                expected: shownOperand(expected, domain), actual: shown(value, domain), range: operation.range)
        }
    }

    /// Returns a value with its type. For untyped text, returns the number that it represents if compared with a
    /// number.
    func described(_ value: JSONValue, isNumber: Bool) -> MessageText {
        guard subjectKind == .text, case .string(let text) = value else { return ValueDescription.typed(value) }
        let number = isNumber ? JSONNumber(literal: text) : nil
        return MessageText(ValueDescription.plain(number.map(JSONValue.number) ?? value))
    }

    /// Returns the mismatch of `oneOf`, with the nearest operand.
    func noneEqual(
        _ value: JSONValue, _ templates: [ValueTemplate], _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        var mismatch = try unmet(value, operation, domain)
        guard explains, domain == .value else { return mismatch }
        var operands: [JSONValue] = []
        for template in templates { operands.append(try operand(template, domain)) }
        if let nearest = NearestValue(to: value, among: operands, isExpected: false) {
            mismatch.wording += "; \(nearest.alternative)"
            mismatch.details += nearest.details(root: root)
        }
        return mismatch
    }

    /// Returns the mismatch of two structures: a single difference in the message, several in the details.
    ///
    /// - Parameters:
    ///   - value: The compared value: the actual value, or the relevant part of it.
    ///   - actual: The entire actual value.
    func structure(
        _ value: JSONValue, _ expected: JSONValue, _ operation: Matcher.Operation, actual: JSONValue
    ) -> Mismatch {
        guard explains else { return silent(operation) }
        let difference = JSONDifference(expected: expected, actual: value)
        let message: MessageText
        var details: [MessageText] = []
        if case .array(let first) = expected, case .array(let second) = value,
            let moved = DifferenceLines.moved(first, second, root: root)
        {
            message = "the elements are as expected, but in a different order"
            details = moved
        } else if let only = difference.changes.first, difference.changes.count == 1 {
            message =
                only.location.steps.isEmpty
                ? "expected \(ValueDescription.typed(expected)), got \(ValueDescription.typed(actual))"
                : DifferenceLines.line(only, root: root)
        } else {
            message = "\(difference.changes.count) differences from the expected value"
            details = DifferenceLines.lines(difference, root: root)
        }
        return Mismatch(
            type: operation.reason, message: message, expected: expected, actual: actual,
            range: operation.range, details: details)
    }

    /// Evaluates `type`.
    func typing(
        _ value: JSONValue, _ types: [Matcher.ValueType], _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        for type in types where hasType(value, type) { return nil }
        var mismatch = try unmet(value, operation, domain)
        if explains, case .string(let text) = value, types.count == 1, let flaw = TextFormat.flaw(text, types[0]) {
            mismatch.wording += ", \(flaw)"
        }
        return mismatch
    }

    func hasType(_ value: JSONValue, _ type: Matcher.ValueType) -> Bool {
        switch (type, value) {
        case (.string, .string), (.boolean, .bool), (.array, .array), (.object, .object), (.null, .null): return true
        case (.number, _): return number(value) != nil
        case (.integer, _): return number(value)?.isInteger == true
        case (.boolean, .string(let text)) where subjectKind == .text: return text == "true" || text == "false"
        case (.null, .string(let text)) where subjectKind == .text: return text == "null"
        case (_, .string(let text)): return TextFormat.holds(text, type)
        default: return false
        }
    }
}
