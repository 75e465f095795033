import RunModel
import SuiteModel

/// The groups of a plan's tests that must stay in the same shard.
///
/// Tests belong together if one depends on the other (captures, exchanges, `needs`), if their suite is serial, or if
/// they use the same resource lock. A suite's setup and teardown do not belong to a group, because they run in every
/// shard with tests of the suite.
struct TestGroups {
    /// Tests that stay together, or a single unit whose tests are independent.
    struct Group {
        /// The indices of the tests in ``TestGroups/units``, in plan order.
        var units: [Int]
        /// Whether the group is a test that no other test is tied to, or rows that can be in different shards.
        var isIndependent = false
    }

    /// The tests of the plan, where rows that are planned together are one unit.
    let units: [PlannedTests.Unit]
    /// The groups in the order of their first tests.
    private(set) var groups: [Group] = []

    /// Finds the groups.
    init(of plan: TestPlan) {
        let units = plan.tests.units
        self.units = units
        var parents = Array(units.indices)
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
            // The first unit of a group is its representative.
            if first != second { parents[max(first, second)] = min(first, second) }
        }

        let tests = units.indices.filter { plan.kind(of: units[$0].range.lowerBound) == .test }
        var holders: [String: Int] = [:]
        var rows: Set<Int> = []
        var lastOfSerialSuite: [Int: Int] = [:]
        for unit in tests {
            let test = units[unit].range.lowerBound
            for edge in plan.tests.edges(of: test) where plan.kind(of: edge.test) == .test {
                let first = self.unit(of: edge.test)
                join(unit, first)
                // The rows of a test that another test depends on are visited once.
                if edge.count > 1, rows.insert(edge.test).inserted {
                    for row in first...self.unit(of: edge.tests.upperBound - 1) { join(first, row) }
                }
            }
            for lock in plan.locks(of: test) {
                if let holder = holders[lock] { join(unit, holder) } else { holders[lock] = unit }
            }
            let suite = plan.suite(of: test)
            if plan.suites[suite].mode == .serial {
                // A setup may be missing between the tests, so the chain of edges is not sufficient.
                if let last = lastOfSerialSuite.updateValue(unit, forKey: suite) { join(unit, last) }
            }
        }
        var locations: [Int: Int] = [:]
        for unit in tests {
            let root = root(unit)
            if let location = locations[root] {
                groups[location].units.append(unit)
            } else {
                locations[root] = groups.count
                groups.append(Group(units: [unit]))
            }
        }
        for index in groups.indices where groups[index].units.count == 1 {
            let test = units[groups[index].units[0]].range.lowerBound
            groups[index].isIndependent =
                plan.locks(of: test).isEmpty && plan.suites[plan.suite(of: test)].mode != .serial
        }
    }

    /// The tests of each group in plan order, where each independent row is a group of its own.
    var tests: [[Int]] {
        groups.flatMap { group in
            let tests = group.units.flatMap { Array(units[$0].range) }
            return group.isIndependent ? tests.map { [$0] } : [tests]
        }
    }

    /// Returns the index of the unit that contains a test.
    func unit(of test: Int) -> Int {
        var low = 0
        var high = units.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if units[middle].range.lowerBound <= test { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
