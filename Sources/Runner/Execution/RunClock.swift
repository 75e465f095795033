import NIOCore

/// The monotonic clock of a run, in nanoseconds from an arbitrary beginning.
public struct RunClock: Sendable {
    /// The current time, in nanoseconds.
    public let now: @Sendable () -> Int64

    /// Creates a clock; tests give one that they move themselves.
    public init(now: @escaping @Sendable () -> Int64) {
        self.now = now
    }

    /// The machine's monotonic clock.
    public static let system = RunClock { Int64(clamping: NIODeadline.now().uptimeNanoseconds) }
}
