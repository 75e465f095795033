import RunModel
import SuiteModel

extension TestPlan {
    /// Returns the plan of one serial suite without rows, with some tests that can run at the same time.
    ///
    /// All other tests still wait for those before them, and those after them wait for all tests of a range.
    ///
    /// - Parameter ranges: The indices of the tests, in ascending order. Each range is a barrier for the others, also if
    ///   they are adjacent.
    public func overlapping(_ ranges: [Range<Int>]) -> TestPlan {
        guard ranges.contains(where: { $0.count > 1 }) else { return self }
        var entries = Array(tests)
        var before: Edge?
        var next = 0
        var ranges = ranges[...]
        while next < entries.count {
            while let first = ranges.first, first.lowerBound < next || first.isEmpty { ranges.removeFirst() }
            let end =
                ranges.first.flatMap { $0.lowerBound == next ? min($0.upperBound, entries.count) : nil } ?? next + 1
            for index in next..<end where kind(of: index) == .test {
                entries[index].edges.removeAll { $0.reason == .order }
                if let before, !entries[index].edges.contains(where: { $0.tests == before.tests }) {
                    entries[index].edges.append(before)
                }
            }
            before = Edge(test: next, reason: .order, count: end - next)
            next = end
        }
        var plan = TestPlan(suites: suites, tests: entries, testsOfSuite: testsOfSuite)
        plan.isPartial = isPartial
        return plan
    }
}
