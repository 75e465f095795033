import JSON

/// The order of values of one type, and of numbers across their types.
enum Ordering {
    enum Order {
        case less
        case equal
        case greater
        /// One of the numbers is not a number.
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

    /// The order of two numbers; nil when one of the values is no number.
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
        // Digits of JSON compare exactly with all that is exact, and as a double with doubles.
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
