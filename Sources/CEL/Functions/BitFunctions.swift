/// The bitwise functions of the math extension: `math.bitAnd`, `math.bitShiftLeft` and others.
///
/// Operands are two ints or two uints; shifts fill up with zeros, also to the right of a negative int.
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
            guard count >= 0 else { throw .message("\(name)() needs a shift of zero or more, not \(count)") }
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
