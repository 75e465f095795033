import JSON

extension PathEvaluator {
    /// Whether a filter's expression holds for a node (RFC 9535 §2.3.5.2).
    mutating func test(_ expression: FilterExpression, _ current: JSONValue) -> Bool {
        switch expression {
        case .or(let parts):
            for part in parts where test(part, current) { return true }
            return false
        case .and(let parts):
            for part in parts where !test(part, current) { return false }
            return true
        case .not(let part):
            return !test(part, current)
        case .comparison(let left, let comparison, let right):
            return PathEvaluator.compare(value(of: left, current), comparison, value(of: right, current))
        case .exists(let query):
            if query.isSingular { return singularValue(of: query, at: current) != nil }
            return summary(of: query, at: current, limit: 1).count > 0
        case .matches(let test):
            return matches(test, current)
        }
    }

    /// The value of an operand or argument; nil stands for the special result Nothing (RFC 9535 §2.4.1).
    private mutating func value(of operand: FilterValue, _ current: JSONValue) -> JSONValue? {
        switch operand {
        case .literal(let value):
            return value
        case .query(let query):
            return singularValue(of: query, at: current)
        case .length(let argument):
            switch value(of: argument, current) {
            case .string(let text): return .number(JSONNumber(text.unicodeScalars.count))
            case .array(let array): return .number(JSONNumber(array.count))
            case .object(let object): return .number(JSONNumber(object.count))
            default: return nil
            }
        case .count(let query):
            return .number(JSONNumber(summary(of: query, at: current, limit: .max).count))
        case .value(let query):
            let summary = summary(of: query, at: current, limit: 2)
            return summary.count == 1 ? summary.first : nil
        }
    }

    private mutating func matches(_ test: PatternTest, _ current: JSONValue) -> Bool {
        guard case .string(let text)? = value(of: test.text, current) else { return false }
        switch test.pattern {
        case .compiled(let pattern):
            return pattern?.matches(text, whole: test.isWhole) ?? false
        case .computed(let operand):
            guard case .string(let source)? = value(of: operand, current) else { return false }
            return pattern(source)?.matches(text, whole: test.isWhole) ?? false
        }
    }

    /// Comparison of two operands (RFC 9535 §2.3.5.2.2); nil is Nothing.
    private static func compare(_ left: JSONValue?, _ comparison: ComparisonOperator, _ right: JSONValue?) -> Bool {
        switch comparison {
        case .equal: left == right
        case .notEqual: left != right
        case .less: isLess(left, right)
        case .greater: isLess(right, left)
        case .lessOrEqual: isLess(left, right) || left == right
        case .greaterOrEqual: isLess(right, left) || left == right
        }
    }

    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch (left, right) {
        case (.number(let left)?, .number(let right)?): left < right
        // The order of UTF-8 bytes is the order of Unicode scalar values.
        case (.string(let left)?, .string(let right)?): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}
