/// Assignments to variables and members.
extension ScriptTranslator {
    /// Returns the value of an assignment after it was made.
    mutating func assignment(
        _ name: String, _ target: JSExpression, _ value: JSExpression, _ range: Range<Int>
    ) -> ScriptValue {
        var result: ScriptValue
        if name == "=" {
            result = evaluate(value)
        } else {
            result = binary(String(name.dropLast()), target, value)
        }
        switch target.kind {
        case .name(let variable): assign(variable, result)
        case .member(let receiver, _), .index(let receiver, _):
            let object = evaluate(receiver)
            if case .host("tests") = object {
                if let condition = result.assertion ?? condition(result) {
                    record(condition, as: target)
                    require([condition], range, reason: result.opaqueReason ?? "tests")
                } else {
                    issue(result.opaqueReason ?? "tests", range, atLeast: 1)
                }
                return .undefined
            }
            if case .host(let path) = object, case .member(_, let name) = target.kind,
                let function = dialect.setters["\(path).\(name)"]
            {
                return change(function, [result], "\(path).\(name)")
            }
            guard replace(target, with: result) else { return .opaque(object.opaqueReason ?? "=") }
            if case .name(let other) = value.kind { noteAlias(.name(other), value, result) }
        default: result = .opaque("=")
        }
        return result
    }

    /// Keeps the result of a test for scripts that read it, as in `if (tests["ok"])`.
    private mutating func record(_ condition: ScriptCondition, as target: JSExpression) {
        let name: String?
        switch target.kind {
        case .member(_, let member): name = member
        case .index(_, let index): name = evaluate(index).literalText
        default: name = nil
        }
        guard let name else { return }
        // A result that is not set is not true. Of several ones, only the run knows which was set last.
        loop?.isOrdered = true
        let isAmbiguous = !guards.isEmpty && results[name] != nil
        results[name] = isAmbiguous ? nil : guards.reversed().reduce(condition) { .and($1, $0) }
    }

    /// Changes or deletes a member of an object of the script, and returns whether the object is known.
    ///
    /// - Parameter value: The value; nil to delete the member.
    mutating func replace(_ target: JSExpression, with value: ScriptValue?) -> Bool {
        var names: [ScriptValue] = []
        var expression = target
        while true {
            switch expression.kind {
            case .member(let receiver, let name):
                names.append(.literal(name))
                expression = receiver
            case .index(let receiver, let index):
                names.append(evaluate(index))
                expression = receiver
            case .name(let variable):
                if aliases.contains(variable) { forgetShared("=") }
                guard !aliases.contains(variable), let root = lookUp(variable),
                    guards(since: variable).isEmpty || root.isExpression,
                    let changed = Self.replacing(names.reversed()[...], of: root, with: value)
                else { return false }
                assign(variable, changed)
                return true
            default: return false
            }
        }
    }

    /// Returns a value with another part; nil if the part cannot exist.
    ///
    /// - Parameter part: The part; nil to delete it.
    private static func replacing(
        _ names: ArraySlice<ScriptValue>, of value: ScriptValue, with part: ScriptValue?
    ) -> ScriptValue? {
        guard let first = names.first else { return part }
        guard let name = first.literalText else { return nil }
        let rest = names.dropFirst()
        let isDeleted = rest.isEmpty && part == nil
        switch value {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name == name }) else {
                if isDeleted { return value }
                return rest.isEmpty ? part.map { .object(members + [(name, $0)]) } : nil
            }
            if isDeleted {
                members.remove(at: index)
                return .object(members)
            }
            guard let changed = replacing(rest, of: members[index].value, with: part) else { return nil }
            members[index].value = changed
            return .object(members)
        case .array(var elements):
            guard !isDeleted, let index = Int(name), index >= 0, index <= elements.count else { return nil }
            if index == elements.count { return rest.isEmpty ? part.map { .array(elements + [$0]) } : nil }
            guard let changed = replacing(rest, of: elements[index], with: part) else { return nil }
            elements[index] = changed
            return .array(elements)
        case .body, .part(.content), .computed, .selected:
            // A member or an element of a value that is known during the run.
            guard let operand = value.operand else { return nil }
            guard case .text = first else {
                guard let index = Int(name), index >= 0,
                    let element = replacing(rest, of: .computed("\(operand)[\(index)]", .any), with: part)?.expression
                else { return nil }
                let before = index == 0 ? "" : "\(operand).slice(0, \(index)) + "
                return .computed("\(before)[\(element)] + \(operand).slice(\(index + 1), size(\(operand)))", .list)
            }
            let key = ImportedNames.literal(name)
            if isDeleted { return .computed("\(operand).omit([\(key)])", .any) }
            guard let member = replacing(rest, of: .computed("\(operand)[\(key)]", .any), with: part)?.expression else {
                return nil
            }
            return .computed("\(operand).merge({\(key): \(member)})", .any)
        default: return nil
        }
    }
}
