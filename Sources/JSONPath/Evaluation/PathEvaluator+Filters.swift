import JSON

extension PathEvaluator {
    /// Returns whether a filter expression is true for a node (RFC 9535, section 2.3.5.2).
    mutating func test(_ expression: FilterExpression, _ current: JSONValue) -> Bool {
        steps -= 1
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
            return compare(value(of: left, current), comparison, value(of: right, current))
        case .exists(let query):
            if query.isSingular { return singularValue(of: query, at: current) != nil }
            return summary(of: query, at: current, limit: 1).count > 0
        case .matches(let test):
            return matches(test, current)
        }
    }

    /// Returns the value of an operand or argument; nil is the special result Nothing (RFC 9535, section 2.4.1).
    private mutating func value(of operand: FilterValue, _ current: JSONValue) -> JSONValue? {
        switch operand {
        case .literal(let value):
            return value
        case .query(let query):
            return singularValue(of: query, at: current)
        case .length(let argument):
            switch value(of: argument, current) {
            case .string(let text):
                steps -= text.utf8.count >> 6
                return .number(JSONNumber(text.unicodeScalars.count))
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
            return matches(text, pattern, test)
        case .computed(let operand):
            guard case .string(let source)? = value(of: operand, current) else { return false }
            return matches(text, pattern(source), test)
        }
    }

    private mutating func matches(_ text: String, _ pattern: PathPattern?, _ test: PatternTest) -> Bool {
        guard let pattern, steps >= 0 else { return false }
        // A query step is about as much work as eight pattern steps.
        var patternSteps = steps << 3
        let result = pattern.matches(text, whole: test.isWhole, steps: &patternSteps)
        steps = patternSteps < 0 ? -1 : min(steps - 1, patternSteps >> 3)
        return result
    }

    /// Compares two operands (RFC 9535, section 2.3.5.2.2); nil is Nothing.
    private mutating func compare(
        _ left: JSONValue?, _ comparison: ComparisonOperator, _ right: JSONValue?
    ) -> Bool {
        switch comparison {
        case .equal: areEqual(left, right)
        case .notEqual: !areEqual(left, right)
        case .less: PathEvaluator.isLess(left, right)
        case .greater: PathEvaluator.isLess(right, left)
        case .lessOrEqual: PathEvaluator.isLess(left, right) || areEqual(left, right)
        case .greaterOrEqual: PathEvaluator.isLess(right, left) || areEqual(left, right)
        }
    }

    private mutating func areEqual(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return areEqual(left, right)
    }

    /// Returns whether two values are equal and counts each visited value.
    ///
    /// The recursion is as deep as the document, which its parser limits.
    private mutating func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        steps -= 1
        guard steps >= 0 else { return false }
        switch (left, right) {
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for index in left.indices where !areEqual(left[index], right[index]) { return false }
            return true
        case (.object(let left), .object(let right)):
            guard left.count == right.count else { return false }
            for (name, value) in left {
                guard let other = right[name], areEqual(value, other) else { return false }
            }
            return true
        case (.string(let text), .string):
            steps -= text.utf8.count >> 6
            return left == right
        default:
            return left == right
        }
    }

    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch (left, right) {
        case (.number(let left)?, .number(let right)?): left < right
        // UTF-8 bytes have the same order as Unicode scalar values.
        case (.string(let left)?, .string(let right)?): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}
