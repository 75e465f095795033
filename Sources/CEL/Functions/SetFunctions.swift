/// The sets extension: `sets.contains`, `sets.equivalent` and `sets.intersects` of lists.
enum SetFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("sets.contains") { whole, part, state throws(CELFailure) in
            guard case .list(let whole) = whole, case .list(let part) = part else { throw .noOverload }
            return .bool(try contains(whole, part, &state.meter))
        }
        functions.function("sets.equivalent") { left, right, state throws(CELFailure) in
            guard case .list(let left) = left, case .list(let right) = right else { throw .noOverload }
            let isPart = try contains(left, right, &state.meter)
            return .bool(isPart ? try contains(right, left, &state.meter) : false)
        }
        functions.function("sets.intersects") { left, right, state throws(CELFailure) in
            guard case .list(let left) = left, case .list(let right) = right else { throw .noOverload }
            let members = try ElementSet(right, &state.meter)
            for element in left.elements where try members.contains(element, &state.meter) { return .bool(true) }
            return .bool(false)
        }
    }

    /// Whether each element of a list is in another.
    private static func contains(
        _ whole: CELList, _ part: CELList, _ meter: inout Meter
    ) throws(CELFailure) -> Bool {
        let members = try ElementSet(whole, &meter)
        for element in part.elements where try !members.contains(element, &meter) { return false }
        return true
    }
}
