import Basics

/// The functions and methods of optional values, and list methods that return an optional.
enum OptionalFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("optional.of") { value, _ throws(CELFailure) in .optional(CELOptional(value)) }
        functions.function("optional.none", counts: 0...0) { _, _ throws(CELFailure) in .optional(.none) }
        functions.function("optional.ofNonZeroValue") { value, _ throws(CELFailure) in
            .optional(value.isZero ? .none : CELOptional(value))
        }
        functions.function("optional.unwrap") { value, state throws(CELFailure) in try unwrapped(value, &state) }
        functions.method("unwrapOpt") { value, state throws(CELFailure) in try unwrapped(value, &state) }
        functions.method("first") { value, _ throws(CELFailure) in
            guard case .list(let list) = value else { throw .noOverload }
            return .optional(list[0].map(CELOptional.init) ?? .none)
        }
        functions.method("last") { value, _ throws(CELFailure) in
            guard case .list(let list) = value else { throw .noOverload }
            return .optional(list[list.count - 1].map(CELOptional.init) ?? .none)
        }
        functions.method("hasValue") { value, _ throws(CELFailure) in
            guard case .optional(let optional) = value else { throw .noOverload }
            return .bool(optional.value != nil)
        }
        functions.method("value") { value, _ throws(CELFailure) in
            guard case .optional(let optional) = value else { throw .noOverload }
            guard let present = optional.value else { throw .message("the optional has no value") }
            return present
        }
        // Usually compiled to nodes that evaluate the argument lazily.
        functions.method("or") { value, other, _ throws(CELFailure) in
            guard case .optional(let optional) = value, case .optional = other else { throw .noOverload }
            return optional.value == nil ? other : value
        }
        functions.method("orValue") { value, other, _ throws(CELFailure) in
            guard case .optional(let optional) = value else { throw .noOverload }
            return optional.value ?? other
        }
    }

    /// Returns the values that are present in a list of optionals.
    private static func unwrapped(_ value: CELValue, _ state: inout CallState) throws(CELFailure) -> CELValue {
        guard case .list(let list) = value else { throw .noOverload }
        try state.meter.allocate(elements: list.count)
        var values: [CELValue] = []
        values.reserveCapacity(list.count)
        for element in list.elements {
            guard case .optional(let optional) = element else { throw .noOverload }
            if let present = optional.value { values.append(present) }
        }
        return .list(CELList(values))
    }
}
