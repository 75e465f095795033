import Basics
import CEL
import Diagnostics
import JSON
import RunModel
import SuiteModel

extension MatcherEvaluator {
    /// Returns a negative number, zero or a positive number as a value is less than, equal to or greater than an
    /// operand.
    ///
    /// Returns nil for values without an order. Numbers are compared exactly, strings by their code points.
    func order(_ value: JSONValue, _ operand: JSONValue) -> Int? {
        if subjectKind == .text, case .number(let other) = operand {
            return number(value).map { $0 < other ? -1 : other < $0 ? 1 : 0 }
        }
        return Self.order(value, operand)
    }

    /// Returns the order of two values, without interpreting strings as numbers.
    static func order(_ value: JSONValue, _ other: JSONValue) -> Int? {
        switch (value, other) {
        case (.number(let first), .number(let second)): first < second ? -1 : second < first ? 1 : 0
        case (.string(let first), .string(let second)):
            first.utf8.lexicographicallyPrecedes(second.utf8)
                ? -1 : second.utf8.lexicographicallyPrecedes(first.utf8) ? 1 : 0
        default: nil
        }
    }

    /// Evaluates `gt`, `gte`, `lt`, `lte` and `between`.
    func comparison(
        _ value: JSONValue, _ bound: ValueTemplate, _ operation: Matcher.Operation, _ domain: Matcher.Domain,
        _ holds: (Int) -> Bool
    ) throws(TemplateError) -> Mismatch? {
        let bound = try bounding(bound, operation, domain)
        if let order = order(value, bound), holds(order) { return nil }
        return try beyond(bound, value, operation, domain)
    }

    /// Evaluates `between`.
    func between(
        _ value: JSONValue, _ low: ValueTemplate, _ high: ValueTemplate, _ operation: Matcher.Operation,
        _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        let lower = try bounding(low, operation, domain)
        let upper = try bounding(high, operation, domain)
        guard let first = order(value, lower), let second = order(value, upper) else {
            return try beyond(lower, value, operation, domain)
        }
        if first >= 0, second <= 0 { return nil }
        guard explains else { return silent(operation) }
        let bound = first >= 0 ? upper : lower
        let word: MessageText =
            bound.stringValue == nil
            ? (first < 0 ? "is less than" : "is greater than") : (first < 0 ? "sorts before" : "sorts after")
        let side: MessageText = ", which \(word) \(Quantity.plainOperand(bound, in: domain))"
        return try beyond(bound, value, operation, domain, side: side)
    }

    /// Returns the mismatch of a value that is beyond a bound or cannot be compared with it.
    private func beyond(
        _ bound: JSONValue, _ value: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain,
        side: MessageText = ""
    ) throws(TemplateError) -> Mismatch {
        guard explains else { return silent(operation) }
        let isNumber = bound.numberValue != nil
        let got =
            domain == .value
            ? described(value, isNumber: isNumber) : Quantity.describe(value, in: domain, against: bound)
        let side: MessageText =
            order(value, bound) != nil ? side : isNumber ? ", which is not a number" : ", which is not a string"
        return Mismatch(
            type: operation.reason,
            message: "expected \(try clause(operation.operator, domain).text), got \(got)\(side)",
            actual: shown(value, domain), range: operation.range)
    }

    /// Evaluates `closeTo` for numbers and date-times.
    func closeness(
        _ value: JSONValue, _ target: ValueTemplate, _ tolerance: ValueTemplate, _ operation: Matcher.Operation,
        _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        let target = try operand(target, domain)
        // The tolerance for a status is not itself a status.
        let tolerance = try operand(tolerance, domain == .status ? .value : domain)
        let distance: MessageText
        switch (target, tolerance) {
        case (.number(let middle), .number(let amount)) where !amount.isNegative:
            guard let number = number(value) else { return try remote(value, operation, domain, "is not a number") }
            let difference = (number - middle).magnitude
            if !(amount < difference) { return nil }
            guard explains else { return silent(operation) }
            distance = "is \(Quantity.plain(.number(difference), in: domain)) away"
        case (.string(let middle), .string(let amount)):
            guard let middle = Instant(middle), let amount = Quantity.parseDuration(amount) else {
                throw unusable(target, tolerance, operation)
            }
            guard let instant = value.stringValue.flatMap({ Instant($0) }) else {
                return try remote(value, operation, domain, Instant.flaw(value))
            }
            let difference = instant.distance(to: middle)
            if difference <= amount { return nil }
            guard explains else { return silent(operation) }
            distance = "is \(Quantity.duration(difference)) away"
        default: throw unusable(target, tolerance, operation)
        }
        return try remote(value, operation, domain, distance)
    }

    /// Returns the mismatch of a value that is too far away or has no distance.
    private func remote(
        _ value: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain,
        _ what: @autoclosure () -> MessageText
    ) throws(TemplateError) -> Mismatch {
        guard explains else { return silent(operation) }
        var mismatch = try unmet(value, operation, domain)
        mismatch.wording += ", which \(what())"
        return mismatch
    }

    /// Returns the error for incompatible operands of `closeTo`.
    private func unusable(
        _ target: JSONValue, _ tolerance: JSONValue, _ operation: Matcher.Operation
    ) -> TemplateError {
        TemplateError(
            message:
                "closeTo requires a number within a number, or a date-time within a duration, got \(ValueDescription.typed(target)) within \(ValueDescription.typed(tolerance))",
            range: operation.range, expression: operation.range.text)
    }

    /// Evaluates `before`, `after` and `within` for date-times and dates.
    ///
    /// - Parameter holds: Returns whether the operator is satisfied by the instants of the value and the operand.
    func dateComparison(
        _ value: JSONValue, _ limit: ValueTemplate, _ operation: Matcher.Operation, _ holds: (Instant, Instant) -> Bool
    ) throws(TemplateError) -> Mismatch? {
        let limit = try date(limit, operation)
        guard let instant = value.stringValue.flatMap({ Instant($0) }) else {
            return try remote(value, operation, .value, Instant.flaw(value))
        }
        if holds(instant, limit) { return nil }
        return try remote(value, operation, .value, Self.distance(from: instant, to: limit, operation.operator))
    }

    /// Returns the distance between a date-time and the one that it is compared with: `is 5 min later`.
    private static func distance(from instant: Instant, to limit: Instant, _ op: Matcher.Operator) -> MessageText {
        let distance = Quantity.duration(instant.distance(to: limit))
        if case .within = op { return "is \(distance) away" }
        return instant == limit ? "is the same moment" : "is \(distance) \(instant < limit ? "earlier" : "later")"
    }

    /// Returns the operand of a comparison, which must be an ordered value.
    private func bounding(
        _ template: ValueTemplate, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> JSONValue {
        let bound = try operand(template, domain)
        switch bound {
        case .string where domain == .status: break
        case .number, .string: return bound
        case .null, .bool, .array, .object: break
        }
        let kinds: MessageText = domain == .status ? "a number" : "a number or a string"
        throw TemplateError(
            message:
                "\(MessageText(words: operation.operator.keyword.rawValue)) requires \(kinds), got \(ValueDescription.typed(bound))",
            range: operation.range, expression: operation.range.text)
    }

    private func date(_ template: ValueTemplate, _ operation: Matcher.Operation) throws(TemplateError) -> Instant {
        let value = try template.json(in: scope, context: context)
        if let instant = value.stringValue.flatMap({ Instant($0) }) { return instant }
        throw TemplateError(
            message:
                "\(MessageText(words: operation.operator.keyword.rawValue)) requires a date or date-time (RFC 3339), got \(ValueDescription.typed(value))",
            range: operation.range, expression: operation.range.text)
    }
}

extension MatcherEvaluator {
    /// Returns the value of a status expression, interpreted like a literal: a status, a class or range, or a list.
    func statusOperand(
        _ value: JSONValue, _ expression: EmbeddedExpression
    ) throws(TemplateError) -> JSONValue {
        guard case .array(let elements) = value, !elements.isEmpty else { return try status(value, expression) }
        var statuses: [JSONValue] = []
        statuses.reserveCapacity(elements.count)
        for element in elements { statuses.append(try status(element, expression)) }
        return .array(statuses)
    }

    private func status(_ value: JSONValue, _ expression: EmbeddedExpression) throws(TemplateError) -> JSONValue {
        if value.numberValue != nil { return value }
        if let range = value.stringValue.flatMap(StatusText.range(of:)) {
            return range.count == 1 ? .number(JSONNumber(range.lowerBound)) : value
        }
        throw TemplateError(
            message: "expected a status such as 200, 2xx or 200-204, got \(ValueDescription.typed(value))",
            range: expression.range, expression: expression.expression.source)
    }

    /// Returns whether a value equals the expected value. A status matches its class or range, or an element of a list.
    func areEqual(_ value: JSONValue, _ expected: JSONValue, _ domain: Matcher.Domain) -> Bool {
        guard domain == .status, let code = value.numberValue?.int64 else { return areEqual(value, expected) }
        switch expected {
        case .string(let text): return StatusText.range(of: text)?.contains(Int(clamping: code)) == true
        case .array(let elements): return elements.contains { areEqual(value, $0, domain) }
        case .null, .bool, .number, .object: return areEqual(value, expected)
        }
    }
}
