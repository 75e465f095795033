/// What a byte within bounds leads to.
struct ByteTransition: Sendable, Hashable {
    var low: UInt8
    var high: UInt8

    /// A node of the automaton of a class, or `UTF8Automaton.accept`.
    var target: Int32
}
