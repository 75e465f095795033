import Basics

/// Detects operations that fail for all values of the variables, based on the types of literals and function results.
///
/// The supported operand types are determined by trying the operations themselves with one value of each type.
struct StaticCheck {
    private let program: Program
    private let context: CELContext

    /// The type of each node; nil if it depends on variables.
    private var types: [CELType?] = []

    /// Functions whose result type depends on the values of their arguments, not on the types.
    private static let valueDependent: Set<String> = ["json.parse", "jsonpath", "value", "dyn", "sum"]

    /// One value of each type.
    private static let samples: [CELValue] = [
        .null, .bool(true), .int(1), .uint(1), .double(1), .string("1"), .bytes([0x31]), .list(CELList([CELValue]())),
        .map(CELMap([])), .timestamp(.epoch), .duration(CELDuration(nanoseconds: 1)), .type(.int), .optional(.none),
    ]

    private init(_ program: Program) {
        self.program = program
        context = CELContext(
            budget: CELBudget(maximumSteps: 10_000, maximumMemory: 1 << 16), random: CELRandomSource(seed: 0))
    }

    /// Checks a program.
    ///
    /// - Throws: The first operation, in evaluation order, that is not defined for its operands.
    static func check(_ program: Program) throws(CELSyntaxError) {
        var check = StaticCheck(program)
        check.types.reserveCapacity(program.nodes.count)
        for id in program.nodes.indices {
            let type = try check.type(of: id)
            check.types.append(type)
        }
    }

    /// Returns the type name of a checked program's value; nil if it depends on variables.
    static func resultTypeName(_ program: Program) -> String? {
        var check = StaticCheck(program)
        for id in program.nodes.indices { check.types.append((try? check.type(of: id)) ?? nil) }
        guard check.types.indices.contains(program.root) else { return nil }
        return check.types[program.root].map(name)
    }

    private func failure(_ message: MessageText, _ id: Int) -> CELSyntaxError {
        let span = program.spans[id]
        return CELSyntaxError(message: message, offset: Int(span.offset), length: Int(span.length))
    }

    private func type(of id: Int) throws(CELSyntaxError) -> CELType? {
        switch program.nodes[id] {
        case .constant(let value): return value.type
        case .local, .variable, .qualified, .path, .failure, .bind, .jsonPath: return nil
        case .select(let operand, let field, let isOptional):
            try requireSelectable(operand, field, id)
            return isOptional ? .optional : nil
        case .has(let operand, let field):
            try requireSelectable(operand, field, id)
            return .bool
        case .index(let operand, _, let isOptional):
            if let type = types[operand], ![.list, .map, .optional].contains(type) {
                throw failure(Evaluator.cannotIndex(Self.name(type)), id)
            }
            return isOptional ? .optional : nil
        case .list: return .list
        case .map: return .map
        case .not(let operand):
            if let type = types[operand], type != .bool { throw failure("no such overload: !\(Self.name(type))", id) }
            return .bool
        case .negate(let operand): return try negated(operand, id)
        case .binary(let operation, let left, let right): return try binary(operation, left, right, id)
        case .and(let operands): return try junction("&&", operands)
        case .or(let operands): return try junction("||", operands)
        case .conditional(let condition, let first, let second):
            try requireBool(condition, "the condition of ?: must be a bool")
            return types[first] == types[second] ? types[first] : nil
        case .call(let call): return try self.call(call, id)
        case .comprehension(let macro): return try comprehension(macro)
        case .optionalMap(let target, _, _, let isFlat):
            try requireOptional(target, isFlat ? "optFlatMap" : "optMap", id)
            return .optional
        case .optionalOr(let target, _, let unwraps):
            try requireOptional(target, unwraps ? "orValue" : "or", id)
            return unwraps ? nil : .optional
        case .matches(let operand, _):
            if let type = types[operand], type != .string {
                throw failure("no such overload: \(Self.name(type)).matches(string)", id)
            }
            return .bool
        }
    }

    // MARK: Operators

    private func negated(_ operand: Int, _ id: Int) throws(CELSyntaxError) -> CELType? {
        guard let type = types[operand] else { return nil }
        guard [.int, .double, .duration].contains(type) else {
            throw failure("no such overload: -\(Self.name(type))", id)
        }
        return type
    }

    private func junction(_ symbol: String, _ operands: [Int]) throws(CELSyntaxError) -> CELType? {
        for operand in operands { try requireBool(operand, "the operands of \(symbol) must be bool") }
        return .bool
    }

    private func binary(
        _ operation: BinaryOperator, _ left: Int, _ right: Int, _ id: Int
    ) throws(CELSyntaxError) -> CELType? {
        // Values of all types can be compared for equality.
        if operation == .equal || operation == .notEqual { return .bool }
        var result = Results()
        let firsts = candidates(left)
        let seconds = candidates(right)
        guard firsts.count == 1 || seconds.count == 1 else { return operation.isRelation ? .bool : nil }
        for first in firsts {
            for second in seconds {
                result.add { () throws(CELFailure) -> CELValue in
                    var meter = Meter(context.budget)
                    return try Operators.apply(operation, first, second, &meter)
                }
            }
        }
        guard result.isDefined else {
            if firsts.count == 1, seconds.count == 1 {
                throw failure("no such overload: \(Operators.overload(operation, firsts[0], seconds[0]))", id)
            }
            let known = firsts.count == 1 ? firsts[0] : seconds[0]
            let hint =
                operation == .in && known.typeName == "string"
                ? "; to search for a substring, write text.contains(x)" : ""
            throw failure("\(operation.rawValue) is not defined for \(known.typeName)\(hint)", id)
        }
        return operation.isRelation ? .bool : result.type
    }

    // MARK: Calls

    private func call(_ call: CompiledCall, _ id: Int) throws(CELSyntaxError) -> CELType? {
        guard call.isPure, call.arguments.count <= 4 else { return nil }
        let unknown = call.arguments.filter { types[$0] == nil }
        guard unknown.count <= 1, !call.arguments.isEmpty else { return nil }
        var result = Results()
        for candidate in unknown.isEmpty ? [.null] : Self.samples {
            let values = call.arguments.map { argument in
                types[argument] == nil ? candidate : candidates(argument).first ?? .null
            }
            result.add { () throws(CELFailure) -> CELValue in
                var state = CallState(meter: Meter(context.budget), context: context)
                switch call.implementation {
                case .unary(let body): return try body(values[0], &state)
                case .binary(let body): return try body(values[0], values[1], &state)
                case .variadic(let body): return try body(values, &state)
                }
            }
        }
        guard result.isDefined else {
            let names = call.arguments.map { types[$0].map(Self.name) ?? "any" }
            let text =
                call.isMethod
                ? "\(names[0]).\(call.name)(\(names.dropFirst().joined(separator: ", ")))"
                : "\(call.name)(\(names.joined(separator: ", ")))"
            throw failure("no such overload: \(text)", id)
        }
        return Self.valueDependent.contains(call.name) ? nil : result.type
    }

    private func comprehension(_ macro: Comprehension) throws(CELSyntaxError) -> CELType? {
        if let type = types[macro.range], type != .list, type != .map {
            throw failure(
                "\(macro.kind.rawValue)() must be called on a list or map, got \(Self.name(type))", macro.range)
        }
        let predicate = "the predicate of a macro must be a bool"
        if let condition = macro.condition { try requireBool(condition, predicate) }
        switch macro.kind {
        case .all, .exists, .existsOne:
            try requireBool(macro.body, predicate)
            return .bool
        case .filter:
            try requireBool(macro.body, predicate)
            return .list
        case .map, .transformList, .sortBy: return .list
        case .transformMap, .transformMapEntry: return .map
        }
    }

    // MARK: Requirements

    private func requireBool(_ id: Int, _ message: String) throws(CELSyntaxError) {
        guard let type = types[id], type != .bool else { return }
        throw failure("\(message), got \(Self.name(type))", id)
    }

    private func requireOptional(_ target: Int, _ method: String, _ id: Int) throws(CELSyntaxError) {
        guard let type = types[target], type != .optional else { return }
        throw failure("no such overload: \(Self.name(type)).\(method)()", id)
    }

    private func requireSelectable(_ operand: Int, _ field: String, _ id: Int) throws(CELSyntaxError) {
        guard let type = types[operand], type != .map, type != .optional,
            let sample = Self.samples.first(where: { $0.type == type })
        else { return }
        throw failure(Evaluator.cannotSelect(field, sample), id)
    }

    // MARK: Types

    /// The results of trying an operation with several values.
    private struct Results {
        /// Whether the operation is defined for any of the values.
        private(set) var isDefined = false
        private var types: Set<CELType> = []

        /// The type of all results, if they have the same type.
        var type: CELType? { types.count == 1 ? types.first : nil }

        mutating func add(_ operation: () throws(CELFailure) -> CELValue) {
            do throws(CELFailure) {
                types.insert(try operation().type)
                isDefined = true
            } catch {
                if case .noOverload = error { return }
                // The operation is defined; its failure depends on the value.
                isDefined = true
            }
        }
    }

    /// Returns a value of the node's type, or one of each type if it is unknown.
    private func candidates(_ id: Int) -> [CELValue] {
        guard let type = types[id] else { return Self.samples }
        return Self.samples.filter { $0.type == type }
    }

    private static func name(_ type: CELType) -> String {
        samples.first { $0.type == type }?.typeName ?? type.name
    }
}
