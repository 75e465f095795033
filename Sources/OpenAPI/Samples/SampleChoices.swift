/// The branches that are taken where a schema offers several, and the next ones to try.
struct SampleChoices {
    private var taken: [Int] = []
    private var counts: [Int] = []
    private var position = 0

    /// Begins another round with the same branches.
    mutating func rewind() { position = 0 }

    /// The branch to take of `count` ones.
    mutating func choose(_ count: Int) -> Int {
        defer { position += 1 }
        if position < taken.count { return taken[position] }
        taken.append(0)
        counts.append(count)
        return 0
    }

    /// Moves on to the next combination of branches; false after the last one.
    mutating func advance() -> Bool {
        // Rounds that ended early leave choices that were not met.
        taken.removeLast(taken.count - min(taken.count, position))
        counts.removeLast(counts.count - taken.count)
        position = 0
        while let last = taken.last, let count = counts.last {
            if last + 1 < count {
                taken[taken.count - 1] = last + 1
                return true
            }
            taken.removeLast()
            counts.removeLast()
        }
        return false
    }
}
