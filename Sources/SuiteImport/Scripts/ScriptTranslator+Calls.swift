import Basics
import JSON

extension ScriptTranslator {
    /// Returns the result of a call.
    mutating func call(_ callee: JSExpression, _ arguments: [JSExpression], _ range: Range<Int>) -> ScriptValue {
        switch callee.kind {
        case .member(let receiver, let name):
            let value = evaluate(receiver)
            switch value {
            case .opaque: return value
            case .chain(let chain): return method(chain, name, arguments, range)
            case .host(let path):
                let full = "\(path).\(name)"
                if let function = dialect.functions[full] { return call(function, full, arguments, range) }
                if name == "hasOwnProperty", dialect.headerMaps.contains(path),
                    let field = arguments.first.map({ evaluate($0) })?.literalText
                {
                    return .condition(.claim(ScriptClaim(.part(.header(field)), .exists)))
                }
                if path == "Date()" { return method(of: ScriptDates.now, receiver, name, arguments) }
                if path == "console" {
                    outcome.omitted.append("console output")
                    return .undefined
                }
                return .opaque(full)
            case .date(let time): return method(of: time, receiver, name, arguments)
            case .object(let members):
                if case .function(let function)? = members.first(where: { $0.name == name })?.value {
                    return call(function, arguments.map { evaluate($0) })
                }
                if name == "hasOwnProperty", let key = arguments.first.map({ evaluate($0) })?.literalText {
                    return .bool(members.contains { $0.name == key })
                }
                return .opaque(name)
            default: return method(of: value, receiver, name, arguments, range)
            }
        case .name(let name):
            switch lookUp(name) {
            case .function(let function)?: return call(function, arguments.map { evaluate($0) })
            case .validator(let schema)?: return validation(arguments.first.map { evaluate($0) }, schema, name)
            case .host(let path)?:
                if let function = dialect.functions[path] { return call(function, path, arguments, range) }
                return .opaque(path)
            case .some(let value): return .opaque(value.opaqueReason ?? name)
            case nil:
                if let function = dialect.functions[name] { return call(function, name, arguments, range) }
                return .opaque(name)
            }
        default:
            switch evaluate(callee) {
            case .function(let function): return call(function, arguments.map { evaluate($0) })
            case .validator(let schema): return validation(arguments.first.map { evaluate($0) }, schema, "function")
            case let value: return .opaque(value.opaqueReason ?? "function")
            }
        }
    }

    /// Returns whether the body or a part of it is valid by a schema.
    func validation(_ value: ScriptValue?, _ schema: ImportedValue?, _ reason: String) -> ScriptValue {
        guard let schema, let value, let path = value.path else { return .opaque(value?.opaqueReason ?? reason) }
        return .condition(path.steps.isEmpty ? .schema(schema) : .claim(ScriptClaim(value, .schema(schema))))
    }

    /// Returns the result of a method of a date, which may change it.
    private mutating func method(
        of time: String, _ receiver: JSExpression, _ name: String, _ arguments: [JSExpression]
    ) -> ScriptValue {
        if let value = ScriptDates.value(of: time, name) { return value }
        let values = arguments.map { evaluate($0) }
        if let value = MomentDates.value(of: time, name, values) { return value }
        let moment = MomentDates.time(time, name, values)
        guard case .name(let variable) = receiver.kind else {
            return moment.map { .date($0) } ?? .opaque("Date.\(name)")
        }
        if moment == time { return .date(time) }
        if aliases.contains(variable) { forgetShared("Date.\(name)") }
        guard guards(since: variable).isEmpty, !aliases.contains(variable),
            let changed = moment ?? ScriptDates.time(time, name, values.map { $0.expression ?? "" })
        else { return .opaque("Date.\(name)") }
        assign(variable, .date(changed))
        return moment == nil ? .undefined : .date(changed)
    }

    private mutating func method(
        _ chain: ChaiChain, _ name: String, _ arguments: [JSExpression], _ range: Range<Int>
    ) -> ScriptValue {
        let values = arguments.map { evaluate($0) }
        if name == "satisfy" || name == "satisfies", case .function(let function)? = values.first {
            guard let condition = condition(call(function, [chain.subject])) else {
                return .opaque("expect(…).satisfy")
            }
            var result = chain
            result.add(condition)
            return .chain(result)
        }
        if ["throw", "throws", "Throw"].contains(name), values.isEmpty, chain.isNegated,
            case .function(let function) = chain.subject
        {
            return reading(function, chain) ?? .opaque("expect(…).\(name)")
        }
        if let result = chain.method(name, values) { return .chain(result) }
        return .opaque(values.lazy.compactMap(\.opaqueReason).first ?? "expect(…).\(name)")
    }

    /// Returns the assertion that a function which reads the body as JSON succeeds; nil if it does something else.
    private mutating func reading(_ function: JSFunction, _ chain: ChaiChain) -> ScriptValue? {
        let (hasRead, issueCount, checkCount) = (readsJSON, outcome.issues.count, outcome.checks.count)
        readsJSON = false
        defer { readsJSON = readsJSON || hasRead }
        _ = call(function, [])
        guard readsJSON, outcome.issues.count == issueCount, outcome.checks.count == checkCount else { return nil }
        var result = chain
        result.conditions.append(.claim(ScriptClaim(.body(BodyPath(steps: [])), .exists)))
        return .chain(result)
    }

    /// Returns a new object.
    mutating func construct(_ callee: JSExpression, _ arguments: [JSExpression], _ range: Range<Int>) -> ScriptValue {
        let value = evaluate(callee)
        guard case .host(let name) = value else { return .opaque(value.opaqueReason ?? "new") }
        switch name {
        case "Date" where arguments.isEmpty: return .host("Date()")
        case "Date":
            // A time without a zone depends on the machine.
            let value = arguments.count == 1 ? evaluate(arguments[0]) : .undefined
            switch value {
            case .date, .host("Date()"): return value
            default: break
            }
            guard let time = value.expression else { return .opaque(value.opaqueReason ?? "new Date") }
            switch value.kind {
            case .number: return .date(ScriptDates.time(ofMilliseconds: time))
            case .any, .string:
                // A date without a time is one in UTC.
                let isDay =
                    value.literalText.map { $0.utf8.count == 10 && $0.split(separator: "-").count == 3 } ?? false
                return .date("timestamp(\(isDay ? "\(time.dropLast())T00:00:00Z\"" : time))")
            case .bool, .list: return .opaque("new Date")
            }
        case "Promise":
            guard case .function(let function)? = arguments.first.map({ evaluate($0) }) else {
                return .opaque("new Promise")
            }
            let result = call(function, [.host("resolve"), .host("resolve")])
            if case .opaque = result { return result }
            finish(result, range)
            return .undefined
        case "Set" where arguments.count == 1:
            let list = evaluate(arguments[0])
            return list.operand.map { .computed("\($0).distinct()", .list) } ?? .opaque(list.opaqueReason ?? "new Set")
        case "ajv", "ajv.default": return .host("ajv()")
        case "RegExp":
            guard let pattern = arguments.first.map({ evaluate($0) })?.literalText else { return .opaque("RegExp") }
            let flags = arguments.count > 1 ? evaluate(arguments[1]).literalText ?? "" : ""
            return JSRegularExpression.pattern(pattern, flags: flags).map { .pattern($0) } ?? .opaque("RegExp")
        default: return .opaque("new \(name)")
        }
    }
}
