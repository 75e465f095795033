import CEL

/// A condition of a script, which becomes expectations of a suite.
indirect enum ScriptCondition: Sendable {
    case constant(Bool)
    /// A statement about a value.
    case claim(ScriptClaim)
    /// Whether a value is true in a condition: not false, null, 0 or empty.
    case truth(ScriptValue)
    case not(ScriptCondition)
    case and(ScriptCondition, ScriptCondition)
    case or(ScriptCondition, ScriptCondition)
    /// A CEL expression.
    case expression(String)
    /// The body satisfies a JSON Schema.
    case schema(ImportedValue)

    /// The opposite condition.
    var negated: ScriptCondition {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let condition): condition
        case .and(let left, let right): .or(left.negated, right.negated)
        case .or(let left, let right): .and(left.negated, right.negated)
        default: .not(self)
        }
    }

    /// The condition with the results of statements about constants.
    var simplified: ScriptCondition {
        switch self {
        case .claim(let claim): return claim.result.map { .constant($0) } ?? self
        case .not(let condition):
            if case .constant(let value) = condition.simplified { return .constant(!value) }
            return self
        case .and(let left, let right):
            switch (left.simplified, right.simplified) {
            case (.constant(false), _), (_, .constant(false)): return .constant(false)
            case (.constant(true), let other), (let other, .constant(true)): return other
            case (let left, let right): return .and(left, right)
            }
        case .or(let left, let right):
            switch (left.simplified, right.simplified) {
            case (.constant(true), _), (_, .constant(true)): return .constant(true)
            case (.constant(false), let other), (let other, .constant(false)): return other
            case (let left, let right): return .or(left, right)
            }
        default: return self
        }
    }

    /// The expectations that hold exactly if the condition does; nil if there are none.
    var checks: [ImportedCheck]? {
        switch self {
        case .and(let left, let right):
            guard let left = left.checks, let right = right.checks else { return nil }
            return left + right
        case .claim(let claim):
            if let check = claim.check(isNegated: false) { return [check] }
        case .truth(let value):
            if let check = ScriptClaim(value, .truth).check(isNegated: false) { return [check] }
        case .not(.claim(let claim)):
            if let check = claim.check(isNegated: true) { return [check] }
        case .not(.truth(let value)):
            if let check = ScriptClaim(value, .truth).check(isNegated: true) { return [check] }
        case .or:
            if let list = alternatives { return [list] }
        case .schema(let schema): return [.schema(schema)]
        case .not(.schema(let schema)): return [.matches(.json("$"), ImportedMatcher(.schema, schema).negated)]
        case .constant(true): return []
        case .constant, .not, .expression: break
        }
        guard let source = expression, let compiled = try? CELExpression(source) else { return nil }
        // A statement about constants, such as the method of the request, holds for every response.
        if case .bool(true)? = compiled.constantValue { return [] }
        return [.assertion(source)]
    }

    /// Returns whether expectations say the same as the condition, so that it holds wherever they are met.
    func isExpected(by expected: Set<ImportedCheck>) -> Bool {
        !expected.isEmpty && checks.map { !$0.isEmpty && $0.allSatisfy(expected.contains) } ?? false
    }

    /// Returns whether expectations say the opposite of a part of the condition, so that it never holds where they are met.
    func isExcluded(by expected: Set<ImportedCheck>) -> Bool {
        if case .and(let left, let right) = self {
            return left.isExcluded(by: expected) || right.isExcluded(by: expected)
        }
        return negated.isExpected(by: expected)
    }

    /// Returns whether the condition only asks whether the response has a value.
    func asksOnly(for value: ScriptValue) -> Bool {
        switch self {
        case .and(let left, let right): return left.asksOnly(for: value) && right.asksOnly(for: value)
        case .truth(let subject): return subject.contains(value)
        case .claim(let claim):
            switch claim.operation {
            case .exists, .present, .truth, .type: return claim.subject.contains(value)
            case .greater, .atLeast: if case .length(let list) = claim.subject { return list.contains(value) }
            default: break
            }
            return false
        case .not(.claim(let claim)):
            guard case .equals(.null) = claim.operation else { return false }
            return claim.subject.contains(value)
        default: return false
        }
    }

    /// Returns the parts of the condition that expectations do not say; nil if there are none.
    func remaining(after expected: Set<ImportedCheck>) -> ScriptCondition? {
        if isExpected(by: expected) { return nil }
        guard case .and(let left, let right) = self else { return self }
        return .all([left, right].compactMap { $0.remaining(after: expected) })
    }

    /// The expectation that a status is one of several, for `a || b`.
    private var alternatives: ImportedCheck? {
        var statuses: [String] = []
        func collect(_ condition: ScriptCondition) -> Bool {
            switch condition {
            case .or(let left, let right): return collect(left) && collect(right)
            case .claim(let claim):
                guard case .part(.status) = claim.subject, case .equals(let value) = claim.operation,
                    let text = value.literalText
                else { return false }
                statuses.append(text)
                return true
            default: return false
            }
        }
        return collect(self) ? .status(statuses) : nil
    }

    /// Subtracts the size of the condition from a limit, and stops when nothing is left.
    func charge(_ rest: inout Int) {
        rest -= 1
        if rest < 0 { return }
        switch self {
        case .claim(let claim): claim.subject.charge(&rest)
        case .truth(let value): value.charge(&rest)
        case .not(let condition): condition.charge(&rest)
        case .and(let left, let right), .or(let left, let right):
            left.charge(&rest)
            right.charge(&rest)
        case .expression(let source): rest -= source.utf8.count / 64
        case .constant, .schema: break
        }
    }

    /// Returns whether a text is a valid CEL expression.
    static func compiles(_ source: String) -> Bool { (try? CELExpression(source)) != nil }

    /// The condition as a CEL expression; nil if there is none.
    var expression: String? {
        switch self {
        case .constant(let value): return value ? "true" : "false"
        case .claim(let claim): return claim.expression
        case .truth(let value): return ScriptClaim(value, .truth).expression
        case .not(.claim(let claim)):
            if let source = claim.negatedExpression { return source }
            return claim.expression.map { "!(\($0))" }
        case .not(.truth(let value)):
            let claim = ScriptClaim(value, .truth)
            return claim.negatedExpression ?? claim.expression.map { ScriptValue.isSimple($0) ? "!\($0)" : "!(\($0))" }
        case .not(let condition):
            return condition.expression.map { ScriptValue.isSimple($0) ? "!\($0)" : "!(\($0))" }
        case .and(let left, let right): return Self.joined(left, "&&", right)
        case .or(let left, let right): return Self.joined(left, "||", right)
        case .expression(let source): return source
        case .schema: return nil
        }
    }

    private static func joined(_ left: ScriptCondition, _ name: String, _ right: ScriptCondition) -> String? {
        guard let first = left.part(of: name), let second = right.part(of: name) else { return nil }
        return "\(first) \(name) \(second)"
    }

    /// The condition as an operand of `&&` or `||`.
    private func part(of name: String) -> String? {
        guard let source = expression else { return nil }
        switch self {
        case .claim, .truth, .not, .constant:
            let isMixed = source.contains(name == "||" ? "&&" : "||") || source.contains("?")
            return isMixed ? "(\(source))" : source
        case .and: return name == "&&" ? source : "(\(source))"
        case .or: return name == "||" ? source : "(\(source))"
        case .expression, .schema: return ScriptValue.isSimple(source) ? source : "(\(source))"
        }
    }

    /// Returns the condition that holds if all of some conditions do; nil if there are none.
    static func all(_ conditions: [ScriptCondition]) -> ScriptCondition? {
        conditions.first.map { conditions.dropFirst().reduce($0) { .and($0, $1) } }
    }

    /// The condition that holds unless all guards do and the condition does not.
    func guarded(by guards: [ScriptCondition]) -> ScriptCondition {
        guard let condition = ScriptCondition.all(guards) else { return self }
        if case .constant(false) = self { return condition.negated }
        return .or(condition.negated, self)
    }
}
