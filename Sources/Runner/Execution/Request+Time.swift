import HTTPSession

extension Request {
    /// Bounds the time that the exchange may take.
    ///
    /// - Parameters:
    ///   - nanoseconds: the most that it may take.
    ///   - standard: the limits of a request that has none of its own.
    mutating func clipTime(to nanoseconds: Int64, standard: Timeouts) {
        var timeouts = timeouts.inheriting(from: standard)
        let limit = Duration.nanoseconds(nanoseconds)
        timeouts.total = timeouts.total.map { min($0, limit) } ?? limit
        self.timeouts = timeouts
    }
}
