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
}
