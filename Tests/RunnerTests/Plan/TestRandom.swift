import RunModel
import SuiteModel

@testable import Runner

/// Reproducible random plans for property tests.
struct TestRandom {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
    }

    /// Returns a number in a range.
    mutating func number(_ range: ClosedRange<Int>) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return range.lowerBound + Int(state % UInt64(range.count))
    }

    /// Returns true with the given probability in percent.
    mutating func happens(_ percent: Int) -> Bool { number(1...100) <= percent }

    /// Returns suites with captures, `needs`, resource locks across suites, setups and teardowns. Some of them are
    /// serial.
    mutating func suites() -> [Suite] {
        (0..<number(1...5)).map { suite in
            let hasSetup = happens(30)
            let hasTeardown = happens(30)
            let count = number(hasSetup || hasTeardown ? 1...10 : 0...12)
            var tests: [SuiteTest] = []
            if hasSetup {
                var setup = Suites.test(0, "setup")
                setup.kind = .setup
                tests.append(setup)
            }
            for _ in 0..<count {
                let index = tests.count
                var edges: [SuiteTest.Dependency] = hasSetup ? [.init(test: 0, reason: .setup)] : []
                for previous in tests.indices where tests[previous].kind == .test && happens(15) {
                    edges.append(.init(test: previous, reason: happens(50) ? .needs : .capture(name: "v\(previous)")))
                }
                if hasSetup, happens(20) { edges.append(.init(test: 0, reason: .capture(name: "s"))) }
                tests.append(
                    Suites.test(
                        index, "t\(number(0...4))", tags: happens(50) ? ["a"] : ["b"], skip: happens(5) ? "" : nil,
                        lock: happens(15) ? "l\(number(0...3))" : nil, after: edges))
            }
            if hasTeardown {
                var teardown = Suites.test(
                    tests.count, "teardown", after: tests.indices.map { .init(test: $0, reason: .order) })
                teardown.kind = .teardown
                tests.append(teardown)
            }
            return Suites.suite(tests, mode: happens(20) ? .serial : .concurrent, path: "s\(suite).yaml")
        }
    }
}
