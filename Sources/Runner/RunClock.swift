import NIOCore

/// The monotonic clock of a run, in nanoseconds from an arbitrary beginning, and the waiting by it.
public struct RunClock: Sendable {
    /// The current time, in nanoseconds.
    public let now: @Sendable () -> Int64
    /// Waits for so many nanoseconds; throws at once when the task is cancelled.
    public let sleep: @Sendable (Int64) async throws -> Void

    /// Creates a clock; tests give one that they move themselves.
    public init(
        now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .nanoseconds($0)) }
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Returns the time so many nanoseconds from now, or the end of time for more than the clock has.
    func time(in nanoseconds: Int64) -> Int64 {
        let (time, isOver) = now().addingReportingOverflow(nanoseconds)
        return isOver ? .max : time
    }

    /// The machine's monotonic clock.
    public static let system = RunClock(now: { Int64(clamping: NIODeadline.now().uptimeNanoseconds) })
}
