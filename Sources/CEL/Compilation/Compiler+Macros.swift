import Basics

extension Compiler {
    static let macroNames = [
        "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap",
        "transformMapEntry", "sortBy", "optMap", "optFlatMap",
    ]

    static func isMacro(_ name: String) -> Bool { macroNames.contains(name) }

    /// Compiles `has(x.field)`.
    mutating func has(_ call: SyntaxNode.Call, _ node: SyntaxNode) throws(SourceFault) -> Int {
        guard call.arguments.count == 1, let argument = call.arguments.first else {
            throw SourceFault(Self.wrongCount("has", [1], call.arguments.count), node.span)
        }
        switch argument.kind {
        case .select(let operand, let field, isOptional: false):
            let id = try compile(operand)
            extendReference(by: field, of: operand)
            return emit(.has(id, field: field), node)
        case .index(let operand, let index, isOptional: false):
            // Beyond standard CEL, the field may be written as a constant index, as the names of headers require.
            guard case .literal(.string(let field)) = index.kind else { break }
            let id = try compile(operand)
            extendReference(by: field, of: operand)
            return emit(.has(id, field: field), node)
        default: break
        }
        throw SourceFault("the argument of has() must be a field selection, such as has(body.title)", argument.span)
    }

    /// Compiles a macro that has method syntax; returns nil if the call is not a macro.
    mutating func macro(
        _ call: SyntaxNode.Call, _ target: SyntaxNode, _ node: SyntaxNode
    ) throws(SourceFault) -> Int? {
        let count = call.arguments.count
        switch call.name {
        case "all", "exists", "exists_one", "existsOne":
            try require([2, 3], call, node)
            let kind: Comprehension.Kind = call.name == "all" ? .all : call.name == "exists" ? .exists : .existsOne
            return try comprehension(kind, target, call, variables: count - 1, node)
        case "filter":
            try require([2], call, node)
            return try comprehension(.filter, target, call, variables: 1, node)
        case "sortBy":
            try require([2], call, node)
            return try comprehension(.sortBy, target, call, variables: 1, node)
        case "map":
            try require([2, 3], call, node)
            return try comprehension(.map, target, call, variables: 1, node)
        case "transformList", "transformMap", "transformMapEntry":
            try require([3, 4], call, node)
            guard let kind = Comprehension.Kind(rawValue: call.name) else { return nil }
            return try comprehension(kind, target, call, variables: 2, node)
        case "optMap", "optFlatMap":
            try require([2], call, node)
            let operand = try compile(target)
            let name = try variable(call.arguments[0])
            let slot = push(name)
            defer { pop(1) }
            let body = try compile(call.arguments[1])
            return emit(.optionalMap(operand, slot: slot, body, isFlat: call.name == "optFlatMap"), node)
        default: return nil
        }
    }

    /// Compiles `cel.bind(name, value, result)`.
    mutating func bind(_ call: SyntaxNode.Call, _ node: SyntaxNode) throws(SourceFault) -> Int {
        try require([3], call, node)
        let name = try variable(call.arguments[0])
        let value = try compile(call.arguments[1])
        let slot = push(name)
        defer { pop(1) }
        return emit(.bind(slot: slot, value, try compile(call.arguments[2])), node)
    }

    private mutating func comprehension(
        _ kind: Comprehension.Kind, _ target: SyntaxNode, _ call: SyntaxNode.Call, variables: Int,
        _ node: SyntaxNode
    ) throws(SourceFault) -> Int {
        let range = try compile(target)
        var names: [String] = []
        for argument in call.arguments.prefix(variables) {
            let name = try variable(argument)
            guard !names.contains(name) else {
                throw SourceFault("the two variables of a macro must have different names", argument.span)
            }
            names.append(name)
        }
        let slot = push(names[0])
        for name in names.dropFirst() { _ = push(name) }
        defer { pop(names.count) }
        let rest = Array(call.arguments.dropFirst(variables))
        let condition = rest.count == 2 ? try compile(rest[0]) : nil
        let body = try compile(rest[rest.count - 1])
        return emit(
            .comprehension(
                Comprehension(
                    kind: kind, range: range, slot: slot, names: names, condition: condition, body: body)),
            node)
    }

    private func require(_ counts: [Int], _ call: SyntaxNode.Call, _ node: SyntaxNode) throws(SourceFault) {
        guard !counts.contains(call.arguments.count) else { return }
        let message = Self.wrongCount(call.name, counts, call.arguments.count)
        let needsVariable = call.arguments.count == 1 && call.name != "cel.bind"
        throw SourceFault(
            needsVariable ? "\(message): a variable and an expression, as in x.\(call.name)(e, e > 0)" : message,
            node.span)
    }

    private func variable(_ node: SyntaxNode) throws(SourceFault) -> String {
        guard case .identifier(let name, isRooted: false) = node.kind else {
            throw SourceFault("the variable of a macro must be a simple name", node.span)
        }
        return name
    }

    private mutating func push(_ name: String) -> Int {
        let slot = locals.count
        locals.append((name, slot))
        program.slotCount = max(program.slotCount, locals.count)
        return slot
    }

    private mutating func pop(_ count: Int) {
        locals.removeLast(count)
    }
}

/// A macro that iterates over a list or map.
struct Comprehension: Sendable {
    enum Kind: String, Sendable {
        case all
        case exists
        case existsOne
        case map
        case filter
        case sortBy
        case transformList
        case transformMap
        case transformMapEntry
    }

    let kind: Kind
    /// The node index of the list or map.
    let range: Int
    /// The slot of the first variable; a second variable uses the next slot.
    let slot: Int
    let names: [String]
    /// The node index of the filter condition of `map` and the transformations, if any.
    let condition: Int?
    /// The node index of the predicate or transformation.
    let body: Int

    var hasTwoVariables: Bool { names.count == 2 }
}
