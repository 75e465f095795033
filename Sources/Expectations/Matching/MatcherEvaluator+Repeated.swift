import CEL
public import JSON
import RunModel
public import SuiteModel

/// Matching of repeated values with the same name, such as header fields.
extension MatcherEvaluator {
    /// Returns the mismatches of a list of values; nil for a matcher that one of the values must match.
    ///
    /// A list applies to the array of the values, and so does a matcher with an array operator. `not` means that no
    /// value matches. If some alternatives of the matcher are lists and others are not, a single matching value is
    /// sufficient.
    ///
    /// - Parameters:
    ///   - values: The values, which are created only for a matcher that applies to the list.
    ///   - matchesAll: Whether each value must match, not only one of them.
    public func mismatches(
        ofList values: @autoclosure () -> [JSONValue], _ matcher: Matcher, matchesAll: Bool
    ) -> [Mismatch]? {
        guard seesList(matcher) else {
            guard !matchesAll, matcher.hasNegation else { return nil }
            let values = values()
            // For a single value, `not` means the same, and its message is simpler.
            return values.count > 1 ? mismatches(.array(values), forList(matcher)) : nil
        }
        let values = values()
        let found = mismatches(.array(values), withoutNegations(matcher))
        guard !found.isEmpty, let matcher = matcherForOne(matcher) else { return found }
        let quiet = quiet
        return values.contains { quiet.matches($0, matcher) == nil } ? [] : found
    }

    /// Returns whether an operator requires a list or compares with one.
    private func seesList(_ matcher: Matcher) -> Bool {
        matcher.operations.contains { operation in
            switch operation.operator {
            case .equals(let operand), .like(let operand), .strictLike(let operand): isList(operand)
            case .partial(.array, _): true
            case .oneOf(let operands): operands.contains { isList($0) }
            case .not(let inner): seesList(inner)
            case .all(let matchers), .either(let matchers): matchers.contains { seesList($0) }
            case let other: other.need == .list
            }
        }
    }

    /// Returns the matcher for a single value, without alternatives for the list; nil if another operator needs the
    /// list.
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

    /// Returns whether an operand is a list. An operand that cannot be evaluated is reported where it is compared.
    private func isList(_ operand: ValueTemplate) -> Bool {
        switch operand {
        case .constant(.array), .array: return true
        case .template(.expression):
            if case .array? = try? operand.json(in: scope, context: context) { return true }
            return false
        case .constant, .template, .object: return false
        }
    }

    // MARK: Negation

    /// Returns the matcher for the list of values that corresponds to a matcher for one value.
    ///
    /// No value may match the operand of `not`, and one value must satisfy all other operators.
    private func forList(_ matcher: Matcher) -> Matcher {
        var operations: [Matcher.Operation] = []
        var rest = matcher
        rest.operations = []
        for operation in matcher.operations.flatMap(\.conjuncts) {
            switch operation.operator {
            case .not(let inner): operations.append(none(inner, operation))
            case .either(let matchers) where matchers.contains(where: \.hasNegation):
                operations.append(Matcher.Operation(.either(matchers.map(forList)), range: operation.range))
            default: rest.operations.append(operation)
            }
        }
        if !rest.operations.isEmpty { operations.append(Matcher.Operation(.any(rest), range: rest.range)) }
        return Matcher(operations, domain: matcher.domain, range: matcher.range)
    }

    /// Returns a matcher for the list of values in which `not` applies to the values, not to the list.
    private func withoutNegations(_ matcher: Matcher) -> Matcher {
        guard matcher.hasNegation else { return matcher }
        var matcher = matcher
        matcher.operations = matcher.operations.map { operation in
            var operation = operation
            switch operation.operator {
            case .not(let inner) where !seesList(inner) && !inner.isAboutLength: operation = none(inner, operation)
            case .all(let matchers): operation.operator = .all(matchers.map(withoutNegations))
            case .either(let matchers): operation.operator = .either(matchers.map(withoutNegations))
            default: break
            }
            return operation
        }
        return matcher
    }

    private func none(_ inner: Matcher, _ operation: Matcher.Operation) -> Matcher.Operation {
        Matcher.Operation(.none(inner), range: operation.range)
    }
}

extension Matcher {
    /// Whether the matcher, or an alternative in it, contains `not`.
    fileprivate var hasNegation: Bool {
        operations.contains { operation in
            switch operation.operator {
            case .not: true
            case .all(let matchers), .either(let matchers): matchers.contains(where: \.hasNegation)
            default: false
            }
        }
    }

    /// Whether all operators are about the length of the list or its existence.
    fileprivate var isAboutLength: Bool {
        operations.allSatisfy { operation in
            switch operation.operator {
            case .length, .empty, .exists: true
            default: false
            }
        }
    }
}

extension Matcher.Operation {
    /// The operations of the matchers of `all`, or the operation itself.
    fileprivate var conjuncts: [Matcher.Operation] {
        guard case .all(let matchers) = `operator`, matchers.contains(where: \.hasNegation) else { return [self] }
        return matchers.flatMap { $0.operations.flatMap(\.conjuncts) }
    }
}
