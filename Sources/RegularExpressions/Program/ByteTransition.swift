/// What a byte within bounds leads to.
struct ByteTransition: Sendable, Hashable {
    var low: UInt8
    var high: UInt8

    /// An instruction, or a node while an automaton is being built.
    var target: Int32
}
