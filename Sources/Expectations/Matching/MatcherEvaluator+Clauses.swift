import CEL
import JSON
import RegularExpressions
import SuiteModel

extension MatcherEvaluator {
    /// What an operator asks for, in words.
    func clause(_ op: Matcher.Operator, _ domain: Matcher.Domain) throws(TemplateError) -> Clause {
        switch op {
        case .equals(let template):
            return .being(Quantity.describeOperand(try operand(template, domain), in: domain))
        case .not(let inner):
            return .being("not " + (try clause(inner)).embedded)
        case .type(let types):
            return .being(ValueDescription.list(types.map(\.article)))
        case .contains(let template):
            return .doing("contain " + (try plain(template)))
        case .startsWith(let template):
            return .doing("start with " + ValueDescription.quoted(try template.text(in: scope, context: context)))
        case .endsWith(let template):
            return .doing("end with " + ValueDescription.quoted(try template.text(in: scope, context: context)))
        case .matches(.compiled(let expression)):
            return .doing("match /\(expression.pattern)/")
        case .matches(.template(let template, _)):
            return .doing("match /\(try template.text(in: scope, context: context))/")
        case .oneOf(let templates):
            var values: [String] = []
            for template in templates.prefix(12) { values.append(try plain(template, domain)) }
            if templates.count > values.count { values.append("\(templates.count - values.count) more") }
            return .being("one of " + values.joined(separator: ", "))
        case .gt, .gte, .lt, .lte, .between, .closeTo, .before, .after, .within:
            return try comparisonClause(op, domain)
        case .exists(let expected): return .being(expected ? "a value" : "no value")
        case .empty(let expected): return .being(expected ? "something empty" : "something that is not empty")
        case .unique(let expected): return .being(expected ? "unique elements" : "elements of which two are equal")
        case .sorted(let direction): return .being("elements in \(direction.rawValue) order")
        case .length(let inner): return try lengthClause(inner)
        case .each(let inner): return .being("every element " + (try elementClause(inner)))
        case .any(let inner), .includes(let inner): return .being("an element " + (try elementClause(inner)))
        case .none(let inner): return .being("no element " + (try elementClause(inner)))
        case .like(let template): return .being("something like " + (try plain(template)))
        case .strictLike(let template): return .being("exactly the members of " + (try plain(template)))
        case .schema(let schema): return .doing("satisfy \(schema.title)")
        case .all(let matchers): return try joined(matchers, "and")
        case .either(let matchers): return try joined(matchers, "or")
        }
    }

    /// What a matcher asks for, in words.
    func clause(_ matcher: Matcher) throws(TemplateError) -> Clause {
        var clauses: [Clause] = []
        for operation in matcher.operations { clauses.append(try clause(operation.operator, matcher.domain)) }
        return Clause.joined(clauses, "and")
    }

    private func joined(_ matchers: [Matcher], _ conjunction: String) throws(TemplateError) -> Clause {
        var clauses: [Clause] = []
        for matcher in matchers { clauses.append(try clause(matcher)) }
        return Clause.joined(clauses, conjunction)
    }

    private func elementClause(_ matcher: Matcher) throws(TemplateError) -> String {
        switch try clause(matcher) {
        case .being(let text): "to be \(text)"
        case .doing(let text): "to \(text)"
        }
    }

    private func lengthClause(_ matcher: Matcher) throws(TemplateError) -> Clause {
        if case .equals(let template) = matcher.operations.first?.operator, matcher.operations.count == 1 {
            return .being("length " + (try plain(template)))
        }
        return .being("length " + (try clause(matcher)).embedded)
    }

    private func comparisonClause(_ op: Matcher.Operator, _ domain: Matcher.Domain) throws(TemplateError) -> Clause {
        switch op {
        case .gt(let template): .being("> " + (try plain(template, domain)))
        case .gte(let template): .being("≥ " + (try plain(template, domain)))
        case .lt(let template): .being("< " + (try plain(template, domain)))
        case .lte(let template): .being("≤ " + (try plain(template, domain)))
        case .between(let low, let high):
            .being("between \(try plain(low, domain)) and \(try plain(high, domain))")
        case .closeTo(let value, let tolerance):
            .being("\(try plain(value, domain)) ± \(try plain(tolerance, domain, isDuration: true))")
        case .before(let template): .being("before " + (try plain(template)))
        case .after(let template): .being("after " + (try plain(template)))
        case .within(of: let template, let amount):
            .being("within \(Quantity.exactDuration(amount)) of \(try plain(template))")
        default: .being(op.keyword)
        }
    }

    /// An operand without its type.
    private func plain(
        _ template: ValueTemplate, _ domain: Matcher.Domain = .value, isDuration: Bool = false
    ) throws(TemplateError) -> String {
        let value = try operand(template, domain)
        if isDuration, let nanoseconds = value.stringValue.flatMap(Quantity.parseDuration) {
            return Quantity.exactDuration(nanoseconds)
        }
        return Quantity.plainOperand(value, in: domain)
    }
}

extension Matcher.ValueType {
    /// The type with its article, for messages.
    fileprivate var article: String {
        switch self {
        case .string: "a string"
        case .number: "a number"
        case .integer: "an integer"
        case .boolean: "a boolean"
        case .array: "an array"
        case .object: "an object"
        case .null: "null"
        case .uuid: "a UUID"
        case .date: "a date (YYYY-MM-DD)"
        case .dateTime: "a date-time (RFC 3339)"
        case .email: "an email address"
        case .uri: "a URI"
        case .ipv4: "an IPv4 address"
        case .ipv6: "an IPv6 address"
        }
    }
}
