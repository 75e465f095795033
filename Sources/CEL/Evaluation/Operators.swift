import Basics
import JSON

/// Binary operators on evaluated operands.
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

    /// Returns an operation with its operand types, and a suggestion if there is one.
    static func overload(_ operation: BinaryOperator, _ left: CELValue, _ right: CELValue) -> MessageText {
        let text = MessageText(words: "\(left.typeName) \(operation.rawValue) \(right.typeName)")
        switch (operation, left, right) {
        case (.add, .string, _), (.add, _, .string): return text + "; to convert a value to a string, write string(x)"
        case (.in, _, .string): return text + "; to search for a substring, write text.contains(x)"
        case (.remainder, .double, _), (.remainder, _, .double), (.remainder, .number, _), (.remainder, _, .number):
            return text + "; to convert a number to an integer, write int(x)"
        case (_, .int, .uint), (_, .uint, .int): return text + "; to convert, write int(x) or uint(x)"
        case (_, .bool, .int), (_, .bool, .uint), (_, .bool, .double), (_, .bool, .number):
            return operation.isRelation ? text + "; instead of a < b < c, write a < b && b < c" : text
        case (_, .timestamp, .int), (_, .timestamp, .double), (_, .timestamp, .number), (_, .duration, .int),
            (_, .duration, .double), (_, .duration, .number):
            return text + "; write a duration as duration(\"1s\")"
        case (_, .timestamp, .string), (_, .string, .timestamp): return text + "; to parse a string, write timestamp(x)"
        case (_, .duration, .string), (_, .string, .duration): return text + "; to parse a string, write duration(x)"
        default: return text
        }
    }
}

/// Arithmetic with overflow checks.
///
/// Beyond standard CEL, the four basic operations on an int and a double convert the int to a double. JSON does not
/// distinguish the types, so a price of `10` must not behave differently from one of `9.99`.
enum Arithmetic {
    static func negate(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .int(let value):
            guard value != .min else { throw overflow("int") }
            return .int(-value)
        case .double(let value): return .double(-value)
        case .number(let number): return .number(-number)
        case .duration(let duration):
            guard duration.nanoseconds != .min else { throw overflow("duration") }
            return .duration(CELDuration(nanoseconds: -duration.nanoseconds))
        default: throw .noOverload
        }
    }

    static func add(_ left: CELValue, _ right: CELValue, _ meter: inout Meter) throws(CELFailure) -> CELValue {
        switch (left, right) {
        case (.int(let left), .int(let right)): return .int(try checked(left.addingReportingOverflow(right), "int"))
        case (.uint(let left), .uint(let right)): return .uint(try checked(left.addingReportingOverflow(right), "uint"))
        case (.string(let left), .string(let right)):
            try meter.allocate(left.utf8.count + right.utf8.count)
            return .string(left + right)
        case (.bytes(let left), .bytes(let right)):
            try meter.allocate(left.count + right.count)
            return .bytes(left + right)
        case (.list(let left), .list(let right)):
            try meter.allocate(elements: left.count + right.count)
            return .list(left.appending(right))
        case (.timestamp(let time), .duration(let duration)), (.duration(let duration), .timestamp(let time)):
            guard let sum = time.advanced(by: duration) else { throw overflow("timestamp") }
            return .timestamp(sum)
        case (.duration(let left), .duration(let right)):
            let sum = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
            return .duration(CELDuration(nanoseconds: try checked(sum, "duration")))
        default:
            let (left, right) = try doubles(left, right)
            return .double(left + right)
        }
    }

    static func subtract(_ left: CELValue, _ right: CELValue) throws(CELFailure) -> CELValue {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            return .int(try checked(left.subtractingReportingOverflow(right), "int"))
        case (.uint(let left), .uint(let right)):
            return .uint(try checked(left.subtractingReportingOverflow(right), "uint"))
        case (.timestamp(let left), .timestamp(let right)):
            guard let difference = left.since(right) else { throw overflow("duration") }
            return .duration(difference)
        case (.timestamp(let time), .duration(let duration)):
            guard duration.nanoseconds != .min,
                let difference = time.advanced(by: CELDuration(nanoseconds: -duration.nanoseconds))
            else { throw overflow("timestamp") }
            return .timestamp(difference)
        case (.duration(let left), .duration(let right)):
            let difference = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
            return .duration(CELDuration(nanoseconds: try checked(difference, "duration")))
        default:
            let (left, right) = try doubles(left, right)
            return .double(left - right)
        }
    }

    static func multiply(_ left: CELValue, _ right: CELValue) throws(CELFailure) -> CELValue {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            return .int(try checked(left.multipliedReportingOverflow(by: right), "int"))
        case (.uint(let left), .uint(let right)):
            return .uint(try checked(left.multipliedReportingOverflow(by: right), "uint"))
        default:
            let (left, right) = try doubles(left, right)
            return .double(left * right)
        }
    }

    static func divide(_ left: CELValue, _ right: CELValue) throws(CELFailure) -> CELValue {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            guard right != 0 else { throw .message("division by zero") }
            return .int(try checked(left.dividedReportingOverflow(by: right), "int"))
        case (.uint(let left), .uint(let right)):
            guard right != 0 else { throw .message("division by zero") }
            return .uint(left / right)
        default:
            let (left, right) = try doubles(left, right)
            return .double(left / right)
        }
    }

    static func remainder(_ left: CELValue, _ right: CELValue) throws(CELFailure) -> CELValue {
        switch (left, right) {
        case (.int(let left), .int(let right)):
            guard right != 0 else { throw .message("modulus by zero") }
            return .int(try checked(left.remainderReportingOverflow(dividingBy: right), "int"))
        case (.uint(let left), .uint(let right)):
            guard right != 0 else { throw .message("modulus by zero") }
            return .uint(left % right)
        default: throw .noOverload
        }
    }

    /// Returns both operands as doubles. An int can be combined with a double, a uint only with a JSON number or a
    /// uint.
    private static func doubles(_ left: CELValue, _ right: CELValue) throws(CELFailure) -> (Double, Double) {
        guard let first = double(left), let second = double(right) else { throw .noOverload }
        switch (left, right) {
        case (.int, .uint), (.uint, .int): throw .noOverload
        default: return (first, second)
        }
    }

    private static func double(_ value: CELValue) -> Double? {
        switch value {
        case .int(let value): Double(value)
        case .uint(let value): Double(value)
        case .double(let value): value
        case .number(let number): number.double
        default: nil
        }
    }

    private static func checked<Number>(
        _ result: (partialValue: Number, overflow: Bool), _ type: String
    ) throws(CELFailure) -> Number {
        guard !result.overflow else { throw overflow(type) }
        return result.partialValue
    }

    private static func overflow(_ type: String) -> CELFailure {
        .message("the result is out of range for \(type)")
    }
}
