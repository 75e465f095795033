import JSONPath
import RegularExpressions

/// Turns a syntax tree into a program: expands macros, resolves names and functions, folds constants.
struct Compiler {
    var program = Program()
    let offsets: ScalarOffsets
    let functions: CELFunctions
    let resolution: NameResolution
    /// The variables of the macros around the current node, the innermost one last.
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

    /// Compiles a node and gives its index; its operands come before it.
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

    /// The value of a node that is a constant.
    func constant(_ id: Int) -> CELValue? {
        if case .constant(let value) = program.nodes[id] { value } else { nil }
    }

    /// Replaces a node whose operands are constants by its value; one that fails stays and fails when it is evaluated.
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
