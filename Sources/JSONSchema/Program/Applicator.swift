/// A keyword that applies schemas to the value itself; lists of schemas are ranges of the program's `lists`.
enum Applicator: Sendable {
    /// `$ref`, and what behaves like it.
    case reference(NodeIndex, keyword: ReferenceKeyword)
    /// A `$dynamicRef` or `$recursiveRef` whose target depends on the resources the evaluation came through.
    case dynamicReference(initial: NodeIndex, anchor: Int32, keyword: ReferenceKeyword)
    case allOf(start: Int32, count: Int32)
    /// `discriminator` is an index into the program's list of them, or -1.
    case anyOf(start: Int32, count: Int32, discriminator: Int32)
    case oneOf(start: Int32, count: Int32, discriminator: Int32)
    case not(NodeIndex)
    /// `if` with `then` and `else`, which may be missing (-1).
    case conditional(NodeIndex, then: NodeIndex, otherwise: NodeIndex)
}
