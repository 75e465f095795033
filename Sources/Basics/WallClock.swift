#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The system's wall clock.
package enum WallClock {
    /// Returns the seconds since 1970-01-01T00:00:00Z, with a fraction.
    package static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// Returns the whole seconds since 1970-01-01T00:00:00Z.
    package static func secondsSince1970() -> Int64 { Int64(time(nil)) }
}
