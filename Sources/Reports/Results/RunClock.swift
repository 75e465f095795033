import Basics
import Output
import RunModel

/// Points in time of a run, of which the events tell the distance from its start.
struct RunClock {
    /// Milliseconds since 1970-01-01T00:00:00Z when the run began.
    let start: Int64

    /// Creates the clock of a run that has not begun.
    init() { start = 0 }

    init(_ run: RunInfo) {
        // Years 1970 to 9999; anything else is a clock that is not set.
        let seconds = run.startTime.isFinite ? min(max(0, run.startTime), 253_402_300_799) : 0
        start = Int64((seconds * 1_000).rounded())
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    ///
    /// - Parameter nanoseconds: Nanoseconds since the run's start.
    func milliseconds(at nanoseconds: Int64) -> Int64 { start + max(0, nanoseconds) / 1_000_000 }

    /// A duration in whole milliseconds, rounded.
    static func milliseconds(_ nanoseconds: Int64) -> Int64 {
        let nanoseconds = max(0, nanoseconds)
        return nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 >= 500_000 ? 1 : 0)
    }

    /// A point in time in UTC as `YYYY-MM-DDTHH:MM:SS.mmmZ` (RFC 3339).
    ///
    /// - Parameter nanoseconds: Nanoseconds since the run's start.
    func text(at nanoseconds: Int64) -> String {
        let milliseconds = milliseconds(at: nanoseconds)
        return Timestamp.text(Double(milliseconds / 1_000)) + "." + ASCII.padded(Int(milliseconds % 1_000), 3) + "Z"
    }
}
