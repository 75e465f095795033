import RunModel
import Testing

@testable import Reports

struct RunningTestsTests {
    private func test(_ suite: Int, _ position: Int) -> TestReference {
        Fixture(index: suite).test("t\(position)", position)
    }

    /// Suites, positions of tests that start and end (negative), and the remaining tests.
    private static let cases: [([Int], [Int], [Int])] = [
        ([], [], []), ([0, 1, 2], [], [0, 1, 2]), ([0, 1, 2], [1], [0, 2]), ([0, 1, 2], [0, 1, 2], []),
        ([2, 0, 1], [2], [0, 1]), ([5, 5], [], [5]), ([7, 100_000, 3, 6], [7], [3, 6, 100_000]),
        ([0, 100_000, 1], [100_000], [0, 1]), ([0, .max, 1], [0], [1, .max]), ([-4, .min], [-4], [.min]),
        (Array(0..<5_000), Array(0..<4_990), Array(4_990..<5_000)),
        (Array((0..<5_000).reversed()), Array(10..<5_000), Array(0..<10)),
        ([0], [3, 0, 0], []),
    ]

    @Test(arguments: cases)
    func whatIsLeft(_ started: [Int], _ ended: [Int], _ expected: [Int]) {
        var running = RunningTests()
        for position in started { running.start(test(0, position)) }
        for position in ended { running.finish(test(0, position)) }
        #expect(running.takeAll().map(\.position) == expected)
        #expect(running.takeAll().isEmpty)
    }

    @Test func aLongRunOfWhichSomeEndLate() {
        var running = RunningTests()
        for position in 0..<20_000 {
            running.start(test(position % 3, position / 3))
            // Every eighth test of a suite never ends. The others end 64 tests later.
            let ended = position - 64
            if ended >= 0, ended / 3 % 8 != 0 { running.finish(test(ended % 3, ended / 3)) }
        }
        for ended in 19_936..<20_000 where ended / 3 % 8 != 0 { running.finish(test(ended % 3, ended / 3)) }
        let left = running.takeAll()
        let expected = (0..<3).flatMap { suite in
            (0..<20_000).filter { $0 % 3 == suite && $0 / 3 % 8 == 0 }.map { [suite, $0 / 3] }
        }
        #expect(left.map { [$0.suite, $0.position] } == expected)
    }
}
