/// `optional.of`, `optional.none`, `optional.ofNonZeroValue` and the methods of optional values.
enum OptionalFunctions {
    static func register(in functions: inout CELFunctions) {
        functions.function("optional.of") { value, _ throws(CELFailure) in .optional(CELOptional(value)) }
        functions.function("optional.none", counts: 0...0) { _, _ throws(CELFailure) in .optional(.none) }
        functions.function("optional.ofNonZeroValue") { value, _ throws(CELFailure) in
            .optional(value.isZero ? .none : CELOptional(value))
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
        // Both are compiled to nodes that evaluate the argument only when it is needed.
        functions.method("or") { value, other, _ throws(CELFailure) in
            guard case .optional(let optional) = value, case .optional = other else { throw .noOverload }
            return optional.value == nil ? other : value
        }
        functions.method("orValue") { value, other, _ throws(CELFailure) in
            guard case .optional(let optional) = value else { throw .noOverload }
            return optional.value ?? other
        }
    }
}
