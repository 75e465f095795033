import HTTPSession
import Synchronization

/// A clock on which waiting takes no time, and which remembers how long was to be waited.
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
