import Basics
import NIOCore

/// The clock of a session, which tests can replace.
public struct SessionClock: Sendable {
    /// Returns the monotonic time since an arbitrary fixed moment.
    public var now: @Sendable () -> Duration
    /// Returns the wall-clock time in seconds since 1970-01-01T00:00:00Z.
    public var date: @Sendable () -> Double
    /// Waits for a duration, and throws `CancellationError` immediately if the task is cancelled.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// Creates a clock from three closures.
    /// - Parameters:
    ///   - now: A closure that returns the monotonic time since an arbitrary fixed moment.
    ///   - date: A closure that returns the wall-clock time in seconds since 1970-01-01T00:00:00Z.
    ///   - sleep: A closure that waits for a duration.
    public init(
        now: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.date = date
        self.sleep = sleep
    }

    /// The system clock.
    public static let system = SessionClock(
        now: { .nanoseconds(Int64(clamping: MonotonicClock.now())) },
        date: { WallClock.now() },
        sleep: { try await Task.sleep(for: $0) })
}

/// The source of random numbers of a session, used for jitter, nonces and boundaries, which tests can replace.
public struct SessionRandom: Sendable {
    /// Returns the next number, uniformly distributed over 64 bits.
    public var next: @Sendable () -> UInt64

    /// Creates a source from a closure.
    public init(next: @escaping @Sendable () -> UInt64) {
        self.next = next
    }

    /// The system's cryptographically secure source.
    public static let system = SessionRandom {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Returns a random number from 0 up to, but not including, 1.
    public func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns random bytes.
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

/// Times in nanoseconds on the clock of the event loops; `UInt64.max` means never.
enum MonotonicClock {
    /// The current time.
    @inline(__always)
    static func now() -> UInt64 { NIODeadline.now().uptimeNanoseconds }

    /// Returns the time `duration` after `start`, or never on overflow.
    static func deadline(_ duration: UInt64, after start: UInt64) -> UInt64 {
        let (sum, overflow) = start.addingReportingOverflow(duration)
        return overflow ? .max : sum
    }

    /// Returns a duration in nanoseconds, at least zero; nil and values out of range become never.
    static func nanoseconds(_ duration: Duration?) -> UInt64 {
        guard let duration else { return .max }
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        guard seconds < 9_000_000_000 else { return .max }
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }

    /// Returns the duration between two times, or zero if the second is not after the first.
    static func duration(_ start: UInt64, _ end: UInt64) -> Duration {
        end > start ? .nanoseconds(Int64(clamping: end - start)) : .zero
    }
}
