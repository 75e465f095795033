/// A call whose function and number of arguments are resolved.
struct CompiledCall: Sendable {
    let name: String
    let isMethod: Bool
    let implementation: CELFunctions.Implementation
    /// True when the result depends on the arguments alone.
    let isPure: Bool
    /// The receiver, if there is one, and the arguments.
    let arguments: [Int]
}
