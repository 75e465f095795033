import SuiteModel
import Synchronization

/// What waits for the reporters that get several results together, in order.
///
/// One thread at a time hands it on, and no other waits for that one: it leaves what it has to that one, as long as that is
/// not much.
final class PatientQueue: Sendable {
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
        var isLong: Bool { items.count >= PatientQueue.most || bytes >= PatientQueue.mostBytes }
    }

    /// The most items.
    private static let most = 64
    /// The most bytes of bodies.
    private static let mostBytes = 1 << 19

    private let audience: PatientAudience
    private let state = Mutex(State())
    /// Held while items are handed on.
    private let handing = Mutex(())

    init(_ audience: PatientAudience) {
        self.audience = audience
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
                case .tests(let tests): audience.receive(tests)
                case .event(let event, let sizes): audience.receive(event, sizes: sizes)
                }
            }
        }
        state.withLock { $0.isBusy = false }
    }
}
