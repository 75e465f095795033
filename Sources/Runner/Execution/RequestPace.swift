import Synchronization

/// The pace at which a run sends its requests: at equal intervals, in the order in which they become ready.
final class RequestPace: Sendable {
    /// The time between two requests, in nanoseconds.
    private let interval: Int64
    /// The earliest time of the next request, by the clock of the run.
    private let next = Mutex(Int64.min)

    /// Creates a pace.
    ///
    /// - Parameter rate: The number of requests per second.
    init(_ rate: Double) {
        interval = Int64(max(1, 1e9 / rate))
    }

    /// Waits until the turn of a request. Returns at once when the task is cancelled.
    ///
    /// - Returns: The time that has passed, in nanoseconds.
    nonisolated(nonsending) func wait(_ clock: RunClock) async -> Int64 {
        let now = clock.now()
        let turn = next.withLock { next in
            let turn = max(now, next)
            next = turn + interval
            return turn
        }
        guard turn > now else { return 0 }
        try? await clock.sleep(turn - now)
        return clock.now() - now
    }
}
