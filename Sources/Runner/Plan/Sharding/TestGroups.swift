import SuiteModel

/// The groups of a plan's tests that must stay together when the tests are shared out.
///
/// Tests belong together when one depends on the other (captures, exchanges, `needs`), when their suite is serial, or when
/// they take the same lock. A suite's setup and teardown belong to no group: they run with every share of their suite.
struct TestGroups {
    /// The tests of each group in the plan's order; groups in the order of their first test.
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
            // The first test of a group stands for it.
            if first != second { parents[max(first, second)] = min(first, second) }
        }

        var holders: [String: Int] = [:]
        var rows: Set<Int> = []
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            for edge in plan.tests[index].edges where plan.kind(of: edge.test) == .test {
                join(index, edge.test)
                // The rows of a test that another one waits for; they are gone through once.
                if edge.count > 1, rows.insert(edge.test).inserted {
                    for row in edge.tests { join(edge.test, row) }
                }
            }
            if let lock = plan.lock(of: index) {
                if let holder = holders[lock] { join(index, holder) } else { holders[lock] = index }
            }
        }
        for range in plan.testsOfSuite where plan.suites[plan.tests[range.lowerBound].suite].mode == .serial {
            // Setup may stand between no tests, so that the chain of edges is not enough.
            var last: Int?
            for index in range where plan.kind(of: index) == .test {
                if let last { join(index, last) }
                last = index
            }
        }
        var places: [Int: Int] = [:]
        for index in plan.tests.indices where plan.kind(of: index) == .test {
            let root = root(index)
            if let place = places[root] {
                groups[place].append(index)
            } else {
                places[root] = groups.count
                groups.append([index])
            }
        }
    }
}
