import SuiteModel

/// Results that wait until they are handed to reporters together, few enough to take no memory to speak of.
struct FinishedTests {
    /// The most results.
    private static let most = 16
    /// The most bytes of bodies.
    private static let mostBytes = 1 << 16

    /// The results, in file order.
    private(set) var tests: [FinishedTest] = []
    private var bytes = 0

    var isEmpty: Bool { tests.isEmpty }

    /// Adds a result.
    ///
    /// - Returns: Whether there are as many as may wait.
    mutating func append(_ test: FinishedTest) -> Bool {
        if tests.isEmpty { tests.reserveCapacity(Self.most) }
        tests.append(test)
        // What may be large waits for nothing: findings, attempts, many steps.
        guard test.result.outcome == .passed, test.result.earlierAttempts.isEmpty, test.result.steps.count < 8 else {
            return true
        }
        let steps = test.result.steps
        for index in steps.indices {
            if !steps[index].earlierAttempts.isEmpty { return true }
            guard let exchange = steps[index].exchange else { continue }
            if exchange.details != nil { return true }
            bytes += exchange.bodySize
        }
        return tests.count >= Self.most || bytes >= Self.mostBytes
    }

    /// Forgets the results.
    mutating func removeAll() {
        tests.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
