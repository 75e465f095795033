import NIOCore

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
