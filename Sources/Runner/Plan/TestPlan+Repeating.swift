import RunModel
import SuiteModel

extension TestPlan {
    /// Returns the plan with each test repeated, as `name (2 of 3)`. Setup and teardown are not repeated.
    ///
    /// A test depends on the tests of its own repetition and on itself in the previous one: tests are written to run
    /// concurrently with other tests, but not with themselves. The repetitions of a serial suite run in sequence.
    public func repeated(_ count: Int) -> TestPlan {
        guard count > 1 else { return self }
        var entries: [Entry] = []
        var ranges: [Range<Int>] = []
        entries.reserveCapacity(tests.count * count)
        for (suite, range) in testsOfSuite.enumerated() {
            let start = entries.count
            append(suiteAt: suite, range, times: count, to: &entries)
            ranges.append(start..<entries.count)
        }
        var plan = TestPlan(suites: suites, tests: entries, testsOfSuite: ranges)
        plan.isPartial = isPartial
        return plan
    }

    private func append(suiteAt suite: Int, _ range: Range<Int>, times count: Int, to entries: inout [Entry]) {
        let start = entries.count
        let repeated = range.filter { kind(of: $0) == .test }
        // The new index of each test in the first repetition. In later ones, a multiple of the number of tests is
        // added.
        var first: [Int: Int] = [:]
        var next = start
        for index in range where kind(of: index) == .setup {
            first[index] = next
            next += 1
        }
        for index in repeated {
            first[index] = next
            next += 1
        }
        next += repeated.count * (count - 1)
        for index in range where kind(of: index) == .teardown {
            first[index] = next
            next += 1
        }
        func location(of index: Int, round: Int) -> Int {
            (first[index] ?? start) + (kind(of: index) == .test ? round * repeated.count : 0)
        }
        func append(_ index: Int, round: Int, edges: [Edge]) {
            var entry = tests[index]
            entry.reference.position = entries.count - start
            entry.edges = edges
            // Ordered by repetition in every shard. A suite has fewer than 2^24 tests.
            entry.reference.ordinal += (kind(of: index) == .teardown ? count : round) << 24
            if kind(of: index) == .test {
                entry.round = round
                entry.rounds = count
                entry.reference.name += " (\(round + 1) of \(count))"
            }
            entries.append(entry)
        }

        for index in range where kind(of: index) == .setup {
            append(
                index, round: 0,
                edges: tests[index].edges.map {
                    Edge(test: location(of: $0.test, round: 0), reason: $0.reason, count: $0.count)
                })
        }
        for round in 0..<count {
            for index in repeated {
                var edges = tests[index].edges.map {
                    Edge(test: location(of: $0.test, round: round), reason: $0.reason, count: $0.count)
                }
                if round > 0 {
                    let isSerial = suites[suite].mode == .serial
                    if !isSerial {
                        edges.append(Edge(test: location(of: index, round: round - 1), reason: .order))
                    } else if index == repeated.first, let last = repeated.last {
                        edges.append(Edge(test: location(of: last, round: round - 1), reason: .order))
                    }
                }
                append(index, round: round, edges: edges)
            }
        }
        for index in range where kind(of: index) == .teardown {
            let edges = tests[index].edges.flatMap { edge in
                (0..<(kind(of: edge.test) == .test ? count : 1)).map { round in
                    Edge(test: location(of: edge.test, round: round), reason: edge.reason, count: edge.count)
                }
            }
            append(index, round: 0, edges: edges)
        }
    }
}
