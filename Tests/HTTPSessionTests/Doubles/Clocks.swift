import HTTPSession
import Synchronization

/// A clock controlled by a test. A sleep lasts until the task is cancelled.
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

/// A clock on which sleeps take no time and are recorded.
final class RecordingClock: Sendable {
    private let state = Mutex<(now: Duration, sleeps: [Duration])>((.zero, []))

    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    var clock: SessionClock {
        SessionClock(
            now: { self.state.withLock { $0.now } }, date: { 0 },
            sleep: { duration in
                self.state.withLock { state in
                    state.now += duration
                    state.sleeps.append(duration)
                }
                try Task.checkCancellation()
            })
    }
}
