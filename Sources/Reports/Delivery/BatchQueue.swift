import RunModel
import RunRecord
import Synchronization

/// A queue of results and events, in order, for the reporters that accept batches.
///
/// One thread at a time drains the queue. Other threads add their items without waiting for it, as long as the queue is
/// short.
final class BatchQueue: Sendable {
    /// An item that is delivered as a unit.
    private enum Item: Sendable {
        case tests([FinishedTest])
        case event(RunEvent, sizes: BodySizes)
    }

    private struct State {
        var items: [Item] = []
        /// The total size in bytes of the bodies in the items.
        var bytes = 0
        /// Whether a thread is delivering items.
        var isBusy = false

        /// Whether the queue is full, so that some items must be delivered before others are added.
        var isLong: Bool { items.count >= BatchQueue.maximum || bytes >= BatchQueue.maximumBytes }
    }

    /// The maximum number of items.
    private static let maximum = 64
    /// The maximum total size of bodies in bytes.
    private static let maximumBytes = 1 << 19

    private let reporters: ReportAudience
    /// The reporters among them that read results in file order.
    private let readers: ReportAudience
    private let state = Mutex(State())
    /// A lock that is held during delivery.
    private let handing = Mutex(())

    /// Creates a queue.
    ///
    /// - Parameters:
    ///   - reporters: The recipients of events that do not belong to a test.
    ///   - readers: The recipients of results.
    init(reporters: ReportAudience, readers: ReportAudience) {
        self.reporters = reporters
        self.readers = readers
    }

    /// Adds results, in file order.
    ///
    /// - Parameter bytes: The total size of their bodies in bytes.
    func add(_ tests: [FinishedTest], bytes: Int) {
        add(.tests(tests), bytes: bytes)
    }

    /// Adds an event that does not belong to a test.
    func add(_ event: RunEvent, sizes: BodySizes) {
        add(.event(event, sizes: sizes), bytes: 0)
    }

    private func add(_ item: Item, bytes: Int) {
        let isLong = state.withLock { state in
            state.items.append(item)
            state.bytes += bytes
            return state.isLong
        }
        // Applies back-pressure to tests that are faster than the reporters, instead of letting the queue grow.
        if isLong { shorten() }
    }

    /// Delivers the queued items, unless another thread is already delivering.
    func advance() {
        while let items = take() { handOn(items) }
    }

    /// Delivers the queued items, or waits for the thread that does, until the queue is short.
    private func shorten() {
        repeat {
            advance()
            // Waits only until the other thread has delivered its current batch.
            handing.withLock { _ in }
        } while state.withLock { $0.isLong }
    }

    /// Delivers all queued items and waits until delivery is complete.
    func finish() {
        repeat {
            advance()
            handing.withLock { _ in }
        } while state.withLock { !$0.items.isEmpty || $0.isBusy }
    }

    /// Removes and returns the queued items, or returns `nil` if there are none or another thread is delivering.
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

/// A result in file order, which reporters receive in batches.
public struct FinishedTest: Sendable {
    let result: TestResult
    /// The original sizes of bodies that masking changed.
    let sizes: BodySizes
    /// Whether the result has exchanges of passed steps, which only some reporters receive.
    let hasHidden: Bool

    /// Returns the result without the data that is hidden from a report.
    ///
    /// - Parameter hidesExchanges: Whether to hide the exchanges of passed steps from the report.
    func result(hidesExchanges: Bool) -> TestResult {
        hidesExchanges && hasHidden ? result.brief : result
    }

    /// Returns the result for a report that never writes the exchanges of a test that passed.
    ///
    /// - Parameter hidesExchanges: Whether to hide the exchanges of passed steps from the report.
    func resultForDetails(hidesExchanges: Bool) -> TestResult {
        result.outcome == .passed ? result : result(hidesExchanges: hidesExchanges)
    }
}

/// A batch of results for reporters, small enough to keep memory use insignificant.
struct FinishedTests {
    /// The maximum number of results.
    private static let maximum = 16
    /// The maximum total size of bodies in bytes.
    private static let maximumBytes = 1 << 16

    /// The results, in file order.
    private(set) var tests: [FinishedTest] = []
    /// The total size in bytes of the bodies in the results.
    private(set) var bytes = 0

    var isEmpty: Bool { tests.isEmpty }

    /// Adds a result.
    ///
    /// - Returns: Whether the batch is full.
    mutating func append(_ test: FinishedTest) -> Bool {
        if tests.isEmpty { tests.reserveCapacity(Self.maximum) }
        tests.append(test)
        // Results that may be large are not held back: those with findings, attempts, or many steps.
        var isSmall = test.result.previousAttempts.isEmpty && test.result.steps.count < 8
        if case .passed = test.result.outcome {} else { isSmall = false }
        let steps = test.result.steps
        for index in steps.indices {
            if let exchange = steps[index].exchange {
                bytes += exchange.bodySize
                if exchange.details != nil { isSmall = false }
            }
            if steps[index].previousAttempts.isEmpty { continue }
            isSmall = false
            for attempt in steps[index].previousAttempts { bytes += attempt.exchange?.bodySize ?? 0 }
        }
        for attempt in test.result.previousAttempts {
            for step in attempt.steps { bytes += step.exchange?.bodySize ?? 0 }
        }
        return !isSmall || tests.count >= Self.maximum || bytes >= Self.maximumBytes
    }

    /// Removes and returns all results.
    mutating func takeAll() -> [FinishedTest] {
        defer { self = FinishedTests() }
        return tests
    }
}
