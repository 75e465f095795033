import Basics
import Diagnostics
import JSON
import SuiteModel
import YAML

/// Reads matchers: a scalar or a sequence means equality, a mapping is a set of operators.
struct MatcherReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of operands.
    let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context, phase: .expectation)
    }

    /// Returns the matcher of a node.
    func matcher(_ node: YAMLNode, domain: Matcher.Domain = .value) -> Matcher {
        let range = node.range
        guard let mapping = node.mapping else {
            if domain == .status {
                return Matcher([Matcher.Operation(statusOperator(node), range: range)], domain: domain, range: range)
            }
            let operand = operand(node, domain: domain)
            if domain == .duration, node.kind == .scalar, let text = node.scalar?.text {
                context.report(
                    "never-equal", "a duration is almost never exactly \(text)", range,
                    suggestion: "write { lt: \(text) }", severity: .warning)
            }
            return Matcher([Matcher.Operation(.equals(operand), range: range)], domain: domain, range: range)
        }
        var operations: [Matcher.Operation] = []
        operations.reserveCapacity(mapping.count)
        if mapping.isEmpty {
            context.report(
                "missing-operator", "a matcher needs an operator", range,
                suggestion: "write { equals: {} } to compare with an empty object")
        }
        var unknown: [YAMLNode] = []
        var filter = MatcherFilter()
        for (key, value) in mapping {
            guard let position = OperatorKey.schema.position(of: key) else {
                unknown.append(key)
                continue
            }
            switch OperatorKey.schema.keys[position] {
            case .regex: filter.regex = (key, value)
            case .as: filter.conversion = (key, value)
            default: break
            }
            if let `operator` = self.operator(position, key, value, domain: domain) {
                operations.append(Matcher.Operation(`operator`, range: value.range))
            }
        }
        if !unknown.isEmpty { reportUnknown(unknown, of: mapping.count) }
        if !filter.isEmpty {
            filter.checkUse(by: mapping.count, context)
            operations = MatcherFilter.filtering(operations, range: range)
        }
        return Matcher(operations, domain: domain, range: range)
    }

    /// Returns the matcher of the array of a header's values, from a mapping in which `all` has a matcher for each.
    func matcher(ofEveryField node: YAMLNode) -> Matcher {
        var operations: [Matcher.Operation] = []
        for (key, value) in node.members {
            guard let position = OperatorKey.schema.position(of: key), OperatorKey.everyField.position(of: key) != nil
            else {
                let names = OperatorKey.everyField.keys.dropFirst().map(\.rawValue).joined(separator: ", ")
                context.report(
                    "invalid-operator", "\"\(key.scalar?.text ?? "")\" does not apply to all values of a header",
                    key.range, suggestion: "beside \"all\", write \(names)")
                continue
            }
            let `operator` =
                OperatorKey.schema.keys[position] == .all
                ? .each(matcher(value)) : self.operator(position, key, value, domain: .value)
            if let `operator` { operations.append(Matcher.Operation(`operator`, range: value.range)) }
        }
        return Matcher(operations, range: node.range)
    }

    // MARK: Operators

    private func `operator`(
        _ position: Int, _ key: YAMLNode, _ value: YAMLNode, domain: Matcher.Domain
    ) -> Matcher.Operator? {
        let name = OperatorKey.schema.keys[position]
        let forms = OperatorKey.schema.forms[position]
        if forms != .any, !forms.contains(NodeForms(of: value)) {
            let isQuantity = domain.isQuantity && forms == [.number, .string]
            let phrase =
                isQuantity ? Self.noun(of: domain) : OperatorKey.schema.description.entries[position].kind.phrase
            context.reportType(
                value, expected: phrase, key: key,
                suggestion: name == .oneOf ? value.scalar.map { "write [\($0.text)]" } : nil)
            return nil
        }
        if domain != .value, !name.allowsQuantity {
            context.report(
                "invalid-operator", "\"\(name.rawValue)\" does not apply to \(Self.noun(of: domain))", key.range,
                suggestion: domain == .status
                    ? "for example, write 2xx, or use not, oneOf, lt, gte or between"
                    : "use lt, lte, gt, gte or between")
            return nil
        }
        switch name {
        case .equals:
            return domain == .status ? statusOperator(value) : .equals(operand(value, domain: domain))
        case .not: return .not(matcher(value, domain: domain))
        case .type: return types(value)
        case .contains: return .contains(templates.value(value))
        case .startsWith: return .startsWith(templates.template(value))
        case .endsWith: return .endsWith(templates.template(value))
        case .matches: return pattern(value).map(Matcher.Operator.matches)
        case .oneOf: return oneOf(value, domain: domain)
        case .gt: return ordered(value, domain: domain).map(Matcher.Operator.gt)
        case .gte: return ordered(value, domain: domain).map(Matcher.Operator.gte)
        case .lt: return ordered(value, domain: domain).map(Matcher.Operator.lt)
        case .lte: return ordered(value, domain: domain).map(Matcher.Operator.lte)
        case .between: return between(value, domain: domain)
        case .closeTo: return closeTo(value, domain: domain)
        case .length: return length(value)
        case .empty: return flag(value).map(Matcher.Operator.empty)
        case .exists: return flag(value).map(Matcher.Operator.exists)
        case .unique: return flag(value).map(Matcher.Operator.unique)
        case .each: return .each(matcher(value))
        case .any: return .any(matcher(value))
        case .none: return Matcher.Operator.none(matcher(value))
        case .includes: return .includes(matcher(value))
        case .sorted: return sorted(value)
        case .like: return partial(value, isStrict: false)
        case .strictLike: return partial(value, isStrict: true)
        case .before: return dateTime(value).map(Matcher.Operator.before)
        case .after: return dateTime(value).map(Matcher.Operator.after)
        case .within: return within(value)
        case .jsonSchema: return SchemaReader(context).schema(value).map(Matcher.Operator.schema)
        case .all: return matchers(value, domain: domain).map(Matcher.Operator.all)
        case .either: return matchers(value, domain: domain).map(Matcher.Operator.either)
        case .regex: return pattern(value).map { .regex($0, Matcher([], range: value.range)) }
        case .as:
            return context.choice(value, Capture.Conversion.self).map { .as($0, Matcher([], range: value.range)) }
        }
    }

    private static func noun(of domain: Matcher.Domain) -> String {
        switch domain {
        case .value: "a value"
        case .duration: "a duration"
        case .size: "a size"
        case .status: "a status"
        }
    }

    /// Returns `like` or `strictLike`, whose operand may contain matchers.
    private func partial(_ value: YAMLNode, isStrict: Bool) -> Matcher.Operator {
        let reader = PartialValueReader(matchers: self)
        if reader.hasMatcher(value) { return .partial(reader.value(value), isStrict: isStrict) }
        return isStrict ? .strictLike(templates.value(value)) : .like(templates.value(value))
    }

    // MARK: Operands

    /// Returns an equality operand in a domain: a value, a status, or a number of nanoseconds or bytes.
    private func operand(_ node: YAMLNode, domain: Matcher.Domain) -> ValueTemplate {
        let quantity: Int64?
        switch domain {
        case .value: return templates.value(node)
        case .status: return status(node)
        case .duration, .size:
            if let template = context.expression(node, templates) { return .template(template) }
            quantity = domain == .duration ? context.duration(node) : context.size(node)
        }
        return .constant(.number(JSONNumber(quantity ?? 0)))
    }

    /// Returns a number, a string, or an expression.
    private func ordered(_ node: YAMLNode, domain: Matcher.Domain) -> ValueTemplate? {
        guard !domain.isQuantity else { return operand(node, domain: domain) }
        let value = templates.value(node)
        switch value {
        case .constant(.number), .template: return value
        case .constant(.string(let text)):
            if JSONNumber(literal: text) != nil {
                context.reportType(node, expected: "a number", suggestion: "write it without quotes")
                return nil
            }
            if domain == .status {
                context.report(
                    "invalid-operand", "a status can be compared only with a number, not with \"\(text)\"", node.range,
                    suggestion: "write a number such as \(StatusText.range(of: text)?.lowerBound ?? 400)")
                return nil
            }
            if DateText.isDate(text) || DateText.isDateTime(text) {
                context.report(
                    "invalid-operand", "\"\(text)\" would be compared as a string, not as a date", node.range,
                    suggestion: "use \"before\", \"after\" or \"within\"")
                return nil
            }
            return value
        default:
            context.reportType(node, expected: "a number or string")
            return nil
        }
    }

    private func between(_ node: YAMLNode, domain: Matcher.Domain) -> Matcher.Operator? {
        guard let sequence = node.sequence, sequence.count == 2 else {
            context.report(
                "invalid-operand", "\"between\" needs two values, got \(node.sequence?.count ?? 0)", node.range,
                suggestion: "write [minimum, maximum]")
            return nil
        }
        guard let low = ordered(sequence[0], domain: domain), let high = ordered(sequence[1], domain: domain) else {
            return nil
        }
        let isReversed: Bool
        switch (low, high) {
        case (.constant(.number(let first)), .constant(.number(let second))): isReversed = second < first
        case (.constant(.string(let first)), .constant(.string(let second))):
            isReversed = second.utf8.lexicographicallyPrecedes(first.utf8)
        case (.constant, .constant):
            context.report("invalid-operand", "\"between\" needs two numbers or two strings", node.range)
            return nil
        default: isReversed = false
        }
        if isReversed {
            context.report(
                "invalid-operand",
                "no value is between \(sequence[0].scalar?.text ?? "") and \(sequence[1].scalar?.text ?? "")",
                node.range,
                suggestion: "write the minimum first")
        }
        return .between(low, high)
    }

    private func closeTo(_ node: YAMLNode, domain: Matcher.Domain) -> Matcher.Operator? {
        var middle: YAMLNode?
        var distance: YAMLNode?
        MapReader(context, CloseToKey.schema).read(node) { key, _, operand in
            switch key {
            case .value: middle = operand
            case .within: distance = operand
            }
        }
        guard let middle, let distance else { return nil }
        if domain.isQuantity {
            return .closeTo(value: operand(middle, domain: domain), within: operand(distance, domain: domain))
        }
        let value = templates.value(middle)
        let within = templates.value(distance)
        let isDate: Bool?
        switch value {
        case .constant(.number): isDate = false
        case .constant(.string(let text))
        where domain != .status && (DateText.isDate(text) || DateText.isDateTime(text)):
            isDate = true
        case .constant(let constant):
            let isNumber = constant.stringValue.flatMap { JSONNumber(literal: $0) } != nil
            context.reportType(
                middle, expected: "a number or a date-time", suggestion: isNumber ? "write it without quotes" : nil)
            return nil
        default: isDate = nil
        }
        if case .constant(.number(let amount)) = within, amount.isNegative {
            context.report(
                "invalid-operand", "a distance cannot be negative", distance.range,
                suggestion: "write a distance of at least 0")
            return nil
        }
        switch (within, isDate) {
        case (.constant(.number), true): _ = context.duration(distance)
        case (.constant(.number), _), (.template, _): break
        case (.constant(.string), false):
            context.reportType(
                distance, expected: "a number", suggestion: "write the maximum distance as a number")
        default: _ = context.duration(distance)
        }
        return .closeTo(value: value, within: within)
    }

    private func within(_ node: YAMLNode) -> Matcher.Operator? {
        var of: ValueTemplate?
        var amount: Templated<Int64>?
        MapReader(context, WithinKey.schema).read(node) { key, keyNode, operand in
            switch key {
            case .of: of = dateTime(operand)
            case .amount: amount = context.duration(operand, keyNode, templates)
            }
        }
        guard let of, let amount else { return nil }
        return .within(of: of, amount: amount)
    }

    private func dateTime(_ node: YAMLNode) -> ValueTemplate? {
        let value = templates.value(node)
        if case .constant(.string(let text)) = value, !DateText.isDate(text), !DateText.isDateTime(text) {
            context.report(
                "invalid-operand", "\"\(text)\" is not a date-time", node.range,
                suggestion: "for example, write 2026-01-31T12:00:00Z")
            return nil
        }
        return value
    }

    private func types(_ node: YAMLNode) -> Matcher.Operator? {
        var types: [Matcher.ValueType] = []
        for word in node.listed {
            guard let text = word.scalar?.text, word.scalar?.isString == true || word.isNull else {
                context.reportType(word, expected: "the name of a type")
                continue
            }
            if let type = Matcher.ValueType(rawValue: text) {
                types.append(type)
                continue
            }
            let other = ["bool": "boolean", "int": "integer", "float": "number", "list": "array", "map": "object"][text]
            let nearest = other ?? Spelling.nearest(to: text, among: Matcher.ValueType.words)
            context.report(
                "unknown-type", "unknown type \"\(text)\"", word.range,
                suggestion: nearest.map { "did you mean \"\($0)\"?" }
                    ?? "the types are \(Matcher.ValueType.words.joined(separator: ", "))")
        }
        if node.sequence?.isEmpty == true {
            context.report("invalid-operand", "\"type\" needs at least one type", node.range)
        }
        return types.isEmpty ? nil : .type(types)
    }

    private func pattern(_ node: YAMLNode) -> Matcher.Pattern? {
        let template = templates.template(node)
        if let text = template.constantText { return context.pattern(text, in: node).map(Matcher.Pattern.compiled) }
        return .template(template, range: node.range)
    }

    private func oneOf(_ node: YAMLNode, domain: Matcher.Domain) -> Matcher.Operator? {
        guard let sequence = node.sequence, !sequence.isEmpty else {
            context.report("invalid-operand", "\"oneOf\" needs at least one value", node.range)
            return nil
        }
        return .oneOf(sequence.map { operand($0, domain: domain) })
    }

    private func length(_ node: YAMLNode) -> Matcher.Operator? {
        if node.kind != .mapping {
            let value = templates.value(node)
            switch value {
            case .template: break
            case .constant(.number(let number)) where number.isInteger && !number.isNegative: break
            default:
                context.reportType(node, expected: "an integer or a mapping of operators")
                return nil
            }
        }
        return .length(matcher(node))
    }

    private func flag(_ node: YAMLNode) -> Bool? {
        guard case .bool(let value)? = node.scalar?.value else { return nil }
        return value
    }

    private func sorted(_ node: YAMLNode) -> Matcher.Operator? {
        guard let scalar = node.scalar else { return nil }
        if case .bool(let value) = scalar.value {
            if value { return .sorted(.ascending) }
            context.report(
                "invalid-operand", "\"sorted\" must be true, ascending or descending", node.range,
                suggestion: "write { not: { sorted: true } }")
            return nil
        }
        if let order = Matcher.Order(rawValue: scalar.text) { return .sorted(order) }
        let words = ["asc": "ascending", "desc": "descending"]
        let nearest =
            words[scalar.text] ?? Spelling.nearest(to: scalar.text, among: Matcher.Order.allCases.map(\.rawValue))
        context.report(
            "invalid-operand", "\"sorted\" must be true, ascending or descending", node.range,
            suggestion: nearest.map { "did you mean \"\($0)\"?" })
        return nil
    }

    private func matchers(_ node: YAMLNode, domain: Matcher.Domain) -> [Matcher]? {
        guard let sequence = node.sequence, !sequence.isEmpty else {
            context.report("invalid-operand", "a sequence of matchers must have at least one matcher", node.range)
            return nil
        }
        return sequence.map { matcher($0, domain: domain) }
    }

    // MARK: Unknown operators

    private func reportUnknown(_ keys: [YAMLNode], of count: Int) {
        let description = OperatorKey.schema.description
        let isObject: MessageText =
            "to compare with an object, write it under \"equals\", or under \"like\" to match a part of it"
        var isExplained = false
        for key in keys {
            let text = key.scalar?.text ?? ""
            let hint =
                description.misplaced[text]?.text
                ?? Spelling.suggestion(for: text, among: description.entries.map(\.name))
            if let hint {
                context.report(
                    "unknown-operator", "unknown operator \"\(text)\"", key.range,
                    related: text == "$match" ? [] : [Diagnostic.Related(message: isObject)], suggestion: hint)
            } else if !isExplained {
                // An object in place of a matcher has many unknown keys, but needs only one explanation.
                isExplained = true
                context.report(
                    "unknown-operator", "unknown operator \"\(text)\"", key.range, suggestion: isObject)
            }
        }
    }
}

extension MatcherReader {
    /// Returns the operator for a status, or for a sequence of alternatives.
    func statusOperator(_ node: YAMLNode) -> Matcher.Operator {
        guard let sequence = node.sequence else { return .equals(status(node)) }
        if sequence.isEmpty {
            context.report("invalid-status", "a sequence of statuses must have at least one status", node.range)
        }
        return .oneOf(sequence.map(status))
    }

    /// Returns a status operand: a number, the text of a class or a range, or an expression.
    ///
    /// Any other operand is reported: it would never equal a status, so `not` would always succeed.
    func status(_ node: YAMLNode) -> ValueTemplate {
        let value = templates.value(node)
        switch value {
        case .template: return value
        case .constant(.number(let number)):
            if let code = number.int64, code >= 100, code <= 999 { return value }
        case .constant(.string(let text)):
            if let range = StatusText.range(of: text) {
                return range.count == 1 ? .constant(.number(JSONNumber(range.lowerBound))) : value
            }
        default:
            context.reportType(node, expected: "a status", suggestion: Self.statusAdvice)
            return value
        }
        context.report(
            "invalid-status", "\"\(node.scalar?.text ?? "")\" is not a status", node.range,
            suggestion: Self.statusAdvice)
        return value
    }

    private static var statusAdvice: MessageText { "for example, write 200, 2xx or 200-204" }
}
