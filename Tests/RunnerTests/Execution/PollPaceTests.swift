import Diagnostics
import SuiteModel
import Testing

@testable import Runner

@Testing.Suite("The pace of polls")
struct PollPaceTests {
    private static func rule(
        every: Int64, backoff: RetryRule.Backoff = .constant, maximum: Int64 = 1_000
    ) -> UntilRule.Pace {
        UntilRule.Pace(every: every, within: 100, backoff: backoff, maximumDelay: maximum)
    }

    /// Returns the times of the polls if every response takes `answer`, up to the end at 100.
    private static func polls(_ rule: UntilRule.Pace, answer: Int64) -> [Int64] {
        let pace = PollPace(rule, end: 100)
        var now: Int64 = 0
        var times: [Int64] = []
        while times.count < 200 {
            times.append(now)
            now += answer
            guard let wait = pace.wait(after: times.count, at: now) else { break }
            now += wait
        }
        return times
    }

    @Test(
        "Polls happen at the expected times",
        arguments: [
            (rule(every: 30), 0, [0, 30, 60, 90]), (rule(every: 25), 0, [0, 25, 50, 75]), (rule(every: 100), 0, [0]),
            (rule(every: 500), 0, [0]), (rule(every: 30), 20, [0, 50]), (rule(every: 30), 300, [0]),
            (rule(every: 5, backoff: .exponential), 0, [0, 5, 15, 35, 75, 95]),
            (rule(every: 5, backoff: .exponential, maximum: 20), 0, [0, 5, 15, 35, 55, 75, 95]),
            (rule(every: 40, backoff: .exponential), 0, [0, 40, 60]),
            (rule(every: 60, backoff: .exponential), 0, [0, 60]),
        ] as [(UntilRule.Pace, Int64, [Int64])])
    func times(_ rule: UntilRule.Pace, _ answer: Int64, _ expected: [Int64]) {
        #expect(Self.polls(rule, answer: answer) == expected)
    }
}
