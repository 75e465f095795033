import Synchronization

/// A clock that advances only on request.
final class TestClock: Sendable {
    private let time = Mutex<Int64>(0)

    func now() -> Int64 { time.withLock { $0 } }

    func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds * 1_000_000 } }
}
