import JSON

/// The math extension: `math.greatest`, `math.least`, `math.abs`, `math.ceil` and others.
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
                guard number != .min else { throw .message("the result is out of the range of int") }
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

    /// The greatest or least of the arguments, or of a list that is the only one.
    private static func extreme(
        _ values: [CELValue], _ wanted: Ordering.Order, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        var values = values
        if values.count == 1, case .list(let list) = values[0] {
            try state.meter.step(list.count)
            values = list.elements
        }
        guard var best = values.first else { throw .message("there is no greatest or least of an empty list") }
        for value in values {
            guard let order = Ordering.compareNumbers(value, best) else { throw .noOverload }
            if order == wanted { best = value }
        }
        return best
    }
}
