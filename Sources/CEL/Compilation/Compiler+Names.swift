extension Compiler {
    /// A name, selection or index as it was written, the root first.
    private struct Chain {
        var root: SyntaxNode
        var name: String
        var isRooted: Bool
        /// The selections and constant indexes that follow one another directly behind the root.
        var steps: [(key: Node.PathStep.Key, node: SyntaxNode)]
        /// The number of steps at the beginning that are selections written with a dot.
        var dottedCount: Int
    }

    /// Compiles a name with the constant selections behind it; nil for anything else.
    mutating func path(_ node: SyntaxNode) throws(SourceFault) -> Int? {
        guard let chain = chain(node) else { return nil }
        let local = chain.isRooted ? nil : locals.last { $0.name == chain.name }
        guard local == nil else {
            return path(.local(local?.slot ?? 0), chain, node)
        }
        let parts =
            [chain.name]
            + chain.steps.prefix(chain.dottedCount).compactMap { step in
                if case .field(let field) = step.key { field } else { nil }
            }
        addReference(chain)
        if resolution.hasQualifiedNames {
            guard chain.dottedCount == chain.steps.count else { return nil }
            return emit(.qualified(resolution.candidates(for: parts, isRooted: chain.isRooted)), node)
        }
        if parts.count == chain.steps.count + 1, let type = CELType.dotted(parts.joined(separator: ".")) {
            program.references.removeLast()
            return emit(.constant(.type(type)), node)
        }
        guard !chain.steps.isEmpty else {
            return emit(.variable(chain.name, type: CELType.named[chain.name]), node)
        }
        return path(.variable(chain.name), chain, node)
    }

    private mutating func path(_ root: Node.Path.Root, _ chain: Chain, _ node: SyntaxNode) -> Int {
        if chain.steps.isEmpty, case .local(let slot) = root { return emit(.local(slot), node) }
        let steps = chain.steps.map { Node.PathStep(key: $0.key, span: offsets.span($0.node.span)) }
        let rootSpan = offsets.span(chain.root.span)
        return emit(.path(Node.Path(root: root, rootSpan: rootSpan, steps: steps)), node)
    }

    private func chain(_ node: SyntaxNode) -> Chain? {
        var steps: [(key: Node.PathStep.Key, node: SyntaxNode)] = []
        var current = node
        var dottedCount = 0
        while true {
            switch current.kind {
            case .select(let operand, let field, isOptional: false):
                steps.append((.field(field), current))
                dottedCount += 1
                current = operand
                continue
            case .index(let operand, let index, isOptional: false):
                guard case .literal(let value) = index.kind else { return nil }
                switch value {
                case .string(let field): steps.append((.field(field), current))
                case .int(let position): steps.append((.index(position), current))
                default: return nil
                }
                dottedCount = 0
                current = operand
                continue
            case .identifier(let name, let isRooted):
                return Chain(
                    root: current, name: name, isRooted: isRooted, steps: steps.reversed(),
                    dottedCount: dottedCount)
            default: return nil
            }
        }
    }

    private mutating func addReference(_ chain: Chain) {
        var path = [chain.name]
        for step in chain.steps {
            switch step.key {
            case .field(let field): path.append(field)
            case .index(let index): path.append(String(index))
            }
        }
        let span = offsets.span(chain.root.span)
        program.references.append(
            CELReference(
                name: chain.name, path: path, offset: Int(span.offset), length: Int(span.length),
                isTypeName: CELType.named[chain.name] != nil))
    }

    /// Adds a field that is only looked for to the reference of a name that has just been compiled.
    mutating func extendReference(by field: String, of operand: SyntaxNode) {
        guard let chain = chain(operand), let last = program.references.indices.last,
            chain.isRooted || !locals.contains(where: { $0.name == chain.name }),
            program.references[last].offset == Int(offsets.span(chain.root.span).offset)
        else { return }
        program.references[last].path.append(field)
    }

    /// Compiles a selection or an index of anything.
    mutating func selection(_ node: SyntaxNode) throws(SourceFault) -> Int {
        switch node.kind {
        case .select(let operand, let field, let isOptional):
            let id = try compile(operand)
            if isOptional { extendReference(by: field, of: operand) }
            return emit(.select(id, field: field, isOptional: isOptional), node)
        case .index(let operand, let index, let isOptional):
            let first = try compile(operand)
            return emit(.index(first, try compile(index), isOptional: isOptional), node)
        default: return try compile(node)
        }
    }
}
