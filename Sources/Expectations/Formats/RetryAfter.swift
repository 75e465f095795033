import CEL

/// What a response asks for with `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The time to wait, in nanoseconds: a number of seconds, or until a date; nil when it is neither.
    ///
    /// - Parameter now: The present time, in seconds since 1970-01-01T00:00:00Z.
    package static func nanoseconds(_ value: String, now: Int64 = CELTimestamp.now.seconds) -> Int64? {
        if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let (time, isOver) = (Int64(value) ?? .max).multipliedReportingOverflow(by: 1_000_000_000)
            return isOver ? .max : time
        }
        guard let date = Instant(httpDate: value) else { return nil }
        let now = Instant(seconds: now, nanoseconds: 0)
        return date < now ? 0 : now.distance(to: date)
    }
}
