import Basics
import JSON

/// The math extension: `math.greatest`, `math.minimum`, `math.abs`, `math.ceil`, and others.
enum MathFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("math.greatest", counts: 1...16) { values, state throws(CELFailure) in
            try extreme(values, .greater, &state)
        }
        functions.function("math.least", counts: 1...16) { values, state throws(CELFailure) in
            try extreme(values, .less, &state)
        }
        functions.function("math.abs") { value, _ throws(CELFailure) in
            switch value {
            case .int(let number):
                guard number != .min else { throw .message("the result is out of range for int") }
                return .int(Int64(number.magnitude))
            case .uint: return value
            default: return .double(try double(value).magnitude)
            }
        }
        functions.function("math.sign") { value, _ throws(CELFailure) in
            switch value {
            case .int(let number): return .int(number.signum())
            case .uint(let number): return .uint(number == 0 ? 0 : 1)
            default:
                let number = try double(value)
                return .double(number > 0 ? 1 : number < 0 ? -1 : number)
            }
        }
        rounding("math.ceil", .up, &functions)
        rounding("math.floor", .down, &functions)
        rounding("math.round", .toNearestOrAwayFromZero, &functions)
        rounding("math.trunc", .towardZero, &functions)
        functions.function("math.sqrt") { value, _ throws(CELFailure) in .double(try number(value).squareRoot()) }
        functions.function("math.isNaN") { value, _ throws(CELFailure) in .bool(try double(value).isNaN) }
        functions.function("math.isInf") { value, _ throws(CELFailure) in .bool(try double(value).isInfinite) }
        functions.function("math.isFinite") { value, _ throws(CELFailure) in .bool(try double(value).isFinite) }
    }

    private static func rounding(
        _ name: String, _ rule: FloatingPointRoundingRule, _ functions: inout CELFunctions
    ) {
        functions.function(name) { value, _ throws(CELFailure) in
            switch value {
            case .int, .uint: value
            default: .double(try double(value).rounded(rule))
            }
        }
    }

    private static func double(_ value: CELValue) throws(CELFailure) -> Double {
        switch value {
        case .double(let number): return number
        case .number(let number): return number.double
        default: throw .noOverload
        }
    }

    private static func number(_ value: CELValue) throws(CELFailure) -> Double {
        switch value {
        case .int(let number): return Double(number)
        case .uint(let number): return Double(number)
        default: return try double(value)
        }
    }

    /// Returns the greatest or least of the arguments, or of the elements of a single list argument.
    private static func extreme(
        _ values: [CELValue], _ wanted: Ordering.Order, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        var values = values
        if values.count == 1, case .list(let list) = values[0] {
            try state.meter.step(list.count)
            values = list.elements
        }
        guard var best = values.first else { throw .message("an empty list has no minimum or maximum") }
        for value in values {
            guard let order = Ordering.compareNumbers(value, best) else { throw .noOverload }
            if order == wanted { best = value }
        }
        return best
    }
}

/// The bitwise functions of the math extension: `math.bitAnd`, `math.bitShiftLeft`, and others.
///
/// The operands are two ints or two uints. Shifts fill with zeros, also to the right of a negative int.
enum BitFunctions {
    static func register(in functions: inout CELFunctions) {
        combination("math.bitAnd", &functions) { $0 & $1 }
        combination("math.bitOr", &functions) { $0 | $1 }
        combination("math.bitXor", &functions) { $0 ^ $1 }
        functions.function("math.bitNot") { value, _ throws(CELFailure) in try transformed(value) { ~$0 } }
        shift("math.bitShiftLeft", &functions) { $0 << $1 }
        shift("math.bitShiftRight", &functions) { $0 >> $1 }
    }

    private static func combination(
        _ name: String, _ functions: inout CELFunctions, _ operation: @escaping @Sendable (UInt64, UInt64) -> UInt64
    ) {
        functions.function(name) { left, right, _ throws(CELFailure) in
            switch (left, right) {
            case (.int(let first), .int(let second)):
                return .int(Int64(bitPattern: operation(UInt64(bitPattern: first), UInt64(bitPattern: second))))
            case (.uint(let first), .uint(let second)): return .uint(operation(first, second))
            default: throw .noOverload
            }
        }
    }

    private static func shift(
        _ name: String, _ functions: inout CELFunctions, _ operation: @escaping @Sendable (UInt64, Int64) -> UInt64
    ) {
        functions.function(name) { value, count, _ throws(CELFailure) in
            guard case .int(let count) = count else { throw .noOverload }
            guard count >= 0 else { throw .message("\(name)() requires a shift of at least 0, got \(count)") }
            return try transformed(value) { operation($0, count) }
        }
    }

    private static func transformed(
        _ value: CELValue, _ operation: (UInt64) -> UInt64
    ) throws(CELFailure) -> CELValue {
        switch value {
        case .int(let number): return .int(Int64(bitPattern: operation(UInt64(bitPattern: number))))
        case .uint(let number): return .uint(operation(number))
        default: throw .noOverload
        }
    }
}
