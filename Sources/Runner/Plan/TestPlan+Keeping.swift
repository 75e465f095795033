import Basics
import Diagnostics
import RunModel
import SuiteModel

extension TestPlan {
    /// The plan with the wanted tests alone, and with what these depend on, their suites' setup and teardown.
    ///
    /// - Parameter isWanted: Whether the test with an index in ``tests`` is wanted.
    public func keeping(_ isWanted: (Int) -> Bool) -> TestPlan {
        let isSelected = tests.indices.map { tests[$0].isSelected && isWanted($0) }
        let isKept = needed(by: isSelected)
        var positions = [Int](repeating: -1, count: tests.count)
        var suites: [Int] = []
        var ranges: [Range<Int>] = []
        var count = 0
        for (suite, range) in testsOfSuite.enumerated() {
            let start = count
            for index in range where isKept[index] {
                positions[index] = count
                count += 1
            }
            guard count > start else { continue }
            suites.append(suite)
            ranges.append(start..<count)
        }
        let contracted = orderEdges(around: isKept)
        // Where the rows of a test that are kept begin, and how many they are, by the first of all.
        var rows: [Int: (first: Int, count: Int)] = [:]
        for entry in tests {
            for edge in entry.edges where edge.count > 1 && rows[edge.test] == nil {
                let kept = edge.tests.filter { isKept[$0] }
                rows[edge.test] = (kept.first.map { positions[$0] } ?? 0, kept.count)
            }
        }
        var kept: [Entry] = []
        kept.reserveCapacity(count)
        for (newSuite, suite) in suites.enumerated() {
            for index in testsOfSuite[suite] where isKept[index] {
                var entry = tests[index]
                entry.suite = newSuite
                entry.reference.suite = newSuite
                entry.reference.position = kept.count - ranges[newSuite].lowerBound
                entry.isSelected = isSelected[index] || (tests[index].isSelected && kind(of: index) != .test)
                entry.edges = contracted[index].compactMap { edge in
                    guard edge.count > 1, let kept = rows[edge.test] else {
                        return Edge(test: positions[edge.test], reason: edge.reason)
                    }
                    return kept.count > 0 ? Edge(test: kept.first, reason: edge.reason, count: kept.count) : nil
                }
                kept.append(entry)
            }
        }
        var plan = TestPlan(suites: suites.map { self.suites[$0] }, tests: kept, testsOfSuite: ranges)
        plan.isPartial = isPartial || kept.count < tests.count
        return plan
    }

    /// The tests that are selected and, transitively, all that they cannot run without.
    private func needed(by isSelected: [Bool]) -> [Bool] {
        var isKept = isSelected
        var pending = tests.indices.filter { isSelected[$0] }
        var groups: Set<Int> = []
        while let index = pending.popLast() {
            for edge in tests[index].edges where edge.reason != .order {
                // The rows of a test are kept together, and are gone through once.
                if edge.count > 1, !groups.insert(edge.test).inserted { continue }
                for test in edge.tests where !isKept[test] {
                    isKept[test] = true
                    pending.append(test)
                }
            }
        }
        for range in testsOfSuite where range.contains(where: { isKept[$0] }) {
            for index in range where kind(of: index) != .test { isKept[index] = true }
        }
        return isKept
    }

    /// The edges of each kept test: one of mere order that leads to a test left out leads to what that one waited for.
    private func orderEdges(around isKept: [Bool]) -> [[Edge]] {
        var result = tests.indices.map(tests.edges)
        // Edges of mere order lead to earlier tests, so that those of a test left out are known before they are needed.
        for index in tests.indices {
            guard result[index].contains(where: { $0.count == 1 && !isKept[$0.test] }) else { continue }
            var edges: [Edge] = []
            var seen: Set<Int> = []
            for edge in result[index] {
                if edge.count > 1 || isKept[edge.test] {
                    if seen.insert(edge.test).inserted || edge.reason != .order { edges.append(edge) }
                } else if kind(of: index) != .teardown {
                    for before in result[edge.test] where before.reason == .order && isKept[before.test] {
                        if seen.insert(before.test).inserted { edges.append(before) }
                    }
                }
            }
            result[index] = edges
        }
        return result
    }
}

extension TestPlan {
    /// What is said of a run of which `only` leaves tests out; nil when no test has it.
    var limitNotice: RunNotice? {
        let limiting = limitingTests
        guard !limiting.isEmpty else { return nil }
        let places = limiting.prefix(5).map { $0.range.description }
        let more = limiting.count > places.count ? ", … \(limiting.count - places.count) more" : ""
        return RunNotice(
            severity: .warning,
            message: "only tests with \"only\" are run: " + places.joined(separator: ", ") + more)
    }
}

/// The order in which tests start when it is shuffled.
enum ShuffledOrder {
    /// For each test its place in a random order, the same for the same seed.
    static func ranks(count: Int, seed: UInt64) -> [Int32] {
        var ranks = (0..<Int32(clamping: count)).map { $0 }
        var random = SplitMix64(seed: seed)
        // R. Durstenfeld's form of the Fisher-Yates shuffle (CACM 7, 1964); the bias of the remainder is below 2^-32.
        for index in stride(from: ranks.count - 1, to: 0, by: -1) {
            ranks.swapAt(index, Int(random.next() % UInt64(index + 1)))
        }
        return ranks
    }
}
