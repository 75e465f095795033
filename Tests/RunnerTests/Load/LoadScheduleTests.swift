import Basics
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("Schedules of loads")
struct LoadScheduleTests {
    private let second: Int64 = 1_000_000_000

    @Test("A constant rate starts iterations at equal intervals")
    func constantRate() {
        let schedule = LoadSchedule(level: 200, stages: [LoadProfile.Stage(duration: 3 * second)])
        #expect(schedule.iterations == 600)
        #expect(schedule.duration == 3 * second)
        for iteration in [0, 1, 2, 299, 599] {
            let start = schedule.start(of: iteration) ?? -1
            #expect(abs(start - Int64(iteration) * 5_000_000) <= 1, "iteration \(iteration) starts at \(start)")
        }
        #expect(schedule.start(of: 600) == nil)
    }

    @Test("A ramp starts as many iterations as the area below the rate")
    func ramp() throws {
        let stages = [
            LoadProfile.Stage(duration: 10 * second, target: 100), LoadProfile.Stage(duration: 5 * second),
            LoadProfile.Stage(duration: 10 * second, target: 0),
        ]
        let schedule = LoadSchedule(level: 100, stages: stages)
        #expect(schedule.iterations == 500 + 500 + 500)
        // After t seconds of the ramp, 5 t² iterations have started.
        #expect(schedule.start(of: 0) == 0)
        #expect(abs(try #require(schedule.start(of: 125)) - 5 * second) <= 10)
        #expect(abs(try #require(schedule.start(of: 500)) - 10 * second) <= 10)
        #expect(abs(try #require(schedule.start(of: 750)) - Int64(12.5 * 1e9)) <= 10)
        #expect(schedule.level(at: 5 * second) == 50)
        #expect(schedule.level(at: 12 * second) == 100)
        #expect(schedule.level(at: 20 * second) == 50)
        #expect(schedule.level(at: 25 * second) == 0)
        #expect(schedule.maximum == 100)
    }

    @Test("The times never decrease and end with the schedule", arguments: 0..<20)
    func timesAreOrdered(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let stages = (0..<4).map { _ in
            LoadProfile.Stage(
                duration: Int64.random(in: 1...(2 * second), using: &random),
                target: Bool.random(using: &random) ? nil : Double(Int.random(in: 0...500, using: &random)))
        }
        let schedule = LoadSchedule(level: 50, stages: stages)
        var last: Int64 = 0
        for iteration in 0..<schedule.iterations {
            guard let start = schedule.start(of: iteration) else {
                Issue.record("iteration \(iteration) of \(schedule.iterations) has no time")
                return
            }
            #expect(start >= last && start <= schedule.duration)
            last = start
        }
    }

    @Test("Users run while the level exceeds their index")
    func users() throws {
        let stages = [
            LoadProfile.Stage(duration: 10 * second, target: 10), LoadProfile.Stage(duration: 5 * second),
            LoadProfile.Stage(duration: 10 * second, target: 0),
        ]
        let schedule = LoadSchedule(level: 10, stages: stages)
        #expect(try #require(schedule.activation(ofUser: 0, from: 0)) <= 1)
        let fifth = try #require(schedule.activation(ofUser: 4, from: 0))
        #expect(abs(fifth - 4 * second) <= 2)
        #expect(schedule.activation(ofUser: 4, from: 12 * second) == 12 * second)
        // The level falls below 5 after 20 seconds, and does not rise again.
        #expect(schedule.activation(ofUser: 4, from: 22 * second) == nil)
        #expect(schedule.activation(ofUser: 10, from: 0) == nil)
    }
}
