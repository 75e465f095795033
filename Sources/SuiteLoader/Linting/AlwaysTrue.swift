import JSON
import RegularExpressions
import SuiteModel

/// Finds operators that hold for every value that there can be.
enum AlwaysTrue {
    /// What is known of the values that are looked at.
    enum Subject {
        /// Nothing.
        case value
        /// They are 0 or more.
        case natural
        /// They are more than 0.
        case positive
    }

    /// Patterns that match every text.
    private static let patterns: Set<String> = [
        "", "^", "$", ".*", ".*?", "(.*)", "^.*", ".*$", "[\\s\\S]*", "^[\\s\\S]*$", "(?:)",
    ]
    /// The types that every value of JSON has one of.
    private static let types: Set<Matcher.ValueType> = [.string, .number, .boolean, .array, .object, .null]
    /// The statuses that there are (RFC 9110, section 15).
    private static let statuses = 100...599

    /// Reports each operator of a matcher that holds for every value.
    static func findings(in matcher: Matcher, _ subject: Subject, _ note: (LintFinding?) -> Void) {
        for operation in matcher.operations {
            if case .exists(true) = operation.operator {
                guard let other = matcher.operations.first(where: { needsValue($0.operator) }) else { continue }
                note(
                    LintFinding(
                        message:
                            "\"exists\" adds nothing: \"\(other.operator.keyword)\" fails too where there is no value",
                        range: operation.range, suggestion: "remove \"exists: true\""))
            } else if let reason = reason(operation.operator, subject) {
                note(LintFinding(message: reason.message, range: operation.range, suggestion: reason.suggestion))
            } else {
                switch operation.operator {
                case .all(let matchers), .either(let matchers):
                    for inner in matchers { findings(in: inner, subject, note) }
                case .each(let inner), .any(let inner), .includes(let inner): findings(in: inner, .value, note)
                default: break
                }
            }
        }
    }

    /// What is always true of an expected status.
    static func finding(in status: ExpectationSet.Status) -> LintFinding? {
        let suggestion = "write the statuses that are right, such as 2xx"
        switch status.pattern {
        case .ranges(let ranges):
            var next = statuses.lowerBound
            for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound <= next {
                next = max(next, range.upperBound + 1)
            }
            guard next > statuses.upperBound else { return nil }
            return LintFinding(message: "every status is one of these", range: status.range, suggestion: suggestion)
        case .matcher(let matcher):
            for operation in matcher.operations {
                let isAlways: Bool? =
                    switch operation.operator {
                    case .gte(let bound): integer(bound).map { $0 <= statuses.lowerBound }
                    case .gt(let bound): integer(bound).map { $0 < statuses.lowerBound }
                    case .lte(let bound): integer(bound).map { $0 >= statuses.upperBound }
                    case .lt(let bound): integer(bound).map { $0 > statuses.upperBound }
                    case .between(let low, let high):
                        integer(low).flatMap { low in
                            integer(high).map { low <= statuses.lowerBound && $0 >= statuses.upperBound }
                        }
                    case .exists(true): true
                    default: nil
                    }
                if isAlways == true {
                    return LintFinding(
                        message: "every status is one of these", range: operation.range, suggestion: suggestion)
                }
            }
            return nil
        }
    }

    private static func reason(
        _ operation: Matcher.Operator, _ subject: Subject
    ) -> (message: String, suggestion: String)? {
        let isText = "write { type: string } to check that it is text"
        switch operation {
        case .contains(.constant(.string(""))): return ("every text contains the empty one", isText)
        case .startsWith(.constant("")): return ("every text begins with the empty one", isText)
        case .endsWith(.constant("")): return ("every text ends with the empty one", isText)
        case .matches(.compiled(let pattern)) where patterns.contains(pattern.pattern):
            return ("the pattern matches every text", isText)
        case .gte(let bound):
            guard subject != .value, let bound = integer(bound), bound <= 0 else { return nil }
            return ("nothing is less than 0", "write a bound that can be missed")
        case .gt(let bound):
            guard subject != .value, let bound = integer(bound), bound < 0 || (bound == 0 && subject == .positive)
            else { return nil }
            return ("every duration is longer than that", "write a bound that can be missed, such as { lt: 2s }")
        case .length(let matcher):
            guard !matcher.operations.isEmpty,
                matcher.operations.allSatisfy({ reason($0.operator, .natural) != nil })
            else { return nil }
            return ("every length is 0 or more", "write { gt: 0 }, or \"empty: false\"")
        case .type(let types) where Self.types.isSubset(of: types):
            return ("every value has one of these types", "write { exists: true }, or the type that is right")
        case .like(.constant(.object(let members))) where members.isEmpty:
            return ("every object is like the empty one", "write { type: object }")
        case .all(let matchers) where matchers.isEmpty: return ("there is nothing that must hold", "add matchers")
        case .either(let matchers):
            let isAlways = matchers.contains { matcher in
                matcher.operations.allSatisfy { reason($0.operator, subject) != nil }
            }
            return isAlways ? ("one of the alternatives holds for every value", "remove the others, or that one") : nil
        default: return nil
        }
    }

    /// Whether an operator fails where there is no value.
    private static func needsValue(_ operation: Matcher.Operator) -> Bool {
        switch operation {
        case .exists, .not, .all, .either: false
        default: true
        }
    }

    private static func integer(_ value: ValueTemplate) -> Int64? {
        if case .constant(.number(let number)) = value { number.int64 } else { nil }
    }
}
