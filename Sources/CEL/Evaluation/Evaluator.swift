import Basics
import JSON

/// A single evaluation of a program.
struct Evaluator {
    let program: Program
    let scope: any CELScope
    var state: CallState
    /// The values of macro variables, by slot.
    var locals: [CELValue]
    /// The records for an explanation; nil if none is requested.
    var trace: Trace?

    init(_ program: Program, scope: any CELScope, context: CELContext) {
        self.program = program
        self.scope = scope
        state = CallState(meter: Meter(context.budget), context: context)
        locals = program.slotCount == 0 ? [] : Array(repeating: .null, count: program.slotCount)
    }

    /// Returns the value of a node.
    mutating func evaluate(_ id: Int) throws(CELEvaluationError) -> CELValue {
        do throws(CELFailure) { try state.meter.step() } catch { throw located(error, id) }
        guard trace != nil else { return try dispatch(id) }
        trace?.open()
        do throws(CELEvaluationError) {
            let value = try dispatch(id)
            trace?.close(id, .success(value))
            return value
        } catch {
            trace?.close(id, .failure(error))
            throw error
        }
    }

    /// Evaluates a node by its kind, without counting a step or recording a trace.
    private mutating func dispatch(_ id: Int) throws(CELEvaluationError) -> CELValue {
        switch program.nodes[id] {
        case .constant(let value): return value
        case .local(let slot): return locals[slot]
        case .variable(let name, let type): return try variable(name, type, id)
        case .path(let path): return try value(of: path, id)
        case .qualified(let names): return try qualified(names, id)
        case .select(let operand, let field, let isOptional):
            return try select(operand, field, isOptional: isOptional, id)
        case .has(let operand, let field): return try has(operand, field, id)
        case .index(let operand, let index, let isOptional):
            return try self.index(operand, index, isOptional: isOptional, id)
        case .list(let elements): return try list(elements, id)
        case .map(let entries): return try map(entries, id)
        case .not(let operand): return try not(operand, id)
        case .negate(let operand): return try negate(operand, id)
        case .binary(let operation, let left, let right): return try binary(operation, left, right, id)
        case .and(let operands): return try junction(operands, absorbing: false, id)
        case .or(let operands): return try junction(operands, absorbing: true, id)
        case .conditional(let condition, let first, let second):
            return try conditional(condition, first, second, id)
        case .call(let call): return try self.call(call, id)
        case .comprehension(let comprehension): return try evaluate(comprehension, id)
        case .optionalMap(let target, let slot, let body, let isFlat):
            return try optionalMap(target, slot, body, isFlat: isFlat, id)
        case .optionalOr(let target, let alternative, let unwraps):
            return try optionalOr(target, alternative, unwraps: unwraps, id)
        case .bind(let slot, let value, let body):
            locals[slot] = try evaluate(value)
            return try evaluate(body)
        case .matches(let operand, let expression): return try matches(operand, expression, id)
        case .jsonPath(let operand, let path): return try jsonPath(operand, path, id)
        case .failure(let message): throw error(message, id)
        }
    }

    // MARK: Errors

    func error(_ message: MessageText, _ id: Int) -> CELEvaluationError {
        CELEvaluationError(message, program.spans[id])
    }

    /// The error of a value of another type than the part with an identifier needs: `… must be a bool, got string`.
    func unfit(_ need: MessageText, _ value: CELValue, _ id: Int) -> CELEvaluationError {
        CELEvaluationError(
            "\(need), got \(MessageText(words: value.typeName))", program.spans[id], isAtString: value.isString)
    }

    /// Adds the location to a failure; `operation` describes an undefined operation and its operand types.
    func located(
        _ failure: CELFailure, _ id: Int, _ operation: @autoclosure () -> MessageText = ""
    ) -> CELEvaluationError {
        switch failure {
        case .message(let message, let isAtString):
            CELEvaluationError(message, program.spans[id], isAtString: isAtString)
        case .noOverload: error("no such overload: \(operation())", id)
        case .budget(let message): CELEvaluationError(message, program.spans[id], isBudgetExceeded: true)
        }
    }

    mutating func allocate(elements: Int, _ id: Int) throws(CELEvaluationError) {
        do throws(CELFailure) { try state.meter.allocate(elements: elements) } catch { throw located(error, id) }
    }

    // MARK: Operators

    private mutating func not(_ operand: Int, _ id: Int) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(operand)
        guard case .bool(let bool) = value else { throw error("no such overload: !\(value.typeName)", id) }
        return .bool(!bool)
    }

    private mutating func negate(_ operand: Int, _ id: Int) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(operand)
        do throws(CELFailure) {
            return try Arithmetic.negate(value)
        } catch {
            throw located(error, id, "-\(value.typeName)")
        }
    }

    private mutating func binary(
        _ operation: BinaryOperator, _ left: Int, _ right: Int, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let first = try evaluate(left)
        let second = try evaluate(right)
        do throws(CELFailure) {
            return try Operators.apply(operation, first, second, &state.meter)
        } catch {
            throw located(error, id, Operators.overload(operation, first, second))
        }
    }

    /// Evaluates `&&` and `||`. A decisive operand takes precedence over the errors of other operands.
    private mutating func junction(
        _ operands: [Int], absorbing: Bool, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        var failure: CELEvaluationError?
        for operand in operands {
            do throws(CELEvaluationError) {
                let value = try evaluate(operand)
                if case .bool(let bool) = value {
                    if bool == absorbing { return value }
                } else if failure == nil {
                    failure = unfit("the operands of \(absorbing ? "||" : "&&") must be bool", value, operand)
                }
            } catch {
                if error.isBudgetExceeded { throw error }
                if failure == nil { failure = error }
            }
        }
        if let failure { throw failure }
        return .bool(!absorbing)
    }

    private mutating func conditional(
        _ condition: Int, _ first: Int, _ second: Int, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(condition)
        guard case .bool(let bool) = value else {
            throw unfit("the condition of ?: must be a bool", value, condition)
        }
        return try evaluate(bool ? first : second)
    }

    // MARK: Calls

    private mutating func call(_ call: CompiledCall, _ id: Int) throws(CELEvaluationError) -> CELValue {
        let arguments = call.arguments
        switch call.implementation {
        case .unary(let body):
            let value = try evaluate(arguments[0])
            do throws(CELFailure) {
                return try body(value, &state)
            } catch {
                throw located(error, id, overload(call, [value]))
            }
        case .binary(let body):
            let first = try evaluate(arguments[0])
            let second = try evaluate(arguments[1])
            do throws(CELFailure) {
                return try body(first, second, &state)
            } catch {
                throw located(error, id, overload(call, [first, second]))
            }
        case .variadic(let body):
            var values: [CELValue] = []
            values.reserveCapacity(arguments.count)
            for argument in arguments { values.append(try evaluate(argument)) }
            do throws(CELFailure) {
                return try body(values, &state)
            } catch {
                throw located(error, id, overload(call, values))
            }
        }
    }

    private func overload(_ call: CompiledCall, _ values: [CELValue]) -> MessageText {
        let types = values.map { MessageText(words: $0.typeName) }
        let name = MessageText(words: call.name)
        guard call.isMethod, let receiver = types.first else { return "\(name)(\(types.joined(separator: ", ")))" }
        let overload: MessageText = "\(receiver).\(name)(\(types.dropFirst().joined(separator: ", ")))"
        return textHint(name, of: call.arguments[0], values[0]).map { "\(overload); \($0)" } ?? overload
    }

    /// Returns how to search the text of a body that was parsed, as in `body.contains("x")`; nil for any other call.
    func textHint(_ method: MessageText, of receiver: Int, _ value: CELValue) -> MessageText? {
        guard case .variable("body", _) = program.nodes[receiver] else { return nil }
        switch value {
        case .map, .list:
            let isSearch = ["contains", "startsWith", "endsWith", "matches", "indexOf"].contains(method.text)
            return isSearch ? "for the body as a string, write text.\(method)(…)" : nil
        default: return nil
        }
    }

    // MARK: Literals

    private mutating func list(_ elements: [Node.ListElement], _ id: Int) throws(CELEvaluationError) -> CELValue {
        try allocate(elements: elements.count, id)
        var values: [CELValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            let value = try evaluate(element.value)
            if element.isOptional {
                if let value = try optionalValue(value, element.value) { values.append(value) }
            } else {
                values.append(value)
            }
        }
        return .list(CELList(values))
    }

    private mutating func map(_ entries: [Node.MapEntry], _ id: Int) throws(CELEvaluationError) -> CELValue {
        try allocate(elements: entries.count * 2, id)
        var builder = CELMapBuilder()
        for entry in entries {
            let key = try evaluate(entry.key)
            var value = try evaluate(entry.value)
            if entry.isOptional {
                guard let present = try optionalValue(value, entry.value) else { continue }
                value = present
            }
            do throws(CELFailure) { try builder.add(key, value) } catch { throw located(error, entry.key) }
        }
        return .map(CELMap(entries: builder.entries()))
    }

    private func optionalValue(_ value: CELValue, _ id: Int) throws(CELEvaluationError) -> CELValue? {
        guard case .optional(let optional) = value else {
            throw unfit("the value of an entry with ? must be an optional", value, id)
        }
        return optional.value
    }

    // MARK: Optionals

    private mutating func optionalMap(
        _ target: Int, _ slot: Int, _ body: Int, isFlat: Bool, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(target)
        guard case .optional(let optional) = value else {
            throw error("no such overload: \(value.typeName).\(isFlat ? "optFlatMap" : "optMap")()", id)
        }
        guard let present = optional.value else { return value }
        locals[slot] = present
        let result = try evaluate(body)
        guard isFlat else { return .optional(CELOptional(result)) }
        guard case .optional = result else {
            throw unfit("the result of optFlatMap() must be an optional", result, body)
        }
        return result
    }

    private mutating func optionalOr(
        _ target: Int, _ alternative: Int, unwraps: Bool, _ id: Int
    ) throws(CELEvaluationError) -> CELValue {
        let value = try evaluate(target)
        guard case .optional(let optional) = value else {
            throw error("no such overload: \(value.typeName).\(unwraps ? "orValue" : "or")()", id)
        }
        if let present = optional.value { return unwraps ? present : value }
        let other = try evaluate(alternative)
        guard !unwraps else { return other }
        guard case .optional = other else {
            throw unfit("the argument of or() must be an optional", other, alternative)
        }
        return other
    }
}
