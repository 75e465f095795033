import RunModel

/// The part of a load that one of several processes generates: every n-th iteration or user of the whole.
///
/// The iterations of all shards together are exactly those of the schedule, at the same times. Shards therefore use the
/// numbers of the whole load, which also determine rows and random values.
struct LoadShare: Sendable {
    /// The number of the first iteration or user.
    let first: Int
    /// The distance to the next one, which is the number of shards.
    let stride: Int

    /// Creates the part of a shard; nil for the whole load.
    init(_ shard: Shard?) {
        first = (shard?.index ?? 1) - 1
        stride = shard?.count ?? 1
    }

    /// Returns the number in the whole load of an iteration or user of this part.
    func number(_ position: Int) -> Int { first + position * stride }

    /// Returns how many of a number of iterations or users belong to this part.
    func count(of total: Int) -> Int { max(0, (total - first + stride - 1) / stride) }
}

/// The start of a load: at once, or at a time that several processes agreed on.
struct LoadStart: Sendable, Equatable {
    /// The maximum distance of an agreed time from now, in seconds, so that nanoseconds do not overflow.
    private static let maximumDistance: Double = 1e8

    /// The start by the clock of the run, in nanoseconds.
    let time: Int64
    /// The start in seconds since 1970-01-01T00:00:00Z.
    let date: Double
    /// The time by which the load starts later than agreed, in nanoseconds.
    let lateness: Int64

    /// Creates the start of a load.
    ///
    /// A start in the future is exact: the schedule begins at that time, even if a thread wakes up later.
    ///
    /// - Parameters:
    ///   - agreed: The agreed time in seconds since 1970-01-01T00:00:00Z; nil to start at once.
    ///   - time: The current time by the clock of the run, in nanoseconds.
    ///   - date: The current time in seconds since 1970-01-01T00:00:00Z.
    init(at agreed: Double?, time: Int64, date: Double) {
        let distance = min(Self.maximumDistance, max(-Self.maximumDistance, (agreed ?? date) - date))
        let nanoseconds = Int64((distance * 1e9).rounded())
        self.time = time + max(0, nanoseconds)
        self.date = distance < 0 ? date : agreed ?? date
        lateness = max(0, -nanoseconds)
    }
}
