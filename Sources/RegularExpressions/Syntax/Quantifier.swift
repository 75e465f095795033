/// How often a part of a pattern repeats.
struct Quantifier: Sendable, Hashable {
    var minimum: Int

    /// The most repetitions, or `nil` for no bound.
    var maximum: Int?

    /// Whether as many repetitions as possible are tried first.
    var isGreedy: Bool
}
