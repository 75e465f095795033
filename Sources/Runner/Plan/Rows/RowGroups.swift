/// The groups of rows that other tests wait for as a whole.
///
/// An edge to a test with rows stands for edges to all of them; in a group they are one, so that tests with rows that
/// wait for tests with rows cost their sum and not their product.
public struct RowGroups: Sendable {
    /// The tests of each group, which follow one another.
    private(set) var ranges: [Range<Int>] = []
    /// For each group, the tests that wait for it.
    private(set) var dependents: [[TestPlan.Dependent]] = []
    private var groups: [Int: Int] = [:]

    /// Adds an edge to the tests of a range.
    mutating func add(_ dependent: TestPlan.Dependent, to range: Range<Int>) {
        if let group = groups[range.lowerBound] {
            dependents[group].append(dependent)
            return
        }
        let group = ranges.count
        ranges.append(range)
        dependents.append([dependent])
        groups[range.lowerBound] = group
    }

    /// The group that a test is in, if any.
    func group(of index: Int) -> Int? {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle].range.upperBound <= index { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, sorted[low].range.contains(index) else { return nil }
        return sorted[low].group
    }

    /// The groups in the order of their tests; made when all edges are there.
    private var sorted: [(range: Range<Int>, group: Int)] = []

    /// Makes the groups ready to be asked for.
    mutating func finish() {
        sorted = ranges.indices.map { (ranges[$0], $0) }.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }
}
