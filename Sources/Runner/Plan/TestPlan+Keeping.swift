import Basics
import Diagnostics
import RunModel
import SuiteModel

extension TestPlan {
    /// Returns the plan reduced to some of its tests, their dependencies, and the setup and teardown of their suites.
    ///
    /// - Parameter isWanted: Whether to keep the test with the given index in ``tests``.
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
        // The index of the first kept row of each test and the number of kept rows, by the original index of its first
        // row.
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

    /// Returns the selected tests and, transitively, all tests that they depend on.
    private func needed(by isSelected: [Bool]) -> [Bool] {
        var isKept = isSelected
        var pending = tests.indices.filter { isSelected[$0] }
        var groups: Set<Int> = []
        while let index = pending.popLast() {
            for edge in tests[index].edges where edge.reason != .order {
                // The rows of a test are kept together and visited once.
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

    /// Returns the dependencies of each kept test, with order edges to omitted tests replaced by those tests' own
    /// dependencies.
    private func orderEdges(around isKept: [Bool]) -> [[Edge]] {
        var result = tests.indices.map(tests.edges)
        // Order edges point to preceding tests, so the edges of an omitted test are known before they are needed.
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
    /// The notice that tests are omitted because of `only`; nil if no test uses it.
    var limitNotice: RunNotice? {
        let limiting = limitingTests
        guard !limiting.isEmpty else { return nil }
        let locations = limiting.prefix(5).map { $0.range.description }
        let more: MessageText = limiting.count > locations.count ? ", … \(limiting.count - locations.count) more" : ""
        return RunNotice(
            .focusedTest, severity: .warning,
            message: "only tests with \"only\" are run: \(locations.joined(separator: ", "))\(more)")
    }
}

/// The shuffled order in which tests start.
enum ShuffledOrder {
    /// Returns a random rank for each test, which depends only on the seed and the number of tests.
    static func ranks(count: Int, seed: UInt64) -> [Int32] {
        var ranks = (0..<Int32(clamping: count)).map { $0 }
        var random = SplitMix64(seed: seed)
        // R. Durstenfeld's version of the Fisher-Yates shuffle (CACM 7, 1964). The modulo bias is below 2^-32.
        for index in stride(from: ranks.count - 1, to: 0, by: -1) {
            ranks.swapAt(index, Int(random.next() % UInt64(index + 1)))
        }
        return ranks
    }
}
