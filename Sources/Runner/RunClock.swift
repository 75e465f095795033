import NIOCore

/// The monotonic clock of a run, in nanoseconds since an arbitrary origin, with the corresponding sleep function.
public struct RunClock: Sendable {
    /// Returns the current time, in nanoseconds.
    public let now: @Sendable () -> Int64
    /// Waits for a number of nanoseconds. Throws immediately when the task is cancelled.
    public let sleep: @Sendable (Int64) async throws -> Void

    /// Creates a clock. Tests pass one that they advance manually.
    public init(
        now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Int64) async throws -> Void = { try await Task.sleep(for: .nanoseconds($0)) }
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Returns the time after the given number of nanoseconds, or the maximum time on overflow.
    func time(in nanoseconds: Int64) -> Int64 {
        let (time, isOver) = now().addingReportingOverflow(nanoseconds)
        return isOver ? .max : time
    }

    /// The monotonic clock of the system.
    public static let system = RunClock(now: { Int64(clamping: NIODeadline.now().uptimeNanoseconds) })
}
