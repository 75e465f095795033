extension ScriptTranslator {
    /// Returns the result of a method of a string, an array, or another value.
    mutating func method(
        of value: ScriptValue, _ receiver: JSExpression, _ name: String, _ arguments: [JSExpression],
        _ range: Range<Int>
    ) -> ScriptValue {
        let values = arguments.map { evaluate($0) }
        let first = values.first ?? .undefined
        let reason = value.opaqueReason ?? first.opaqueReason ?? ".\(name)"
        if case .function(let function) = first {
            if name == "reduce" { return sum(of: value, function, values.dropFirst().first) ?? .opaque(reason) }
            return callback(value, name, function, range) ?? .opaque(reason)
        }
        func claim(_ operation: ScriptClaim.Operation) -> ScriptValue {
            first.opaqueReason == nil ? .condition(.claim(ScriptClaim(value, operation))) : .opaque(reason)
        }
        func text(_ source: (String) -> String) -> ScriptValue {
            value.operand.map { .computed(source($0), .string) } ?? .opaque(reason)
        }
        switch name {
        case "includes", "contains", "has": return claim(.contains(first))
        case "startsWith": return claim(.startsWith(first))
        case "endsWith": return claim(.endsWith(first))
        case "hasOwnProperty":
            return Self.hasMember(value, first)
        case "match":
            guard case .pattern(let pattern) = first else { return .opaque(reason) }
            return claim(.matches(pattern))
        case "test":
            guard case .pattern(let pattern) = value, first.opaqueReason == nil else { return .opaque(reason) }
            return .condition(.claim(ScriptClaim(first, .matches(pattern))))
        case "toLowerCase":
            if let literal = value.literalText { return .literal(literal.lowercased()) }
            return text { "\($0).lowerAscii()" }
        case "toUpperCase":
            if let literal = value.literalText { return .literal(literal.uppercased()) }
            return text { "\($0).upperAscii()" }
        case "trim": return text { "\($0).trim()" }
        case "toString":
            if case .bytes(let source, _) = value, !values.isEmpty {
                return ScriptEncoding(first).map { .computed($0.encoded(source), .string) } ?? .opaque(reason)
            }
            if value.kind == .number, let radix = first.literalText, radix != "10" {
                guard radix == "36", value.expression == "random(0.0, 1.0)" else { return .opaque(reason) }
                return .computed(RandomText.fraction, .string)
            }
            if let literal = value.literalText { return .literal(literal) }
            return value.kind == .string ? value : text { "string(\($0))" }
        case "valueOf": return value
        case "split":
            guard let separator = first.expression, let operand = value.operand else { return .opaque(reason) }
            if case .pattern = first { return .opaque(reason) }
            return .computed("\(operand).split(\(separator))", .list)
        case "join":
            guard let operand = value.operand else { return .opaque(reason) }
            let separator = first.expression ?? "\",\""
            return .computed("\(operand).join(\(separator))", .string)
        case "replace", "replaceAll": return replaced(value, name, values) ?? .opaque(reason)
        case "substring", "substr", "slice": return part(of: value, name, values) ?? .opaque(reason)
        case "concat":
            guard value.kind == .string, let left = value.importedText, let right = first.importedText else {
                return .opaque(reason)
            }
            return .text(left + right)
        case "indexOf":
            guard value.kind == .string, let operand = value.operand, let part = first.expression else {
                return .opaque(reason)
            }
            let start = values.count > 1 ? values[1].expression.map { ", \($0)" } : ""
            return start.map { .computed("\(operand).indexOf(\(part)\($0))", .number) } ?? .opaque(reason)
        case "charAt":
            guard value.kind == .string, let index = first.expression,
                let source = RandomText.character(of: value, at: index)
            else { return .opaque(reason) }
            return .computed(source, .string)
        case "push":
            guard case .name(let variable) = receiver.kind, case .array(let elements) = value,
                guards(since: variable).isEmpty || loop != nil
            else { return .opaque(reason) }
            assign(variable, .array(elements + values))
            return .undefined
        case "keys": return value.operand.map { .computed("\($0).keys()", .list) } ?? .opaque(reason)
        case "at":
            guard case .number(let number) = first, let index = Int(number) else { return .opaque(reason) }
            if index >= 0 { return element(of: value, first) }
            return value.path.map { .body($0.appending(.index(index))) } ?? .opaque(reason)
        case "pop", "shift":
            // The list of a call, as in `location.split("/").pop()`, is not used again.
            if case .call = receiver.kind, value.kind == .list, values.isEmpty, let operand = value.operand {
                let source = "\(operand)[\(name == "pop" ? "size(\(operand)) - 1" : "0")]"
                return .computed(source, operand.contains(".split(") ? .string : .any)
            }
            guard values.isEmpty, guards.isEmpty, let path = value.path, !path.isPlural,
                shortened.insert(path).inserted
            else { return .opaque(reason) }
            return .body(path.appending(.index(name == "pop" ? -1 : 0)))
        default: return .opaque(reason)
        }
    }

    /// Returns whether an object has a member.
    static func hasMember(_ value: ScriptValue, _ name: ScriptValue) -> ScriptValue {
        if case .body(let path) = value, let member = name.literalText {
            return .condition(.claim(ScriptClaim(.body(path.appending(.name(member))), .exists)))
        }
        return name.opaqueReason.map { .opaque($0) } ?? .condition(.claim(ScriptClaim(value, .hasMember(name))))
    }

    private func replaced(_ value: ScriptValue, _ name: String, _ values: [ScriptValue]) -> ScriptValue? {
        guard values.count > 1, let operand = value.operand, let new = values[1].expression else { return nil }
        if case .pattern(let pattern) = values[0] {
            let source = "regex.replace(\(operand), \(ImportedNames.literal(pattern)), \(new))"
            return ScriptCondition.compiles(source) ? .computed(source, .string) : nil
        }
        guard let old = values[0].expression else { return nil }
        return .computed("\(operand).replace(\(old), \(new)\(name == "replace" ? ", 1" : ""))", .string)
    }

    private func part(of value: ScriptValue, _ name: String, _ values: [ScriptValue]) -> ScriptValue? {
        if value.kind == .string, name != "substr", (1...2).contains(values.count), let operand = value.operand,
            values.contains(where: { $0.literalText == nil })
        {
            let sources = values.compactMap(\.expression)
            guard sources.count == values.count else { return nil }
            return .computed("\(operand).substring(\(sources.joined(separator: ", ")))", .string)
        }
        var bounds = values.compactMap(\.literalText).compactMap { Int($0) }
        guard bounds.count == values.count, (1...2).contains(bounds.count), bounds.allSatisfy({ $0 >= 0 }),
            let operand = value.operand
        else { return nil }
        if name == "substr", bounds.count == 2 { bounds[1] += bounds[0] }
        guard bounds.count == 1 || bounds[0] <= bounds[1] else { return nil }
        if value.expression == RandomText.fraction {
            return RandomText.fraction(from: bounds[0], to: bounds.dropFirst().first).map { .computed($0, .string) }
        }
        let list = bounds.map(String.init).joined(separator: ", ")
        if name == "slice", value.kind != .string {
            guard bounds.count == 2 else { return nil }
            return .computed("\(operand).slice(\(list))", .list)
        }
        return .computed("\(operand).substring(\(list))", .string)
    }

    // MARK: Callbacks

    /// Returns the result of a function of lodash with a list and a callback, or with the members that elements must have.
    mutating func listMethod(
        _ list: ScriptValue, _ name: String, _ argument: ScriptValue, _ range: Range<Int>
    ) -> ScriptValue? {
        switch argument {
        case .function(let function): return callback(list, name, function, range)
        case .object(let members):
            // Objects and arrays would be compared by their parts.
            guard !members.isEmpty, let operand = list.operand, !members.contains(where: { $0.value.isCollection })
            else { return nil }
            var names = ImportedNames()
            for source in members.compactMap(\.value.expression) + [operand] {
                for name in uses.names(in: source) { _ = names.unique(name) }
            }
            let parameter = names.unique(variables.element(named: nil))
            let element = ScriptValue.computed(parameter, .any)
            let conditions = members.map { entry in
                condition(comparison(member(of: element, entry.name), entry.value, isLoose: false))
            }
            let known = conditions.compactMap(\.self)
            guard known.count == conditions.count, let source = ScriptCondition.all(known)?.expression else {
                return nil
            }
            return Self.selection(name, operand, parameter, source)
        default: return nil
        }
    }

    /// Returns the result of a method with a callback, such as `list.every(x => x.id > 0)`.
    private mutating func callback(
        _ list: ScriptValue, _ name: String, _ function: JSFunction, _ range: Range<Int>
    ) -> ScriptValue? {
        switch name {
        case "forEach", "each":
            repeated(over: list, name: function.parameters.first?.name, range) { translator, element, index in
                translator.finish(translator.call(function, [element, index]), range)
            }
            return .undefined
        case "map", "filter", "find", "some", "every", "findIndex": break
        default: return nil
        }
        if case .array(let elements) = list { return constant(elements, name, function) }
        guard let operand = list.operand, case .name(let parameter)? = function.parameters.first else { return nil }
        let element = variables.element(named: parameter)
        let issueCount = outcome.issues.count
        let checkCount = outcome.checks.count
        let elements = variables.elements
        variables.elements.insert(element)
        defer { variables.elements = elements }
        var result = ScriptValue.undefined
        let loop = follow(.computed(element, .any), parts: nil) { translator, element, index in
            result = translator.call(function, [element, index])
        }
        // A callback with assertions or other effects would need a loop.
        guard outcome.issues.count == issueCount, outcome.checks.count == checkCount, loop.changes.isEmpty,
            !loop.isOrdered
        else { return nil }
        if name == "map" {
            guard let value = result.expression else { return nil }
            return .computed("\(operand).map(\(element), \(value))", .list)
        }
        guard let source = condition(result)?.expression else { return nil }
        return Self.selection(name, operand, element, source)
    }

    /// Returns the sum of values of elements, as in `list.reduce((sum, x) => sum + x.price, 0)`.
    private mutating func sum(of list: ScriptValue, _ function: JSFunction, _ start: ScriptValue?) -> ScriptValue? {
        guard let operand = list.operand, case .number(let number)? = start, function.parameters.count >= 2,
            let parameter = function.parameters[1].name
        else { return nil }
        let elements = variables.elements
        defer { variables.elements = elements }
        let element = variables.element(named: parameter)
        variables.elements.insert(element)
        let total = variables.element(named: "total")
        variables.elements.insert(total)
        let (issueCount, checkCount) = (outcome.issues.count, outcome.checks.count)
        let result = call(function, [.computed(total, .number), .computed(element, .number), .opaque("index")])
        let prefix = "\(total) + "
        guard outcome.issues.count == issueCount, outcome.checks.count == checkCount,
            let source = result.expression, source.hasPrefix(prefix)
        else { return nil }
        var value = String(source.dropFirst(prefix.count))
        if value.hasPrefix("("), ScriptValue.isSimple(value) { value = String(value.dropFirst().dropLast()) }
        guard !uses.names(in: value).contains(total) else { return nil }
        let sum = "\(value == element ? operand : "\(operand).map(\(element), \(value))").sum()"
        return .computed(Int(number) == 0 ? sum : "\(number) + \(sum)", .number)
    }

    /// Returns the result of a method that selects the elements of a list by a condition.
    static func selection(
        _ name: String, _ operand: String, _ element: String, _ source: String
    ) -> ScriptValue? {
        switch name {
        case "some": return .computed("\(operand).exists(\(element), \(source))", .bool)
        case "every": return .computed("\(operand).all(\(element), \(source))", .bool)
        case "filter": return .computed("\(operand).filter(\(element), \(source))", .list)
        case "find":
            return .selected(
                ScriptValue.Selection(
                    source: "\(operand).filter(\(element), \(source))[0]",
                    existence: .expression("\(operand).exists(\(element), \(source))")))
        default: return nil
        }
    }

    /// Returns the result of a method with a callback on an array of the script.
    private mutating func constant(_ elements: [ScriptValue], _ name: String, _ function: JSFunction) -> ScriptValue? {
        guard elements.count <= Self.maximumRepetitions else { return nil }
        let results = elements.enumerated().map { call(function, [$0.element, .number(String($0.offset))]) }
        if name == "map" { return .array(results) }
        let conditions = results.compactMap { condition($0) }
        guard conditions.count == results.count else { return nil }
        switch name {
        case "every": return .condition(conditions.reduce(.constant(true)) { Self.joined($0, $1, isAnd: true) })
        case "some": return .condition(conditions.reduce(.constant(false)) { Self.joined($0, $1, isAnd: false) })
        case "filter":
            var kept: [ScriptValue] = []
            for (element, condition) in zip(elements, conditions) {
                guard case .constant(let isKept) = condition else { return nil }
                if isKept { kept.append(element) }
            }
            return .array(kept)
        default: return nil
        }
    }

    private static func joined(_ left: ScriptCondition, _ right: ScriptCondition, isAnd: Bool) -> ScriptCondition {
        if case .constant(isAnd) = left { return right }
        return isAnd ? .and(left, right) : .or(left, right)
    }
}
