import Testing

@testable import Runner

@Suite("The number of event loops")
struct EventLoopsTests {
    @Test(
        "Small runs use one event loop, and large runs only as many as processors can use",
        arguments: [
            (0, 16, 8, 1), (20, 16, 8, 1), (100_000, 16, 8, 1), (100_000, 64, 8, 2), (100_000, 256, 8, 4),
            (100_000, 64, 1, 1), (999, 256, 8, 1), (1000, 256, 8, 2), (100_000, 10_000, 2, 2), (100_000, 0, 2, 1),
        ])
    func count(_ tests: Int, _ jobs: Int, _ processors: Int, _ expected: Int) {
        #expect(EventLoops.count(tests: tests, jobs: jobs, processors: processors) == expected)
    }
}
