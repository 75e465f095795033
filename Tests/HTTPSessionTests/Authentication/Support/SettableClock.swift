import HTTPSession
import Synchronization

/// A clock that a test sets; waiting lasts until the task is cancelled.
final class SettableClock: Sendable {
    private let seconds: Mutex<Double>

    init(_ seconds: Double = 1_440_938_160) {
        self.seconds = Mutex(seconds)
    }

    func advance(_ by: Double) {
        seconds.withLock { $0 += by }
    }

    var clock: SessionClock {
        SessionClock(
            now: { .milliseconds(Int64(self.seconds.withLock { $0 } * 1000)) }, date: { self.seconds.withLock { $0 } },
            sleep: { _ in try await Task.sleep(for: .seconds(86400)) })
    }
}
