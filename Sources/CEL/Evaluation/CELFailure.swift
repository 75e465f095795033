/// Why an operation failed, before it is known where in the expression.
enum CELFailure: Error {
    case message(String)
    /// The operation is not defined for values of these types.
    case noOverload
    /// The evaluation went beyond its budget, which nothing absorbs.
    case budget(String)
}
