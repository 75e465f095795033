import CEL
import Diagnostics
import JSON
import SuiteModel

extension MatcherEvaluator {
    /// Negative, zero or positive as a value is less than, equal to or greater than an operand; nil without an order.
    ///
    /// Numbers are ordered exactly, texts by their code points.
    func order(_ value: JSONValue, _ operand: JSONValue) -> Int? {
        switch operand {
        case .number(let other): number(value).map { $0 < other ? -1 : other < $0 ? 1 : 0 }
        case .string(let other): value.stringValue.map { compareText($0, other) }
        default: nil
        }
    }

    private func compareText(_ left: String, _ right: String) -> Int {
        if left.utf8.lexicographicallyPrecedes(right.utf8) { return -1 }
        return right.utf8.lexicographicallyPrecedes(left.utf8) ? 1 : 0
    }

    /// `gt`, `gte`, `lt`, `lte` and `between`.
    func comparison(
        _ value: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        let bound: JSONValue
        switch operation.operator {
        case .gt(let template):
            bound = try bounding(template, operation, domain)
            if let order = order(value, bound), order > 0 { return nil }
        case .gte(let template):
            bound = try bounding(template, operation, domain)
            if let order = order(value, bound), order >= 0 { return nil }
        case .lt(let template):
            bound = try bounding(template, operation, domain)
            if let order = order(value, bound), order < 0 { return nil }
        case .lte(let template):
            bound = try bounding(template, operation, domain)
            if let order = order(value, bound), order <= 0 { return nil }
        case .between(let low, let high):
            bound = try bounding(low, operation, domain)
            let upper = try bounding(high, operation, domain)
            if let first = order(value, bound), let second = order(value, upper), first >= 0, second <= 0 { return nil }
        default: return nil
        }
        guard explains else { return silent(operation) }
        return Mismatch(
            type: operation.operator.keyword,
            message: try clause(operation.operator, domain).expected + ", got "
                + Quantity.describe(value, in: domain, against: bound),
            actual: shown(value, domain), range: operation.range)
    }

    /// `closeTo`, on numbers and on date-times.
    func closeness(
        _ value: JSONValue, _ target: ValueTemplate, _ tolerance: ValueTemplate, _ operation: Matcher.Operation,
        _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        let target = try operand(target, domain)
        let tolerance = try operand(tolerance, domain)
        switch (target, tolerance) {
        case (.number(let middle), .number(let amount)):
            guard let number = number(value) else { break }
            let distance = (number - middle).magnitude
            if !(amount < distance) { return nil }
            guard explains else { return silent(operation) }
            var mismatch = try unmet(value, operation, domain)
            mismatch.message += ", which is \(Quantity.plain(.number(distance), in: domain)) away"
            return mismatch
        case (.string(let middle), .string(let amount)):
            guard let middle = Instant(middle), let amount = Quantity.parseDuration(amount),
                let instant = value.stringValue.flatMap({ Instant($0) })
            else { break }
            let distance = instant.distance(to: middle)
            if distance <= amount { return nil }
            guard explains else { return silent(operation) }
            var mismatch = try unmet(value, operation, domain)
            mismatch.message += ", which is \(Quantity.duration(distance)) away"
            return mismatch
        default: break
        }
        return try unmet(value, operation, domain)
    }

    /// `before`, `after` and `within`, on date-times and dates.
    func dateComparison(_ value: JSONValue, _ operation: Matcher.Operation) throws(TemplateError) -> Mismatch? {
        let instant = value.stringValue.flatMap { Instant($0) }
        switch operation.operator {
        case .before(let template):
            let limit = try date(template, operation)
            if let instant, instant < limit { return nil }
        case .after(let template):
            let limit = try date(template, operation)
            if let instant, limit < instant { return nil }
        case .within(of: let template, let amount):
            let middle = try date(template, operation)
            if let instant {
                let distance = instant.distance(to: middle)
                if distance <= amount { return nil }
                guard explains else { return silent(operation) }
                var mismatch = try unmet(value, operation, .value)
                mismatch.message += ", which is \(Quantity.duration(distance)) away"
                return mismatch
            }
        default: return nil
        }
        var mismatch = try unmet(value, operation, .value)
        if instant == nil, explains { mismatch.message += ", which is no date or date-time" }
        return mismatch
    }

    /// The operand of a comparison, which must be something that has an order.
    private func bounding(
        _ template: ValueTemplate, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> JSONValue {
        let bound = try operand(template, domain)
        switch bound {
        case .number, .string: return bound
        case .null, .bool, .array, .object:
            throw TemplateError(
                message: "\(operation.operator.keyword) compares with a number or text, not with "
                    + ValueDescription.typed(bound),
                range: operation.range, expression: operation.range.text)
        }
    }

    private func date(_ template: ValueTemplate, _ operation: Matcher.Operation) throws(TemplateError) -> Instant {
        let value = try template.json(in: scope, context: context)
        if let instant = value.stringValue.flatMap({ Instant($0) }) { return instant }
        throw TemplateError(
            message: "\(operation.operator.keyword) compares with a date or date-time (RFC 3339), not with "
                + ValueDescription.typed(value),
            range: operation.range, expression: operation.range.text)
    }
}
