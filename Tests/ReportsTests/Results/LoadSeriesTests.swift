import RunModel
import Testing

@testable import Reports

struct LoadSeriesTests {
    private static func series(_ count: Int) -> LoadSeries {
        var series = LoadSeries()
        for index in 1...count {
            // Seconds end slightly late.
            var second = LoadSecond(time: Int64(index) * 1_000_500_000, duration: 1_000_500_000)
            second.isWarmup = index <= 10
            for request in 0..<10 {
                second.statistics.record(response: Int64(index) * 1_000_000, service: 1, isFailed: request == 0)
            }
            series.add(second)
        }
        return series
    }

    @Test(arguments: [(1, 1), (300, 300), (301, 151), (600, 300), (3_600, 225)])
    func pointsAreLimited(_ seconds: Int, _ points: Int) {
        let series = Self.series(seconds)
        #expect(series.points.count == points)
        #expect(series.points.reduce(0) { $0 + $1.requests } == seconds * 10)
        #expect(series.points.reduce(0) { $0 + $1.failed } == seconds)
        #expect(series.points.reduce(0) { $0 + $1.duration } == series.end)
    }

    @Test func aPointHasTheHighestLatencyOfItsSeconds() throws {
        let series = Self.series(3_600)
        let last = try #require(series.points.last)
        #expect(try #require(last.latencies?.first) >= 3_600_000_000)
        #expect(series.warmupEnd < 16 * 1_000_500_000)
    }

    @Test("The rest of a second at the end belongs to the point before")
    func theLastSecond() {
        var series = Self.series(3)
        series.add(LoadSecond(time: 3_010_000_000, duration: 8_500_000))
        #expect(series.points.count == 3)
        #expect(series.end == 3_010_000_000)
    }

    @Test func aSecondWithoutRequestsHasNoLatencies() {
        var series = Self.series(1)
        series.add(LoadSecond(time: 2_000_500_000, duration: 1_000_000_000))
        #expect(series.points.last?.latencies == nil)
        #expect(series.points.last?.perSecond(0) == 0)
    }
}
