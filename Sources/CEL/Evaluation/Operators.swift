/// Operators of two evaluated operands.
enum Operators {
    static func apply(
        _ operation: BinaryOperator, _ left: CELValue, _ right: CELValue, _ meter: inout Meter
    ) throws(CELFailure) -> CELValue {
        switch operation {
        case .equal: return .bool(try Equality.areEqual(left, right, &meter))
        case .notEqual: return .bool(try !Equality.areEqual(left, right, &meter))
        case .less: return .bool(try Ordering.compare(left, right, &meter) == .less)
        case .lessOrEqual:
            let order = try Ordering.compare(left, right, &meter)
            return .bool(order == .less || order == .equal)
        case .greater: return .bool(try Ordering.compare(left, right, &meter) == .greater)
        case .greaterOrEqual:
            let order = try Ordering.compare(left, right, &meter)
            return .bool(order == .greater || order == .equal)
        case .in: return .bool(try contains(right, left, &meter))
        case .add: return try Arithmetic.add(left, right, &meter)
        case .subtract: return try Arithmetic.subtract(left, right)
        case .multiply: return try Arithmetic.multiply(left, right)
        case .divide: return try Arithmetic.divide(left, right)
        case .remainder: return try Arithmetic.remainder(left, right)
        }
    }

    private static func contains(
        _ container: CELValue, _ value: CELValue, _ meter: inout Meter
    ) throws(CELFailure) -> Bool {
        switch container {
        case .map(let map): return map.value(of: value) != nil
        case .list(let list):
            for position in 0..<list.count {
                guard let element = list[position] else { break }
                if try Equality.areEqual(element, value, &meter) { return true }
            }
            return false
        default: throw .noOverload
        }
    }

    /// The operation with its operands' types, and what to do about it where that is known.
    static func overload(_ operation: BinaryOperator, _ left: CELValue, _ right: CELValue) -> String {
        let text = "\(left.typeName) \(operation.rawValue) \(right.typeName)"
        switch (operation, left, right) {
        case (.add, .string, _), (.add, _, .string): return text + "; string(x) makes text of a value"
        case (.in, _, .string): return text + "; text.contains(x) finds a part of a text"
        case (.remainder, .double, _), (.remainder, _, .double), (.remainder, .number, _), (.remainder, _, .number):
            return text + "; int(x) makes an integer of a number"
        case (_, .int, .uint), (_, .uint, .int): return text + "; int(x) and uint(x) convert"
        case (_, .bool, .int), (_, .bool, .uint), (_, .bool, .double), (_, .bool, .number):
            return operation.isRelation ? text + "; a < b < c is written a < b && b < c" : text
        case (_, .timestamp, .int), (_, .timestamp, .double), (_, .timestamp, .number), (_, .duration, .int),
            (_, .duration, .double), (_, .duration, .number):
            return text + "; duration(\"1s\") is a length of time"
        case (_, .timestamp, .string), (_, .string, .timestamp): return text + "; timestamp(x) reads a text"
        case (_, .duration, .string), (_, .string, .duration): return text + "; duration(x) reads a text"
        default: return text
        }
    }
}
