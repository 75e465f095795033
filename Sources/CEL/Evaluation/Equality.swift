import JSON

/// Equality of values: numbers across their types, lists and maps by their elements; other types are never equal.
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
