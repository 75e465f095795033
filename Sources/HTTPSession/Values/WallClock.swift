#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The wall clock.
enum WallClock {
    /// Seconds since 1970-01-01 in UTC.
    static func secondsSince1970() -> Int64 { Int64(time(nil)) }
}
