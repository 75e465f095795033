import RunModel
import SuiteModel

/// The groups of a plan's tests that must stay in the same shard.
///
/// Tests belong together if one depends on the other (captures, exchanges, `needs`), if their suite is serial, or if
/// they use the same resource lock. A suite's setup and teardown do not belong to a group, because they run in every
/// shard with tests of the suite.
struct TestGroups {
    /// The tests of each group in plan order. The groups are in the order of their first tests.
    private(set) var groups: [[Int]] = []

    /// Finds the groups.
    init(of plan: TestPlan) {
        var parents = Array(plan.tests.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        func join(_ first: Int, _ second: Int) {
            let (first, second) = (root(first), root(second))
            // The first test of a group is its representative.
            if first != second { parents[max(first, second)] = min(first, second) }
        }

        var holders: [String: Int] = [:]
        var rows: Set<Int> = []
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            for edge in plan.tests[index].edges where plan.kind(of: edge.test) == .test {
                join(index, edge.test)
                // The rows of a test that another test depends on are visited once.
                if edge.count > 1, rows.insert(edge.test).inserted {
                    for row in edge.tests { join(edge.test, row) }
                }
            }
            for lock in plan.locks(of: index) {
                if let holder = holders[lock] { join(index, holder) } else { holders[lock] = index }
            }
        }
        for range in plan.testsOfSuite where plan.suites[plan.tests[range.lowerBound].suite].mode == .serial {
            // A setup may be missing between the tests, so the chain of edges is not sufficient.
            var last: Int?
            for index in range where plan.kind(of: index) == .test {
                if let last { join(index, last) }
                last = index
            }
        }
        var locations: [Int: Int] = [:]
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            let root = root(index)
            if let location = locations[root] {
                groups[location].append(index)
            } else {
                locations[root] = groups.count
                groups.append([index])
            }
        }
    }
}
