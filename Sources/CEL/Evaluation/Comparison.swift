import Basics
import JSON

/// Equality of values: numbers compare across types, lists and maps by their elements; other mixed types are never
/// equal.
enum Equality {
    static func areEqual(
        _ left: CELValue, _ right: CELValue, _ meter: inout Meter
    ) throws(CELFailure) -> Bool {
        try areEqual(left, right, &meter, depth: 0)
    }

    private static func areEqual(
        _ left: CELValue, _ right: CELValue, _ meter: inout Meter, depth: Int
    ) throws(CELFailure) -> Bool {
        try meter.step()
        switch (left, right) {
        case (.int(let left), .int(let right)): return left == right
        case (.string(let left), .string(let right)):
            try meter.step(left.utf8.count >> 6)
            return Scalars.areEqual(left, right)
        case (.bool(let left), .bool(let right)): return left == right
        case (.null, .null): return true
        case (.list(let left), .list(let right)): return try areEqual(left, right, &meter, depth)
        case (.map(let left), .map(let right)): return try areEqual(left, right, &meter, depth)
        case (.bytes(let left), .bytes(let right)):
            try meter.step(left.count >> 6)
            return left == right
        case (.timestamp(let left), .timestamp(let right)): return left == right
        case (.duration(let left), .duration(let right)): return left == right
        case (.type(let left), .type(let right)): return left == right
        case (.optional(let left), .optional(let right)):
            guard let first = left.value, let second = right.value else {
                return left.value == nil && right.value == nil
            }
            return try areEqual(first, second, &meter, depth: try deeper(depth))
        default: return Ordering.compareNumbers(left, right) == .equal
        }
    }

    private static func deeper(_ depth: Int) throws(CELFailure) -> Int {
        guard depth < CELLimits.valueDepth else { throw .message("the values are nested too deeply to compare") }
        return depth + 1
    }

    private static func areEqual(
        _ left: CELList, _ right: CELList, _ meter: inout Meter, _ depth: Int
    ) throws(CELFailure) -> Bool {
        guard left.count == right.count else { return false }
        let depth = try deeper(depth)
        for position in 0..<left.count {
            guard let first = left[position], let second = right[position],
                try areEqual(first, second, &meter, depth: depth)
            else { return false }
        }
        return true
    }

    private static func areEqual(
        _ left: CELMap, _ right: CELMap, _ meter: inout Meter, _ depth: Int
    ) throws(CELFailure) -> Bool {
        guard left.count == right.count else { return false }
        let depth = try deeper(depth)
        for (key, value) in left.entries {
            guard let other = right.value(of: key), try areEqual(value, other, &meter, depth: depth) else {
                return false
            }
        }
        return true
    }
}

/// Ordering of values of one type, and of numbers across types.
enum Ordering {
    /// The result of a comparison.
    enum Order {
        case less
        case equal
        case greater
        /// At least one of the numbers is NaN.
        case none

        init(_ difference: Int) {
            self = difference < 0 ? .less : difference > 0 ? .greater : .equal
        }
    }

    static func compare(
        _ left: CELValue, _ right: CELValue, _ meter: inout Meter
    ) throws(CELFailure) -> Order {
        switch (left, right) {
        case (.string(let left), .string(let right)):
            try meter.step(min(left.utf8.count, right.utf8.count) >> 5)
            return Order(Scalars.order(left, right))
        case (.bytes(let left), .bytes(let right)):
            try meter.step(min(left.count, right.count) >> 5)
            return Order(Scalars.order(left, right))
        case (.bool(let left), .bool(let right)): return Order((left ? 1 : 0) - (right ? 1 : 0))
        case (.timestamp(let left), .timestamp(let right)): return order(left, right)
        case (.duration(let left), .duration(let right)): return order(left, right)
        default:
            guard let order = compareNumbers(left, right) else { throw .noOverload }
            return order
        }
    }

    /// Returns the order of two numbers; nil if one of the values is not a number.
    static func compareNumbers(_ left: CELValue, _ right: CELValue) -> Order? {
        switch (left, right) {
        case (.int(let left), .int(let right)): order(left, right)
        case (.uint(let left), .uint(let right)): order(left, right)
        case (.double(let left), .double(let right)): order(left, right)
        case (.int(let left), .uint(let right)): left < 0 ? .less : order(UInt64(left), right)
        case (.uint(let left), .int(let right)): right < 0 ? .greater : order(left, UInt64(right))
        case (.int(let left), .double(let right)): order(Double(left), right)
        case (.double(let left), .int(let right)): order(left, Double(right))
        case (.uint(let left), .double(let right)): order(Double(left), right)
        case (.double(let left), .uint(let right)): order(left, Double(right))
        // JSON numbers are compared exactly with exact types, and as doubles with doubles.
        case (.number(let left), .number(let right)): order(left, right)
        case (.number(let left), .int(let right)): order(left, JSONNumber(right))
        case (.int(let left), .number(let right)): order(JSONNumber(left), right)
        case (.number(let left), .uint(let right)): order(left, JSONNumber(right))
        case (.uint(let left), .number(let right)): order(JSONNumber(left), right)
        case (.number(let left), .double(let right)): order(left.double, right)
        case (.double(let left), .number(let right)): order(left, right.double)
        default: nil
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Order {
        left < right ? .less : left > right ? .greater : left == right ? .equal : .none
    }
}
