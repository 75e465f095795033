/// Operators of expressions.
extension ScriptTranslator {
    /// Returns the result of an operator with one operand.
    mutating func unary(_ name: String, _ operand: JSExpression) -> ScriptValue {
        let value = evaluate(operand)
        switch (name, value) {
        case ("!", _):
            guard let condition = condition(value) else { return .opaque(value.opaqueReason ?? "!") }
            if case .constant(let isTrue) = condition { return .bool(!isTrue) }
            return .condition(condition.negated)
        case ("-", .number(let number)):
            return .number(number.hasPrefix("-") ? String(number.dropFirst()) : "-\(number)")
        case ("+", .number), ("+", .computed(_, .number)): return value
        case ("+", .host("Date()")): return .computed(ScriptDates.milliseconds, .number)
        case ("typeof", .undefined): return .literal("undefined")
        case ("typeof", .text): return .literal("string")
        case ("typeof", .number): return .literal("number")
        case ("typeof", .bool): return .literal("boolean")
        case ("typeof", .function): return .literal("function")
        case ("typeof", .array), ("typeof", .object), ("typeof", .null): return .literal("object")
        case ("typeof", .opaque), ("typeof", .host): return .opaque(value.opaqueReason ?? name)
        case ("typeof", _): return .typeName(value)
        case ("-", _): return value.operand.map { .computed("-\($0)", .number) } ?? .opaque(value.opaqueReason ?? name)
        case ("void", _): return .undefined
        default: return .opaque(value.opaqueReason ?? name)
        }
    }

    mutating func binary(_ name: String, _ first: JSExpression, _ second: JSExpression) -> ScriptValue {
        if let condition = search(name, first, second) { return .condition(condition) }
        let left = evaluate(first)
        switch name {
        case "&&", "||", "??": return logical(name, left, evaluate(second))
        default: break
        }
        let right = evaluate(second)
        if case .opaque = left { return left }
        if case .opaque = right { return right }
        switch name {
        case "==", "===": return comparison(left, right, isLoose: name == "==")
        case "!=", "!==":
            switch comparison(left, right, isLoose: name == "!=") {
            case .condition(let condition): return .condition(condition.negated)
            case .bool(let value): return .bool(!value)
            case let other: return other
            }
        case "<", ">", "<=", ">=": return order(name, left, right)
        case "+": return sum(left, right)
        case "-", "*", "/", "%": return arithmetic(name, left, right)
        case "instanceof":
            guard case .host(let type) = right, let operation = ScriptClaim.type(named: type) else {
                return .opaque(name)
            }
            return .condition(.claim(ScriptClaim(left, operation)))
        case "in":
            if case .body(let path) = right, let member = left.literalText, !path.isPlural {
                return .condition(.claim(ScriptClaim(.body(path.appending(.name(member))), .exists)))
            }
            return .condition(.claim(ScriptClaim(right, .hasMember(left))))
        default: return .opaque(name)
        }
    }

    /// Returns the condition of `text.indexOf(part) !== -1` and similar.
    private mutating func search(_ name: String, _ left: JSExpression, _ right: JSExpression) -> ScriptCondition? {
        guard case .call(let callee, let arguments) = left.kind, arguments.count == 1,
            case .member(let receiver, "indexOf") = callee.kind
        else { return nil }
        let bound = evaluate(right).literalText
        let isFound: Bool
        switch (name, bound) {
        case (">", "-1"), (">=", "0"), ("!=", "-1"), ("!==", "-1"): isFound = true
        case ("<", "0"), ("<=", "-1"), ("==", "-1"), ("===", "-1"): isFound = false
        default: return nil
        }
        let (subject, part) = (evaluate(receiver), evaluate(arguments[0]))
        if subject.opaqueReason != nil && subject.kind != .list || part.opaqueReason != nil { return nil }
        let claim = ScriptCondition.claim(ScriptClaim(subject, .contains(part)))
        return isFound ? claim : claim.negated
    }

    /// Returns the result of `&&`, `||` or `??`.
    func logical(_ name: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
        guard let first = condition(left) else { return .opaque(left.opaqueReason ?? name) }
        if case .constant(let isTrue) = first {
            if name == "??" {
                switch left {
                case .null, .undefined: return right
                default: return left
                }
            }
            return isTrue == (name == "&&") ? right : left
        }
        // `a && a.b` is `a?.b`.
        if name == "&&", case .body(let parent) = left, case .body(let path) = right,
            path.steps.starts(with: parent.steps)
        {
            return right
        }
        guard let second = condition(right) else { return .opaque(right.opaqueReason ?? name) }
        if name == "||", Self.isPart(left), Self.isPart(right), let test = first.expression,
            let value = left.expression, let fallback = right.expression
        {
            // It is undefined if the left value is false and the right one is undefined.
            let exists = ScriptCondition.claim(ScriptClaim(right, .exists))
            return .selected(
                ScriptValue.Selection(
                    source: "\(test) ? \(value) : \(fallback)", existence: .or(first, exists),
                    truth: .or(first, second)))
        }
        switch (name, right) {
        case ("&&", .chain): return .opaque(name)
        case ("&&", _): return .condition(.and(first, second))
        case (_, .text), (_, .number), (_, .array), (_, .object), ("??", _), (_, .computed), (_, .null):
            // A default value.
            let test = name == "??" ? ScriptClaim(left, .present).expression : first.expression
            guard let test, let value = left.expression, let fallback = right.expression else { return .opaque(name) }
            return .computed("\(test) ? \(value) : \(fallback)", left.kind == right.kind ? left.kind : .any)
        default: return .condition(.or(first, second))
        }
    }

    /// Returns whether a value is a part of the response or of a variable, rather than a condition.
    private static func isPart(_ value: ScriptValue) -> Bool {
        switch value {
        case .body, .selected, .part(.content): true
        case .computed(_, let kind): kind == .any
        default: false
        }
    }

    private func isConstant(_ value: ScriptValue) -> Bool {
        switch value {
        case .null, .undefined, .bool, .number, .array, .object: true
        case .text(let text): text.literal != nil
        default: false
        }
    }

    func comparison(_ left: ScriptValue, _ right: ScriptValue, isLoose: Bool) -> ScriptValue {
        if isConstant(left), isConstant(right) {
            switch (left, right) {
            case (.null, .null), (.undefined, .undefined): return .bool(true)
            case (.bool(let left), .bool(let right)): return .bool(left == right)
            default:
                guard let left = left.literalText, let right = right.literalText else { return .bool(false) }
                return .bool(left == right)
            }
        }
        let (subject, value) = isConstant(left) ? (right, left) : (left, right)
        if subject.opaqueReason != nil { return .opaque(subject.opaqueReason ?? "==") }
        if case .bool(let expected) = value, case .condition(let condition) = subject {
            return .condition(expected ? condition : condition.negated)
        }
        if isLoose {
            switch value {
            case .null, .undefined: return .condition(ScriptCondition.claim(ScriptClaim(subject, .present)).negated)
            default: break
            }
        }
        if case .number(let number) = value, case .part(.header) = subject {
            return .condition(.claim(ScriptClaim(subject, .equals(isLoose ? .literal(number) : value))))
        }
        return .condition(.claim(ScriptClaim(subject, .equals(value))))
    }

    private func order(_ name: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
        if case .number(let first) = left, case .number(let second) = right, let first = Double(first),
            let second = Double(second)
        {
            switch name {
            case "<": return .bool(first < second)
            case ">": return .bool(first > second)
            case "<=": return .bool(first <= second)
            default: return .bool(first >= second)
            }
        }
        let isFlipped = isConstant(left)
        let (subject, value) = isFlipped ? (right, left) : (left, right)
        let operation: ScriptClaim.Operation
        switch isFlipped ? ["<": ">", ">": "<", "<=": ">=", ">=": "<="][name] ?? name : name {
        case "<": operation = .less(value)
        case ">": operation = .greater(value)
        case "<=": operation = .atMost(value)
        default: operation = .atLeast(value)
        }
        return .condition(.claim(ScriptClaim(subject, operation)))
    }

    private func sum(_ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
        if case .number(let first) = left, case .number(let second) = right {
            return arithmetic("+", .number(first), .number(second))
        }
        if left.kind == .string || right.kind == .string {
            guard let first = left.templateText, let second = right.templateText else {
                return .opaque(left.opaqueReason ?? right.opaqueReason ?? "+")
            }
            return .text(RandomText.sum(first, second))
        }
        return arithmetic("+", left, right)
    }

    private func arithmetic(_ name: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
        if case .number(let first) = left, case .number(let second) = right, let first = Int(first),
            let second = Int(second)
        {
            let result: (partialValue: Int, overflow: Bool)
            switch name {
            case "+": result = first.addingReportingOverflow(second)
            case "-": result = first.subtractingReportingOverflow(second)
            case "*": result = first.multipliedReportingOverflow(by: second)
            default: result = (0, true)
            }
            if !result.overflow { return .number(String(result.partialValue)) }
        }
        guard let first = left.operand, var second = right.operand else {
            return .opaque(left.opaqueReason ?? right.opaqueReason ?? name)
        }
        // Unlike that of CEL, division of JavaScript keeps the fraction.
        if name == "/" { second = Int(second) == nil ? "double(\(second))" : "\(second).0" }
        return .computed(
            "\(first) \(name) \(second)", name == "+" && left.kind == .any && right.kind == .any ? .any : .number)
    }
}
