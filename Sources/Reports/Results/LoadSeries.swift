import Histogram
import RunModel

/// The figures of a load over time, for charts.
///
/// The number of points is limited: a longer load has points of several seconds.
struct LoadSeries {
    /// The figures of one or several seconds.
    struct Point {
        /// The end, in nanoseconds since the start of the load.
        var time: Int64
        /// The duration, in nanoseconds.
        var duration: Int64
        var requests: Int
        var failed: Int
        /// The highest p50, p95 and p99 of the response times of a second, in nanoseconds; nil without requests.
        var latencies: [Int64]?
        /// Whether all seconds belong to the warm-up.
        var isWarmup: Bool

        fileprivate init(_ second: LoadSecond) {
            time = second.time
            duration = second.duration
            requests = second.statistics.requests
            failed = second.statistics.failed
            latencies = second.statistics.response.values(atPercentiles: LoadSeries.percentiles)
            isWarmup = second.isWarmup
        }

        /// Adds the figures of the time that follows.
        fileprivate mutating func add(_ next: Point) {
            time = next.time
            duration += next.duration
            requests += next.requests
            failed += next.failed
            if let latencies, let others = next.latencies {
                self.latencies = zip(latencies, others).map { max($0, $1) }
            } else if latencies == nil {
                latencies = next.latencies
            }
            isWarmup = isWarmup && next.isWarmup
        }

        /// Returns the mean number per second.
        func perSecond(_ number: Int) -> Double { duration > 0 ? Double(number) * 1e9 / Double(duration) : 0 }
    }

    /// The percentiles of the latencies of a point.
    static let percentiles: [Double] = [50, 95, 99]
    /// The maximum number of points.
    static let maximumPoints = 300
    /// The duration in nanoseconds below which a part of a second, such as the last, does not get a point.
    private static let shortest: Int64 = 500_000_000

    /// The points in order.
    private(set) var points: [Point] = []
    /// The duration of a point, in nanoseconds.
    private var width: Int64 = 1_000_000_000

    /// The end of the load, in nanoseconds since its start.
    var end: Int64 { points.last?.time ?? 0 }

    /// The end of the warm-up, in nanoseconds since the start of the load.
    var warmupEnd: Int64 { points.last(where: \.isWarmup)?.time ?? 0 }

    /// Adds a second.
    mutating func add(_ second: LoadSecond) {
        let point = Point(second)
        guard let last = points.last, last.duration < width - Self.shortest || point.duration < Self.shortest else {
            points.append(point)
            if points.count > Self.maximumPoints { halve() }
            return
        }
        points[points.count - 1].add(point)
    }

    private mutating func halve() {
        var halved: [Point] = []
        for (index, point) in points.enumerated() {
            if index.isMultiple(of: 2) { halved.append(point) } else { halved[halved.count - 1].add(point) }
        }
        points = halved
        width *= 2
    }
}
