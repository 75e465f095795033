import Basics
import CEL
import JSON
import RegularExpressions
import SuiteModel

/// The evaluation and description of each operator. A new operator needs a case in the three switches of this file.
extension MatcherEvaluator {
    /// Checks a value against an operator; returns nil if the operator is satisfied.
    func check(
        _ value: JSONValue, _ operation: Matcher.Operation, _ domain: Matcher.Domain
    ) throws(TemplateError) -> Mismatch? {
        switch operation.operator {
        case .equals(let template): return equality(value, try operand(template, domain), operation, domain)
        case .not(let inner): return try negation(value, inner, operation)
        case .type(let types): return try typing(value, types, operation, domain)
        case .contains(let template): return try contains(value, try operand(template, .value), operation)
        case .startsWith(let template):
            return try startsWith(value, try template.text(in: scope, context: context), operation)
        case .endsWith(let template):
            return try endsWith(value, try template.text(in: scope, context: context), operation)
        case .matches(let pattern): return try matches(value, try regularExpression(pattern), operation)
        case .oneOf(let templates):
            for template in templates where areEqual(value, try operand(template, domain), domain) { return nil }
            return try noneEqual(value, templates, operation, domain)
        case .gt(let bound): return try comparison(value, bound, operation, domain) { $0 > 0 }
        case .gte(let bound): return try comparison(value, bound, operation, domain) { $0 >= 0 }
        case .lt(let bound): return try comparison(value, bound, operation, domain) { $0 < 0 }
        case .lte(let bound): return try comparison(value, bound, operation, domain) { $0 <= 0 }
        case .between(let low, let high): return try between(value, low, high, operation, domain)
        case .closeTo(let target, let tolerance): return try closeness(value, target, tolerance, operation, domain)
        case .before(let limit): return try dateComparison(value, limit, operation) { $0 < $1 }
        case .after(let limit): return try dateComparison(value, limit, operation) { $1 < $0 }
        case .within(of: let middle, let amount):
            let amount = try amount.value(in: scope, context: context)
            return try dateComparison(value, middle, operation) { $0.distance(to: $1) <= amount }
        case .exists(let expected):
            let exists = !isSelection || value.arrayValue?.isEmpty != true
            return exists == expected ? nil : try unmet(value, operation, domain)
        case .like(let template):
            let expected = try template.json(in: scope, context: context)
            if PartialComparison.isLike(value, expected) { return nil }
            guard explains else { return silent(operation) }
            return structure(PartialComparison.restricted(value, to: expected), expected, operation, actual: value)
        case .strictLike(let template):
            let expected = try template.json(in: scope, context: context)
            return value == expected ? nil : structure(value, expected, operation, actual: value)
        case .length(let matcher): return try length(value, matcher, operation)
        case .empty(let expected):
            guard let length = length(of: value), (length == 0) == expected else { break }
            return nil
        case .each(let matcher):
            guard case .array(let elements) = value else { break }
            return each(elements, matcher, operation)
        case .any(let matcher), .includes(let matcher):
            guard case .array(let elements) = value else { break }
            return try some(elements, matcher, operation, domain)
        case .none(let matcher):
            guard case .array(let elements) = value else { break }
            return try none(elements, matcher, operation)
        case .unique(let expected):
            guard case .array(let elements) = value else { break }
            return try unique(elements, expected, operation)
        case .sorted(let direction):
            guard case .array(let elements) = value else { break }
            return try sorted(elements, direction, operation)
        case .all(let matchers):
            for inner in matchers { if let mismatch = matches(value, inner) { return mismatch } }
            return nil
        case .either(let matchers): return alternatives(value, matchers, operation)
        case .schema(let schema): return schemaCheck(value, schema, operation)
        case .regex, .as: return filtered(value, operation)?.first
        case .partial(let expected, let isStrict): return try partial(value, expected, isStrict, operation)
        }
        return try unmet(value, operation, domain)
    }

    /// Returns a clause that describes the requirement of an operator.
    func clause(_ op: Matcher.Operator, _ domain: Matcher.Domain) throws(TemplateError) -> Clause {
        switch op {
        case .equals(let template): return .being(describedOperand(try operand(template, domain), domain))
        case .not(let inner): return try clause(inner).negated
        case .type(let types): return .being(ValueDescription.list(types.map(\.article)))
        case .contains(let template): return .doing("contain " + (try plain(template)))
        case .startsWith(let template):
            return .doing("start with \(ValueDescription.quoted(try template.text(in: scope, context: context)))")
        case .endsWith(let template):
            return .doing("end with \(ValueDescription.quotedEnd(try template.text(in: scope, context: context)))")
        case .matches(.compiled(let expression)): return .doing("match /\(expression.pattern)/")
        case .matches(.template(let template, _)):
            return .doing("match /\(try template.text(in: scope, context: context))/")
        case .oneOf(let templates): return try oneOfClause(templates, domain)
        case .gt(let bound): return .comparing("> " + (try plain(bound, domain)))
        case .gte(let bound): return .comparing("≥ " + (try plain(bound, domain)))
        case .lt(let bound): return .comparing("< " + (try plain(bound, domain)))
        case .lte(let bound): return .comparing("≤ " + (try plain(bound, domain)))
        case .between(let low, let high):
            return .comparing("between \(try plain(low, domain)) and \(try plain(high, domain))")
        case .closeTo(let value, let tolerance):
            return .being("\(try plain(value, domain)) ± \(try plain(tolerance, domain, isDuration: true))")
        case .before(let limit): return .comparing("before " + (try plain(limit)))
        case .after(let limit): return .comparing("after " + (try plain(limit)))
        case .within(of: let middle, let amount):
            let amount = try amount.value(in: scope, context: context)
            return .comparing("within \(Quantity.exactDuration(amount)) of \(try plain(middle))")
        case .exists(let expected): return .being("a value", contrary: "no value").negated(unless: expected)
        case .like(let template):
            let value = try plain(template)
            return .being("a value like \(value)", contrary: "anything but a value like \(value)")
        case .strictLike(let template): return .being("exactly the members of " + (try plain(template)))
        case .length(let inner): return try lengthClause(inner)
        case .empty(let expected):
            return .being("an empty value", contrary: "a non-empty value").negated(unless: expected)
        case .each(let inner):
            let text: MessageText = "every element " + (try clause(inner)).ofElement
            return .having(text, contrary: "not \(text)")
        case .any(let inner), .includes(let inner): return try someClause(inner)
        case .none(let inner): return try someClause(inner).negated
        case .unique(let expected):
            return .having("unique elements", contrary: "at least two equal elements").negated(unless: expected)
        case .sorted(let direction):
            let order: MessageText = "in \(MessageText(words: direction.rawValue)) order"
            return .having("elements \(order)", contrary: "elements not \(order)")
        case .all(let matchers): return .all(try clauses(matchers))
        case .either(let matchers): return .either(try clauses(matchers))
        case .schema(let schema): return .doing("satisfy \(schema.title)")
        case .regex(let pattern, let inner):
            let clause = try clause(.matches(pattern), domain)
            if inner.operations.isEmpty { return clause }
            return .all([clause, .selected(try self.clause(inner))])
        case .as(let type, let inner):
            let name = ValueConversion.article(type)
            return try inner.operations.isEmpty ? .being(name) : clause(inner).converted(to: name)
        case .partial(let expected, let isStrict):
            let value = ValueDescription.plain(try shown(expected))
            return isStrict
                ? .being("exactly the members of \(value)")
                : .being("a value like \(value)", contrary: "anything but a value like \(value)")
        }
    }
}

extension Matcher.Operator {
    /// The kind of value that the operator requires; nil if it accepts any kind or its operand decides.
    var need: Need? {
        switch self {
        case .startsWith, .endsWith, .matches, .regex: .text
        case .contains: .parts
        case .length, .empty: .length
        case .each, .any, .includes, .none, .unique, .sorted: .list
        case .equals, .not, .type, .oneOf, .gt, .gte, .lt, .lte, .between, .closeTo, .before, .after, .within, .exists,
            .like, .strictLike, .partial, .all, .either, .schema, .as:
            nil
        }
    }

    /// A kind of value that an operator can require.
    enum Need {
        /// A string.
        case text
        /// A value that can contain another one: a string, an array or an object.
        case parts
        /// A value with a length: a string, an array or an object.
        case length
        /// An array.
        case list

        /// Returns the reason why a value is not of this kind, such as `which is not an array`; nil if it is.
        func obstacle(_ value: JSONValue) -> MessageText? {
            switch (self, value) {
            case (.text, .string), (.list, .array): nil
            case (.parts, .string), (.parts, .array), (.parts, .object): nil
            case (.length, .string), (.length, .array), (.length, .object): nil
            case (.text, _): "which is not a string"
            case (.parts, _): "which is not a string, array or object"
            case (.length, _): "which has no length"
            case (.list, _): "which is not an array"
            }
        }
    }
}
