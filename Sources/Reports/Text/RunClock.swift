import SuiteModel

/// Points in time of a run, of which the events tell the distance from its start.
struct RunClock {
    /// Milliseconds since 1970-01-01T00:00:00Z when the run began.
    let start: Int64

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
        let fraction = String(milliseconds % 1_000)
        return Timestamp.text(Double(milliseconds / 1_000)) + "."
            + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction + "Z"
    }
}
