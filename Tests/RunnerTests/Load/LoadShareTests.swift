import RunModel
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Shares of loads")
struct LoadShareTests {
    private func shares(_ count: Int) throws -> [LoadShare] {
        try (1...count).map { index in
            let shard: Shard = try #require(Shard(index: index, count: count))
            return LoadShare(shard)
        }
    }

    @Test("Without a shard, a share is the whole load")
    func whole() {
        let share = LoadShare(nil)
        #expect((0..<5).map(share.number) == [0, 1, 2, 3, 4])
        #expect(share.count(of: 7) == 7)
    }

    @Test("Each user belongs to one shard, and shards differ by one user at most", arguments: [1, 2, 3, 7, 20])
    func users(_ count: Int) throws {
        for total in [0, 1, 2, 6, 7, 50, 101] {
            let shares = try shares(count)
            let numbers = shares.flatMap { share in (0..<share.count(of: total)).map(share.number) }
            #expect(numbers.sorted() == Array(0..<total))
            let counts = shares.map { $0.count(of: total) }
            #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
        }
    }

    @Test("The starts of all shards together are those of the schedule, also with stages", arguments: [2, 3, 10])
    func starts(_ count: Int) throws {
        let second: Int64 = 1_000_000_000
        let schedule = LoadSchedule(
            level: 40,
            stages: [
                LoadProfile.Stage(duration: 2 * second, target: 40), LoadProfile.Stage(duration: second),
                LoadProfile.Stage(duration: second, target: 5),
            ])
        var starts: [Int64] = []
        for share in try shares(count) {
            var position = 0
            while let start = schedule.start(of: share.number(position)) {
                starts.append(start)
                position += 1
            }
        }
        #expect(starts.sorted() == (0..<schedule.iterations).compactMap(schedule.start))
        #expect(starts.count == 103)
    }

    @Test("A load without an agreed time starts at once")
    func atOnce() {
        let start = LoadStart(at: nil, time: 500, date: 1_700_000_000.5)
        #expect([start.time, start.lateness] == [500, 0])
        #expect(start.date == 1_700_000_000.5)
    }

    @Test("An agreed time in the future is the start of the schedule on every machine")
    func future() {
        let first = LoadStart(at: 1_700_000_010, time: 500, date: 1_700_000_000)
        let second = LoadStart(at: 1_700_000_010, time: 7_000, date: 1_700_000_009.5)
        #expect(first.time == 10_000_000_500)
        #expect(second.time == 500_007_000)
        #expect([first.date, second.date] == [1_700_000_010, 1_700_000_010])
        #expect([first.lateness, second.lateness] == [0, 0])
    }

    @Test("A load that is late starts at once, and knows by how much")
    func past() {
        let start = LoadStart(at: 1_700_000_010, time: 500, date: 1_700_000_012.5)
        #expect([start.time, start.lateness] == [500, 2_500_000_000])
        #expect(start.date == 1_700_000_012.5)
        #expect(LoadStart(at: 1e300, time: 0, date: 0).time > 0)
    }
}
