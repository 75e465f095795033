/// The lists of tags of all tests, each written once.
struct HTMLTagTable {
    /// The lists in the order in which they were first seen.
    private(set) var lists: [[String]] = []
    private var indexes: [[String]: Int] = [:]
    private var last: (tags: [String], index: Int)?

    /// The index of a list; nil for an empty one.
    mutating func index(of tags: [String]) -> Int? {
        if tags.isEmpty { return nil }
        // Tests that follow one another have the same tags more often than not.
        if let last, last.tags == tags { return last.index }
        let index = indexes[tags] ?? lists.count
        if index == lists.count {
            lists.append(tags)
            indexes[tags] = index
        }
        last = (tags, index)
        return index
    }
}
