import SuiteModel

/// The tests that have started and are not told as finished yet.
struct RunningTests {
    /// By suite and position, which together are one number: tests come and go with every event.
    private var tests: [UInt64: TestReference] = [:]

    private static func key(_ test: TestReference) -> UInt64 {
        UInt64(truncatingIfNeeded: test.suite) << 40 | UInt64(truncatingIfNeeded: test.position)
    }

    mutating func start(_ test: TestReference) { tests[Self.key(test)] = test }

    mutating func finish(_ test: TestReference) { tests.removeValue(forKey: Self.key(test)) }

    /// Takes all out, in file order.
    mutating func takeAll() -> [TestReference] {
        defer { tests = [:] }
        return tests.values.sorted { ($0.suite, $0.position) < ($1.suite, $1.position) }
    }
}
