public import JSON
public import SuiteModel

/// What is sent several times under one name, such as a header.
extension MatcherEvaluator {
    /// What does not hold for the list of several values; nil for a matcher that is held against each of them instead.
    ///
    /// Where one alternative is a list and another is none, it is enough when a value of its own matches.
    ///
    /// - Parameter values: The values, which are made only for a matcher that sees their list.
    public func mismatches(ofList values: @autoclosure () -> [JSONValue], _ matcher: Matcher) -> [Mismatch]? {
        guard seesList(matcher) else { return nil }
        let values = values()
        let found = mismatches(.array(values), matcher)
        guard !found.isEmpty, let matcher = matcherForOne(matcher) else { return found }
        let quiet = quiet
        return values.contains { quiet.matches($0, matcher) == nil } ? [] : found
    }

    /// True when an operator asks for a list, or compares with one.
    private func seesList(_ matcher: Matcher) -> Bool {
        if matcher.asksForList { return true }
        return matcher.operations.contains { operation in
            switch operation.operator {
            case .equals(let operand), .like(let operand), .strictLike(let operand): isList(operand)
            case .oneOf(let operands): operands.contains { isList($0) }
            case .not(let inner): seesList(inner)
            case .all(let matchers), .either(let matchers): matchers.contains { seesList($0) }
            default: false
            }
        }
    }

    /// The matcher for a value of its own, without the alternatives that see the list; nil when another operator sees it.
    private func matcherForOne(_ matcher: Matcher) -> Matcher? {
        var matcher = matcher
        for index in matcher.operations.indices {
            switch matcher.operations[index].operator {
            case .oneOf(let operands):
                matcher.operations[index].operator = .oneOf(operands.filter { !isList($0) })
            case .either(let matchers):
                matcher.operations[index].operator = .either(matchers.filter { !seesList($0) })
            default: break
            }
        }
        return seesList(matcher) ? nil : matcher
    }

    /// Whether an operand is a list; one that cannot be evaluated is none, and is reported where it is compared.
    private func isList(_ operand: ValueTemplate) -> Bool {
        switch operand {
        case .constant(.array), .array: return true
        case .template(.expression):
            if case .array? = try? operand.json(in: scope, context: context) { return true }
            return false
        case .constant, .template, .object: return false
        }
    }
}
