import RunModel
import RunRecord
import Synchronization

/// What waits for the reporters that get several results together, in order.
///
/// One thread at a time hands it on, and no other waits for that one: it leaves what it has to that one, as long as that is
/// not much.
final class BatchQueue: Sendable {
    /// What is handed on at once.
    private enum Item: Sendable {
        case tests([FinishedTest])
        case event(RunEvent, sizes: BodySizes)
    }

    private struct State {
        var items: [Item] = []
        /// The bytes of the bodies in them.
        var bytes = 0
        /// Whether a thread is handing items on.
        var isBusy = false

        /// Whether there is so much that nothing may be added before some of it is handed on.
        var isLong: Bool { items.count >= BatchQueue.most || bytes >= BatchQueue.mostBytes }
    }

    /// The most items.
    private static let most = 64
    /// The most bytes of bodies.
    private static let mostBytes = 1 << 19

    private let reporters: ReportAudience
    /// Those of them that read results in file order.
    private let readers: ReportAudience
    private let state = Mutex(State())
    /// Held while items are handed on.
    private let handing = Mutex(())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - reporters: Get the events that are no test's.
    ///   - readers: Get the results.
    init(reporters: ReportAudience, readers: ReportAudience) {
        self.reporters = reporters
        self.readers = readers
    }

    /// Adds results, in file order.
    ///
    /// - Parameter bytes: The bytes of their bodies.
    func add(_ tests: [FinishedTest], bytes: Int) {
        add(.tests(tests), bytes: bytes)
    }

    /// Adds an event that is no test's.
    func add(_ event: RunEvent, sizes: BodySizes) {
        add(.event(event, sizes: sizes), bytes: 0)
    }

    private func add(_ item: Item, bytes: Int) {
        let isLong = state.withLock { state in
            state.items.append(item)
            state.bytes += bytes
            return state.isLong
        }
        // Reporters that are slower than the tests are a brake then, and not a queue that grows.
        if isLong { shorten() }
    }

    /// Hands on what waits, unless another thread is doing that.
    func advance() {
        while let items = take() { handOn(items) }
    }

    /// Hands on what waits, or lets another thread do it, until it is not much.
    private func shorten() {
        repeat {
            advance()
            // Not longer than what the other thread has taken lasts.
            handing.withLock { _ in }
        } while state.withLock { $0.isLong }
    }

    /// Hands on all that waits, and waits until that is done.
    func finish() {
        repeat {
            advance()
            handing.withLock { _ in }
        } while state.withLock { !$0.items.isEmpty || $0.isBusy }
    }

    /// Takes what waits; nil when nothing does, and while another thread hands on.
    private func take() -> [Item]? {
        state.withLock { state in
            if state.isBusy || state.items.isEmpty { return nil }
            state.isBusy = true
            defer { (state.items, state.bytes) = ([], 0) }
            return state.items
        }
    }

    private func handOn(_ items: [Item]) {
        handing.withLock { _ in
            for item in items {
                switch item {
                case .tests(let tests): readers.receive(tests)
                case .event(let event, let sizes): reporters.receive(event, sizes: sizes)
                }
            }
        }
        state.withLock { $0.isBusy = false }
    }
}

/// A result in file order, which reporters get together with others.
public struct FinishedTest: Sendable {
    let result: TestResult
    /// The sizes of bodies that masking changed.
    let sizes: BodySizes
    /// Whether it has exchanges of steps that passed, which only some reporters get.
    let hasHidden: Bool

    /// The result without what is not for a report.
    ///
    /// - Parameter hidesExchanges: Whether the exchanges of steps that passed are not for the report.
    func result(hidesExchanges: Bool) -> TestResult {
        hidesExchanges && hasHidden ? result.brief : result
    }

    /// The result for a report that does not write the exchanges of a test that passed in any case.
    ///
    /// - Parameter hidesExchanges: Whether the exchanges of steps that passed are not for the report.
    func resultForAccount(hidesExchanges: Bool) -> TestResult {
        result.outcome == .passed ? result : result(hidesExchanges: hidesExchanges)
    }
}

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
