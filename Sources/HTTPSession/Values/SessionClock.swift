#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The time as a session sees it: tests put their own in its place.
public struct SessionClock: Sendable {
    /// The time since some fixed moment, never going back.
    public var now: @Sendable () -> Duration
    /// Seconds since 1970-01-01T00:00:00Z.
    public var date: @Sendable () -> Double
    /// Waits; throws `CancellationError` at once when the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Creates a clock of three functions.
    public init(
        now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.date = date
        self.sleep = sleep
    }

    /// The system's clocks.
    public static let system = SessionClock(
        now: { .nanoseconds(Int64(clamping: MonotonicClock.now())) },
        date: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        },
        sleep: { try await Task.sleep(for: $0) })
}
