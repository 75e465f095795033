import Basics
import NIOCore

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
        date: { WallClock.now() },
        sleep: { try await Task.sleep(for: $0) })
}

/// The random numbers that a session uses for jitter, nonces and boundaries: tests put their own in its place.
public struct SessionRandom: Sendable {
    /// Gives the next number, each of its 64 bits evenly distributed.
    public var next: @Sendable () -> UInt64

    /// Creates a source of a function.
    public init(next: @escaping @Sendable () -> UInt64) {
        self.next = next
    }

    /// The system's secure source.
    public static let system = SessionRandom {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// A number from 0 up to, but not including, 1.
    public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(0, count))
        var number: UInt64 = 0
        for index in 0..<max(0, count) {
            if index % 8 == 0 { number = next() }
            bytes.append(UInt8(truncatingIfNeeded: number))
            number >>= 8
        }
        return bytes
    }
}

extension Duration {
    /// The duration in seconds.
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// Times in nanoseconds on the clock that event loops use; `UInt64.max` stands for never.
enum MonotonicClock {
    /// The current time.
    @inline(__always)
    static func now() -> UInt64 { NIODeadline.now().uptimeNanoseconds }

    /// The time `duration` after `start`; never for nil.
    static func deadline(_ duration: UInt64, after start: UInt64) -> UInt64 {
        let (sum, overflow) = start.addingReportingOverflow(duration)
        return overflow ? .max : sum
    }

    /// A duration in nanoseconds, at least zero; never for nil or what does not fit.
    static func nanoseconds(_ duration: Duration?) -> UInt64 {
        guard let duration else { return .max }
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 9_000_000_000 else { return .max }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// The duration between two times, zero if the second is not after the first.
    static func duration(_ start: UInt64, _ end: UInt64) -> Duration {
        end > start ? .nanoseconds(Int64(clamping: end - start)) : .zero
    }
}
