import Basics
import JSON

/// The methods of lists that combine all elements: `sum`, `min`, `max`, and `avg`.
///
/// `sum`, `min`, and `max` are those of the lists extension of Kubernetes.
enum AggregateFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.method("sum") { value, state throws(CELFailure) in
            guard case .list(let list) = value else { throw .noOverload }
            return try sum(list, name: "sum", &state) ?? .int(0)
        }
        functions.method("avg") { value, state throws(CELFailure) in
            guard case .list(let list) = value else { throw .noOverload }
            guard let sum = try sum(list, name: "avg", &state) else { throw empty("avg", "average") }
            if case .duration(let duration) = sum {
                return .duration(CELDuration(nanoseconds: duration.nanoseconds / Int64(list.count)))
            }
            return try Arithmetic.divide(try number(sum), .double(Double(list.count)))
        }
        functions.method("min") { value, state throws(CELFailure) in
            try extreme(value, .less, name: "min", noun: "minimum", &state)
        }
        functions.method("max") { value, state throws(CELFailure) in
            try extreme(value, .greater, name: "max", noun: "maximum", &state)
        }
    }

    private static func empty(_ name: String, _ noun: String) -> CELFailure {
        .message("\(name)(): an empty list has no \(noun); test its size first")
    }

    /// Returns the sum of numbers or durations; nil if the list is empty.
    private static func sum(
        _ list: CELList, name: String, _ state: inout CallState
    ) throws(CELFailure) -> CELValue? {
        try state.meter.step(list.count)
        var sum: CELValue?
        for (position, element) in list.elements.enumerated() {
            switch element {
            case .int, .uint, .double, .number, .duration: break
            default:
                throw .message(
                    "\(name)() requires a list of numbers or durations, but element \(position) is \(element.typeName)")
            }
            guard let left = sum else {
                sum = element
                continue
            }
            do throws(CELFailure) {
                sum = try Arithmetic.add(left, element, &state.meter)
            } catch .noOverload {
                throw .message("\(name)() cannot add \(left.typeName) and \(element.typeName)")
            } catch {
                throw error
            }
        }
        return sum
    }

    /// Returns a number as a double.
    private static func number(_ value: CELValue) throws(CELFailure) -> CELValue {
        switch value {
        case .int(let number): .double(Double(number))
        case .uint(let number): .double(Double(number))
        default: value
        }
    }

    /// Returns the first of the least or greatest elements of a list.
    private static func extreme(
        _ value: CELValue, _ wanted: Ordering.Order, name: String, noun: String, _ state: inout CallState
    ) throws(CELFailure) -> CELValue {
        guard case .list(let list) = value else { throw .noOverload }
        let elements = list.elements
        guard var best = elements.first else { throw empty(name, noun) }
        for element in elements {
            // The first element is compared with itself, because a single one must be comparable, too.
            if try ListFunctions.order(element, best, name, &state.meter) == wanted { best = element }
        }
        return best
    }
}
