import SuiteModel

/// Results that wait until they are handed to reporters together, few enough to take no memory to speak of.
struct FinishedTests {
    /// The most results.
    private static let most = 16
    /// The most bytes of bodies.
    private static let mostBytes = 1 << 16

    /// The results, in file order.
    private(set) var tests: [FinishedTest] = []
    /// The bytes of the bodies in them.
    private(set) var bytes = 0

    var isEmpty: Bool { tests.isEmpty }

    /// Adds a result.
    ///
    /// - Returns: Whether there are as many as may wait.
    mutating func append(_ test: FinishedTest) -> Bool {
        if tests.isEmpty { tests.reserveCapacity(Self.most) }
        tests.append(test)
        // What may be large waits for nothing: findings, attempts, many steps.
        var isSmall = test.result.earlierAttempts.isEmpty && test.result.steps.count < 8
        if case .passed = test.result.outcome {} else { isSmall = false }
        let steps = test.result.steps
        for index in steps.indices {
            if let exchange = steps[index].exchange {
                bytes += exchange.bodySize
                if exchange.details != nil { isSmall = false }
            }
            if steps[index].earlierAttempts.isEmpty { continue }
            isSmall = false
            for attempt in steps[index].earlierAttempts { bytes += attempt.exchange?.bodySize ?? 0 }
        }
        for attempt in test.result.earlierAttempts {
            for step in attempt.steps { bytes += step.exchange?.bodySize ?? 0 }
        }
        return !isSmall || tests.count >= Self.most || bytes >= Self.mostBytes
    }

    /// Takes all results out.
    mutating func takeAll() -> [FinishedTest] {
        defer { self = FinishedTests() }
        return tests
    }
}
