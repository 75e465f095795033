import Basics
import FileSystem
import RunModel
import SuiteModel

extension TestPlan {
    /// Returns a shard's part of the plan, where the shard of a group depends only on the group's own tests.
    ///
    /// Needs no memory for the rows of other shards.
    func hashShare(of shard: Shard, among groups: TestGroups, workingDirectory: String) -> Share {
        let identities = TestIdentities(of: self, workingDirectory: workingDirectory)
        var units: [PlannedTests.Unit?] = Array(repeating: nil, count: groups.units.count)
        for group in groups.groups {
            if group.isIndependent, let unit = group.units.first, let rows = groups.units[unit].rows {
                let prefix = identities.prefix(ofSuite: rows.first.suite)
                let kept = rows.keeping(hashedAfter: prefix) { shard.contains(hash: $0.mixed) }
                if kept.count > 0 { units[unit] = PlannedTests.Unit(range: groups.units[unit].range, rows: kept) }
            } else if shard.contains(hash: identities.hash(of: group, in: groups)) {
                for unit in group.units { units[unit] = groups.units[unit] }
            }
        }
        return Share(plan: keeping(units, of: groups), groups: groups.groups.count)
    }

    /// Returns the plan reduced to some units, and the setup and teardown of their suites.
    ///
    /// - Parameter kept: For each unit the part to keep, or nil. All units that a kept unit depends on are kept.
    private func keeping(_ kept: [PlannedTests.Unit?], of groups: TestGroups) -> TestPlan {
        var planned = PlannedTests()
        var suites: [Suite] = []
        var ranges: [Range<Int>] = []
        // For each kept unit, the index of its first test in the new plan.
        var starts: [Int: Int] = [:]
        var next = 0
        for (suite, range) in testsOfSuite.enumerated() {
            let units = next..<(range.upperBound < tests.count ? groups.unit(of: range.upperBound) : kept.count)
            next = units.upperBound
            guard units.contains(where: { kept[$0] != nil }) else { continue }
            let start = planned.count
            for unit in units {
                let test = groups.units[unit].range.lowerBound
                guard kept[unit] != nil || kind(of: test) != .test else { continue }
                starts[unit] = planned.count
                if let rows = kept[unit]?.rows {
                    planned.append(rows.moved(toSuite: suites.count, position: planned.count - start))
                } else {
                    var entry = tests[test]
                    entry.suite = suites.count
                    entry.reference.suite = suites.count
                    entry.reference.position = planned.count - start
                    planned.append(entry)
                }
            }
            suites.append(self.suites[suite])
            ranges.append(start..<planned.count)
        }
        for (unit, start) in starts {
            let edges = tests.edges(of: groups.units[unit].range.lowerBound)
            if edges.isEmpty { continue }
            planned.set(
                edges.compactMap { edge in
                    starts[groups.unit(of: edge.test)].map { Edge(test: $0, reason: edge.reason, count: edge.count) }
                }, from: start)
        }
        var plan = TestPlan(suites: suites, tests: planned, testsOfSuite: ranges)
        plan.isPartial = isPartial || planned.count < tests.count
        return plan
    }
}

extension Shard {
    /// Returns whether a hash belongs to the shard: its remainder modulo the number of shards is the index from 0.
    func contains(hash: UInt64) -> Bool { hash % UInt64(count) == UInt64(index - 1) }
}

/// The stable hashes of the identities of a plan's tests.
///
/// A test is identified by the path of its suite, the index of the suite's document, and its name, as in reports. The
/// hashes are a contract: a change would move tests between the shards of a run that uses two versions of the program.
struct TestIdentities {
    private let plan: TestPlan
    /// For each suite, the hash of its path and the index of its document.
    private let prefixes: [StableHash]

    /// Creates the identities of a plan's tests.
    ///
    /// - Parameter workingDirectory: The absolute path of the directory that paths of suites are relative to.
    init(of plan: TestPlan, workingDirectory: String) {
        self.plan = plan
        prefixes = plan.suites.map { suite in
            // Independent of the spelling of the path, and of the location of a checkout.
            let path = Path.normalized(Path.absolute(suite.path, in: workingDirectory))
            var hash = StableHash().adding(Path.relative(path, to: Path.normalized(workingDirectory)))
            hash.addSeparator()
            hash.add(String(suite.documentIndex))
            hash.addSeparator()
            return hash
        }
    }

    /// Returns the hash of the input before the names of a suite's tests.
    func prefix(ofSuite suite: Int) -> StableHash { prefixes[suite] }

    /// Returns the hash of a group whose tests stay together.
    ///
    /// It is the lowest hash of the tests that depend on no other test. A serial suite counts as one test, and so do
    /// the rows of a test. Therefore a new test moves the tests of its group only if it depends on none of them.
    func hash(of group: TestGroups.Group, in groups: TestGroups) -> UInt64 {
        let hashes = group.units.lazy.compactMap { unit in
            hash(ofTest: groups.units[unit].range.lowerBound, isIndependent: group.isIndependent)
        }
        return hashes.min() ?? 0
    }

    /// Returns the hash of a test, or nil if it depends on another test.
    private func hash(ofTest index: Int, isIndependent: Bool) -> UInt64? {
        let location = plan.tests.location(of: index)
        let suite = plan.suites[location.suite]
        let prefix = prefixes[location.suite]
        if suite.mode == .serial { return prefix.mixed }
        if plan.tests.edges(of: index).contains(where: { plan.kind(of: $0.test) == .test }) { return nil }
        let hasRows = suite.tests[location.test].data != nil
        let name = hasRows && !isIndependent ? suite.tests[location.test].name : plan.tests[index].reference.name
        return prefix.adding(name).mixed
    }
}
