import RegularExpressions

extension ScriptTranslator {
    /// Returns the value of an expression as far as it is known.
    mutating func evaluate(_ expression: JSExpression) -> ScriptValue {
        guard isWithinLimit() else { return .opaque("script") }
        switch expression.kind {
        case .name("undefined"): return .undefined
        case .name(let name):
            noteRead(name)
            if let value = lookUp(name) { return current(value) }
            if phase == .beforeRequest, case .part? = dialect.values[name] { return .opaque(name) }
            return dialect.values[name] ?? .host(name)
        case .number(let number): return number.hasSuffix("n") ? .opaque("BigInt") : .number(number)
        case .string(let text): return .literal(text)
        case .bool(let value): return .bool(value)
        case .null: return .null
        case .regularExpression(let pattern, let flags):
            return JSRegularExpression.pattern(pattern, flags: flags).map { .pattern($0) }
                ?? .opaque("regular expression")
        case .template(let texts, let substitutions): return template(texts, substitutions)
        case .array(let elements):
            var values: [ScriptValue] = []
            for element in elements {
                guard case .spread(let inner) = element.kind else {
                    values.append(evaluate(element))
                    continue
                }
                switch evaluate(inner) {
                case .array(let list): values += list
                // A copy of a list.
                case let list where elements.count == 1 && (list.isBody || list.kind == .list): return list
                default: return .opaque("spread")
                }
            }
            return .array(values)
        case .object(let properties): return object(properties)
        case .function(let function): return .function(function)
        case .member(let receiver, let name): return current(member(of: evaluate(receiver), name))
        case .index(let receiver, let index):
            if let value = group(receiver, index) { return value }
            return current(element(of: evaluate(receiver), evaluate(index)))
        case .call(let callee, let arguments): return call(callee, arguments, expression.range)
        case .new(let callee, let arguments): return construct(callee, arguments, expression.range)
        case .unary("delete", let target): return replace(target, with: nil) ? .undefined : .opaque("delete")
        case .unary(let name, let operand): return unary(name, operand)
        case .binary(let name, let left, let right): return binary(name, left, right)
        case .conditional(let test, let first, let second):
            let value = evaluate(test)
            let (first, second) = (evaluate(first), evaluate(second))
            guard let condition = condition(value) else { return .opaque(value.opaqueReason ?? "?:") }
            if case .constant(let isTrue) = condition { return isTrue ? first : second }
            guard let test = condition.expression, let left = first.expression, let right = second.expression else {
                return .opaque(first.opaqueReason ?? second.opaqueReason ?? "?:")
            }
            return .computed("\(test) ? \(left) : \(right)", first.kind == second.kind ? first.kind : .any)
        case .assignment(let name, let target, let value): return assignment(name, target, value, expression.range)
        case .spread: return .opaque("spread")
        }
    }

    /// Returns a value, unless it is a list that the script has changed.
    private func current(_ value: ScriptValue) -> ScriptValue {
        if !shortened.isEmpty, case .body(let path) = value, shortened.contains(path) { return .opaque("pop") }
        return value
    }

    private mutating func template(_ texts: [String], _ substitutions: [JSExpression]) -> ScriptValue {
        var text = ImportedText()
        for (index, literal) in texts.enumerated() {
            text.append(literal: literal)
            guard index < substitutions.count else { continue }
            let value = evaluate(substitutions[index])
            guard let part = value.templateText else { return .opaque(value.opaqueReason ?? "template") }
            text.append(part)
            if texts.count == 2, texts.allSatisfy(\.isEmpty), value.kind == .number || value.kind == .bool {
                // A template is text.
                return part.literal.map { .literal($0) } ?? .computed(part.concatenation, .string)
            }
        }
        return .text(text)
    }

    private mutating func object(_ properties: [JSExpression.Property]) -> ScriptValue {
        var members: [(name: String, value: ScriptValue)] = []
        for property in properties {
            if let name = property.name {
                let value = evaluate(property.value)
                if let index = members.firstIndex(where: { $0.name == name }) {
                    members[index].value = value
                } else {
                    members.append((name, value))
                }
            } else {
                guard case .spread(let inner) = property.value.kind, case .object(let others) = evaluate(inner) else {
                    return .opaque("object")
                }
                members.removeAll { member in others.contains { $0.name == member.name } }
                members += others
            }
        }
        return .object(members)
    }

    // MARK: Members

    /// Returns a member of a value.
    mutating func member(of value: ScriptValue, _ name: String) -> ScriptValue {
        switch value {
        case .part(.content): return member(of: .body(BodyPath(steps: [])), name)
        case .host(let path) where dialect.headerMaps.contains(path):
            return phase == .beforeRequest ? .opaque(path) : .part(.header(name))
        case .host("tests"): return results[name].map { .condition($0) } ?? .host("tests.\(name)")
        case .host(let path) where dialect.scopes.contains(path) && dialect.functions["\(path).\(name)"] == nil:
            return .computed(variables.name(name), .any)
        case .chain(let chain): return chain.property(name).map { .chain($0) } ?? .opaque("expect(…).\(name)")
        case .host(let path):
            let full = "\(path).\(name)"
            if dialect.bodyTexts.contains(full) { return requestBodyText ?? .opaque(full) }
            switch dialect.functions[full] {
            case .requestBody: return requestBodyValue ?? .host(full)
            case .request(let part): return request.value(of: part, nil) ?? .host(full)
            default: break
            }
            if phase == .beforeRequest, case .part? = dialect.values[full] { return .opaque(full) }
            return dialect.values[full] ?? .host(full)
        case .body(let path): return name == "length" ? .length(value) : .body(path.appending(.name(name)))
        case .object(let members):
            return members.first { $0.name == name }?.value ?? .undefined
        case .array(let elements): return name == "length" ? .number(String(elements.count)) : .opaque(name)
        case .text(let text):
            guard name == "length" else { return .opaque(name) }
            return text.literal.map { .number(String($0.utf16.count)) } ?? .length(value)
        case .part: return name == "length" ? .length(value) : .opaque(name)
        case .selected(let selection): return member(of: .computed(selection.source, .any), name)
        case .computed(let source, _):
            if name == "length" || name == "size" && value.kind == .list { return .length(value) }
            let isPlain = BodyPath(steps: [.name(name)]).expression == "body.\(name)"
            let operand = ScriptValue.operand(source)
            let key = ImportedNames.literal(name)
            return .selected(
                ScriptValue.Selection(
                    source: isPlain ? "\(operand).\(name)" : "\(operand)[\(key)]",
                    existence: .expression(isPlain ? "has(\(operand).\(name))" : "\(key) in \(operand)")))
        case .undefined, .null, .bool, .number, .pattern, .length, .typeName, .condition, .function, .validator,
            .position, .date, .bytes:
            return .opaque(name)
        case .opaque: return value
        }
    }

    /// Returns an element of a value.
    mutating func element(of value: ScriptValue, _ index: ScriptValue) -> ScriptValue {
        if case .opaque = value { return value }
        if case .part(.content) = value { return element(of: .body(BodyPath(steps: [])), index) }
        if case .position(let list) = index {
            // An index of a loop over the elements of the same list.
            guard case .body(list) = value else { return .opaque("for") }
            return positions[list] ?? .opaque("for")
        }
        if let text = index.literalText {
            guard case .number = index else { return member(of: value, text) }
            guard let number = Int(text), number >= 0 else { return .undefined }
            switch value {
            case .body(let path): return .body(path.appending(.index(number)))
            case .array(let elements): return elements.indices.contains(number) ? elements[number] : .undefined
            case .computed(_, let kind):
                return value.operand.map { .computed("\($0)[\(number)]", kind == .string ? .string : .any) }
                    ?? .opaque("[]")
            case .selected(let selection): return .computed("\(ScriptValue.operand(selection.source))[\(number)]", .any)
            default: return .opaque(value.opaqueReason ?? "[]")
            }
        }
        guard let operand = value.operand, let key = index.expression else {
            return .opaque(value.opaqueReason ?? index.opaqueReason ?? "[]")
        }
        guard case .object(let members) = value else {
            if value.kind == .string, let source = RandomText.character(of: value, at: key) {
                return .computed(source, .string)
            }
            return .computed("\(operand)[\(key)]", .any)
        }
        // Names are texts, and a name that the object does not have is undefined.
        let member = "\(operand)[?\(index.kind == .string ? key : "string(\(key))")]"
        let existence = ScriptCondition.expression("\(member).hasValue()")
        let areTrue = members.allSatisfy { if case .constant(true)? = condition($0.value) { true } else { false } }
        return .selected(
            ScriptValue.Selection(
                source: "\(member).orValue(null)", existence: existence, truth: areTrue ? existence : nil))
    }

    /// Returns the group of a match, as in `text.match(/id=(\d+)/)[1]`.
    private mutating func group(_ receiver: JSExpression, _ index: JSExpression) -> ScriptValue? {
        guard case .number(let number) = index.kind, number == "0" || number == "1",
            case .call(let callee, let arguments) = receiver.kind, arguments.count == 1,
            case .member(let subject, let name) = callee.kind, name == "match" || name == "exec"
        else { return nil }
        let (first, second) = (evaluate(subject), evaluate(arguments[0]))
        let (text, pattern) = name == "match" ? (first, second) : (second, first)
        guard case .pattern(let source) = pattern, let operand = text.expression else { return nil }
        // The function returns the group if there is one.
        let groups = source.split(separator: "(", omittingEmptySubsequences: false).count - 1
        guard number == "1" ? groups == 1 : groups == 0, (try? RegularExpression(source, dialect: .re2)) != nil else {
            return nil
        }
        let result = "regex.extract(\(operand), \(ImportedNames.literal(source))).value()"
        return ScriptCondition.compiles(result) ? .computed(result, .string) : nil
    }

    // MARK: Operators

    private mutating func unary(_ name: String, _ operand: JSExpression) -> ScriptValue {
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

    private func logical(_ name: String, _ left: ScriptValue, _ right: ScriptValue) -> ScriptValue {
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
