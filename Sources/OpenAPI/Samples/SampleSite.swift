/// Where a value stands in the whole that is made.
struct SampleSite {
    /// The names and positions that lead to it.
    var path: [String] = []
    /// Which of several values is asked for.
    var variation = 0
    /// The schemas of all values around it.
    var ancestors: Set<DescriptionNode> = []

    /// What the value is called: the last name that is no position.
    var name: String { path.last { Int($0) == nil } ?? "" }

    /// How many values are around it.
    var depth: Int { path.count }

    /// The site of a member or an element.
    func inside(_ token: String, _ facts: SchemaFacts, variation: Int? = nil) -> SampleSite {
        SampleSite(
            path: path + [token], variation: variation ?? self.variation, ancestors: ancestors.union(facts.visited))
    }
}
