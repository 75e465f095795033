import JSONPath
import RegularExpressions

/// Compiles a syntax tree to a program: expands macros, resolves names and functions, and folds constants.
struct Compiler {
    var program = Program()
    let offsets: ScalarOffsets
    let functions: CELFunctions
    let resolution: NameResolution
    /// The variables of the enclosing macros, innermost last.
    var locals: [(name: String, slot: Int)] = []

    static func compile(
        _ source: String, functions: CELFunctions, resolution: NameResolution
    ) throws(CELSyntaxError) -> Program {
        let bytes = Array(source.utf8)
        let offsets = ScalarOffsets(bytes)
        var compiler = Compiler(offsets: offsets, functions: functions, resolution: resolution)
        do throws(SourceFault) {
            _ = try compiler.compile(try Parser.parse(bytes))
        } catch {
            let span = offsets.span(error.span)
            throw CELSyntaxError(message: error.message, offset: Int(span.offset), length: Int(span.length))
        }
        if !resolution.allowsUnknownFunctions { try StaticCheck.check(compiler.program) }
        return compiler.program
    }

    private init(offsets: ScalarOffsets, functions: CELFunctions, resolution: NameResolution) {
        self.offsets = offsets
        self.functions = functions
        self.resolution = resolution
    }

    /// Compiles a node after its operands, and returns its index.
    mutating func compile(_ node: SyntaxNode) throws(SourceFault) -> Int {
        switch node.kind {
        case .literal(let value): return emit(.constant(value), node)
        case .identifier, .select, .index:
            if let id = try path(node) { return id }
            return try selection(node)
        case .call(let call): return try self.call(call, node)
        case .list(let elements): return try list(elements, node)
        case .map(let entries): return try map(entries, node)
        case .not(let operand): return fold(emit(.not(try compile(operand)), node))
        case .negate(let operand): return fold(emit(.negate(try compile(operand)), node))
        case .binary(let operation, let left, let right):
            let first = try compile(left)
            return fold(emit(.binary(operation, first, try compile(right)), node))
        case .and(let operands): return emit(.and(try compile(operands)), node)
        case .or(let operands): return emit(.or(try compile(operands)), node)
        case .conditional(let condition, let first, let second):
            let operands = try compile([condition, first, second])
            return emit(.conditional(operands[0], operands[1], operands[2]), node)
        }
    }

    mutating func compile(_ nodes: [SyntaxNode]) throws(SourceFault) -> [Int] {
        var operands: [Int] = []
        operands.reserveCapacity(nodes.count)
        for node in nodes { operands.append(try compile(node)) }
        return operands
    }

    mutating func emit(_ compiled: Node, _ node: SyntaxNode) -> Int {
        program.append(compiled, offsets.span(node.span))
    }

    // MARK: Constants

    /// Returns the value of a constant node.
    func constant(_ id: Int) -> CELValue? {
        if case .constant(let value) = program.nodes[id] { value } else { nil }
    }

    /// Replaces a node with constant operands by its value. If the evaluation fails, the node is kept and fails at run
    /// time.
    mutating func fold(_ id: Int) -> Int {
        let isConstant =
            switch program.nodes[id] {
            case .not(let operand), .negate(let operand): constant(operand) != nil
            case .binary(_, let left, let right): constant(left) != nil && constant(right) != nil
            case .call(let call): call.arguments.allSatisfy { constant($0) != nil }
            case .list(let elements): elements.allSatisfy { !$0.isOptional && constant($0.value) != nil }
            case .map(let entries):
                entries.allSatisfy { !$0.isOptional && constant($0.key) != nil && constant($0.value) != nil }
            default: false
            }
        guard isConstant else { return id }
        let budget = CELBudget(maximumSteps: 10_000, maximumMemory: 1 << 20)
        let context = CELContext(budget: budget, random: CELRandomSource(seed: 0))
        var evaluator = Evaluator(program, scope: CELVariables(), context: context)
        guard let value = try? evaluator.evaluate(id) else { return id }
        program.nodes[id] = .constant(value)
        return id
    }

    // MARK: Literals

    private mutating func list(_ elements: [SyntaxNode.Element], _ node: SyntaxNode) throws(SourceFault) -> Int {
        var compiled: [Node.ListElement] = []
        for element in elements {
            compiled.append(Node.ListElement(value: try compile(element.value), isOptional: element.isOptional))
        }
        return fold(emit(.list(compiled), node))
    }

    private mutating func map(_ entries: [SyntaxNode.Entry], _ node: SyntaxNode) throws(SourceFault) -> Int {
        var compiled: [Node.MapEntry] = []
        for entry in entries {
            let key = try compile(entry.key)
            let value = try compile(entry.value)
            compiled.append(Node.MapEntry(key: key, value: value, isOptional: entry.isOptional))
        }
        return fold(emit(.map(compiled), node))
    }
}

extension Compiler {
    /// A chain of a name, selections, and indexes as written.
    private struct Chain {
        var root: SyntaxNode
        var name: String
        var isRooted: Bool
        /// The selections and constant indexes that directly follow the root.
        var steps: [(key: Node.PathStep.Key, node: SyntaxNode)]
        /// The number of leading steps that are written with a dot.
        var dottedCount: Int
    }

    /// Compiles a name with the constant selections that follow it; returns nil for any other node.
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

    /// Returns the chain of a name and the constant selections after it; nil for any other node.
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

    /// Extends the reference of a name that was just compiled by a field that is looked up conditionally.
    mutating func extendReference(by field: String, of operand: SyntaxNode) {
        guard let chain = chain(operand), let last = program.references.indices.last,
            chain.isRooted || !locals.contains(where: { $0.name == chain.name }),
            program.references[last].offset == Int(offsets.span(chain.root.span).offset)
        else { return }
        program.references[last].path.append(field)
    }

    /// Compiles a selection from, or an index into, any operand.
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

/// A compiled expression; its last node is the root.
struct Program: Sendable {
    var nodes: [Node] = []
    /// The source span of each node.
    var spans: [Span] = []
    /// The number of slots for macro variables.
    var slotCount = 0
    var references: [CELReference] = []

    var root: Int { nodes.count - 1 }

    mutating func append(_ node: Node, _ span: Span) -> Int {
        nodes.append(node)
        spans.append(span)
        return nodes.count - 1
    }
}

/// A reference to a variable that no macro of the expression binds.
public struct CELReference: Sendable, Hashable {
    /// The name of the variable, such as `tests` in `tests.login.body`.
    public let name: String
    /// The name and the constant selections and indexes after it, such as `["tests", "login", "body"]`.
    ///
    /// Selections within `has` are included.
    public internal(set) var path: [String]
    /// The offset of the reference in the expression, in Unicode scalars.
    public let offset: Int
    /// The length of the name in Unicode scalars.
    public let length: Int
    /// Whether the name denotes a type, such as `int` or `list`, unless a variable has the same name.
    public let isTypeName: Bool
}
