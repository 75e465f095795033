import Basics
import JSONPath
import RegularExpressions

extension Compiler {
    /// Compiles a call of a macro, a namespaced function, a function, or a method.
    mutating func call(_ call: SyntaxNode.Call, _ node: SyntaxNode) throws(SourceFault) -> Int {
        guard let target = call.target else {
            if call.name == "has" { return try has(call, node) }
            let arguments = try compile(call.arguments)
            return try resolved(call.name, arguments, isMethod: false, call, node)
        }
        if let name = namespaced(call, target) {
            if name == "cel.bind" { return try bind(call, node) }
            return try resolved(name, try compile(call.arguments), isMethod: false, call, node)
        }
        if let id = try macro(call, target, node) { return id }
        let receiver = try compile(target)
        return try resolved(call.name, [receiver] + (try compile(call.arguments)), isMethod: true, call, node)
    }

    /// Returns the full function name if the target is a namespace, such as `json` in `json.parse(x)`.
    private func namespaced(_ call: SyntaxNode.Call, _ target: SyntaxNode) -> String? {
        guard case .identifier(let namespace, _) = target.kind, !locals.contains(where: { $0.name == namespace })
        else { return nil }
        let name = namespace + "." + call.name
        if name == "cel.bind" { return name }
        guard let definition = functions.functions[name] else {
            // A call that cannot be one of a method or macro is treated as a function, even if only its case differs.
            let prefix = namespace.lowercased() + "."
            let isMethod = functions.methods[call.name]?.overloads[call.arguments.count + 1] != nil
            return !isMethod && !Self.isMacro(call.name)
                && (functions.functions.keys.contains { $0.hasPrefix(prefix) }
                    || ForeignSpelling.ofFunction(name) != nil)
                ? name : nil
        }
        // A variable may have the name of the namespace. The call is a method if only the method accepts its arguments.
        let count = call.arguments.count
        if definition.overloads[count] == nil, functions.methods[call.name]?.overloads[count + 1] != nil { return nil }
        return name
    }

    /// Looks up a function or method and compiles the call; a call with constant arguments is folded.
    private mutating func resolved(
        _ name: String, _ arguments: [Int], isMethod: Bool, _ call: SyntaxNode.Call, _ node: SyntaxNode
    ) throws(SourceFault) -> Int {
        let table = isMethod ? functions.methods : functions.functions
        guard let definition = table[name] else {
            let message = unknown(name, isMethod: isMethod, of: call.target)
            if resolution.allowsUnknownFunctions { return emit(.failure(message), node) }
            throw SourceFault(message, call.nameSpan)
        }
        if name == "format", isMethod, case .call(let inner)? = call.target?.kind,
            ["now", "timestamp"].contains(inner.name)
        {
            throw SourceFault(
                "format() is a method of format strings: \"%s\".format([x]); to format a time, write date.format(time, pattern)",
                node.span)
        }
        guard let implementation = definition.overloads[arguments.count] else {
            throw SourceFault(wrongCount(name, definition, isMethod: isMethod, arguments.count), node.span)
        }
        if let id = try precompiled(name, arguments, call, node) { return id }
        let compiled = CompiledCall(
            name: name, isMethod: isMethod, implementation: implementation, isPure: definition.isPure,
            arguments: arguments)
        let id = emit(.call(compiled), node)
        return definition.isPure ? fold(id) : id
    }

    /// Compiles `matches` and `jsonpath` with a constant argument, and calls that evaluate their argument lazily.
    private mutating func precompiled(
        _ name: String, _ arguments: [Int], _ call: SyntaxNode.Call, _ node: SyntaxNode
    ) throws(SourceFault) -> Int? {
        guard arguments.count == 2, let argument = call.arguments.last else { return nil }
        switch name {
        case "or", "orValue":
            return emit(.optionalOr(arguments[0], arguments[1], unwraps: name == "orValue"), node)
        case "matches":
            guard case .string(let pattern) = constant(arguments[1]) else { return nil }
            do throws(RegularExpressionError) {
                return emit(.matches(arguments[0], try RegularExpression(pattern, dialect: .re2)), node)
            } catch {
                throw SourceFault("invalid regular expression: \(error.wording)", argument.span)
            }
        case "jsonpath":
            guard case .string(let source) = constant(arguments[1]) else { return nil }
            do throws(JSONPathError) {
                return emit(.jsonPath(arguments[0], try JSONPath(source)), node)
            } catch {
                throw SourceFault("invalid JSONPath: \(error.wording)", argument.span)
            }
        default: return nil
        }
    }

    // MARK: Messages

    private func unknown(_ name: String, isMethod: Bool, of target: SyntaxNode?) -> MessageText {
        let kind = isMethod ? "method" : "function"
        if isMethod, let target, Self.isResponse(target), let hint = ForeignSpelling.ofResponseMethod(name) {
            return "unknown method \"\(name)\"; \(hint)"
        }
        if isMethod, functions.functions[name] != nil {
            return "unknown method \"\(name)\"; call it as a function: \(name)(x)"
        }
        if let hint = isMethod ? ForeignSpelling.ofMethod(name) : ForeignSpelling.ofFunction(name) {
            return "unknown \(kind) \"\(name)\"; \(hint)"
        }
        if !isMethod, functions.methods[name] != nil || Self.isMacro(name) {
            return "unknown function \"\(name)\"; call it as a method: x.\(name)(…)"
        }
        let names =
            isMethod ? Array(functions.methods.keys) + Self.macroNames : Array(functions.functions.keys) + ["has"]
        return "unknown \(kind) \"\(name)\"" + Spelling.hint(for: name, among: names.sorted())
    }

    /// Returns whether a name denotes a response in many tools: `response`, `pm.response`, `res`.
    private static func isResponse(_ node: SyntaxNode) -> Bool {
        switch node.kind {
        case .identifier(let name, _), .select(_, let name, _): ["response", "res", "resp"].contains(name)
        default: false
        }
    }

    private func wrongCount(
        _ name: String, _ definition: CELFunctions.Definition, isMethod: Bool, _ count: Int
    ) -> MessageText {
        let receiver = isMethod ? 1 : 0
        let message = Self.wrongCount(name, definition.overloads.keys.map { $0 - receiver }, count - receiver)
        return name == "jsonpath" && count == 1 ? message + "; write jsonpath(body, \"$.a\")" : message
    }

    static func wrongCount(_ name: String, _ allowed: [Int], _ count: Int) -> MessageText {
        let counts = allowed.sorted().map { $0 == 0 ? "no" : String($0) }
        let wanted = counts.dropLast().joined(separator: ", ") + (counts.count > 1 ? " or " : "") + (counts.last ?? "")
        let noun = allowed.max() == 1 ? "argument" : "arguments"
        return "\(name)() takes \(wanted) \(noun), got \(count)"
    }
}

/// A call whose function and argument count are resolved.
struct CompiledCall: Sendable {
    let name: String
    let isMethod: Bool
    let implementation: CELFunctions.Implementation
    /// Whether the result depends on the arguments only.
    let isPure: Bool
    /// The node indices of the receiver, if any, and of the arguments.
    let arguments: [Int]
}
