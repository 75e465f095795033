import Basics
import Output
import RunModel

/// A converter from times relative to the start of a run, as in events, to absolute times.
struct RunClock {
    /// The start of the run in milliseconds since 1970-01-01T00:00:00Z.
    let start: Int64

    /// Creates the clock of a run that has not started.
    init() { start = 0 }

    init(_ run: RunInfo) {
        // Years 1970 to 9999. A value outside this range comes from a clock that is not set.
        let seconds = run.startTime.isFinite ? min(max(0, run.startTime), 253_402_300_799) : 0
        start = Int64((seconds * 1_000).rounded())
    }

    /// Returns milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter nanoseconds: Nanoseconds since the start of the run.
    func milliseconds(at nanoseconds: Int64) -> Int64 { start + max(0, nanoseconds) / 1_000_000 }

    /// Returns a duration in whole milliseconds, rounded.
    static func milliseconds(_ nanoseconds: Int64) -> Int64 {
        let nanoseconds = max(0, nanoseconds)
        return nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 >= 500_000 ? 1 : 0)
    }

    /// Returns a point in time in UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339).
    ///
    /// - Parameter nanoseconds: Nanoseconds since the start of the run.
    func text(at nanoseconds: Int64) -> String {
        let milliseconds = milliseconds(at: nanoseconds)
        return Timestamp.text(Double(milliseconds / 1_000)) + "." + ASCII.padded(Int(milliseconds % 1_000), 3) + "Z"
    }
}
