import HTTPSession
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Runner

struct CommitGateTests {
    /// The events, in order.
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        func note(_ entry: String) { entries.withLock { $0.append(entry) } }

        var all: [String] { entries.withLock { $0 } }
    }

    @Test func testsThatFinishInOneTickAreCommittedTogether() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let executor = EventLoopTaskExecutor(loop)
        let log = Log()
        let gate = RecordBarrier(loop) { log.note("commit") }
        // Workers that are created while the loop is busy all end in its next tick.
        let workers = try await loop.submit {
            (0..<3).map { number in
                Task(executorPreference: executor) {
                    for round in 0..<2 {
                        log.note("\(number) ends")
                        await gate.pass()
                        log.note("\(number) goes on after \(round)")
                    }
                }
            }
        }.get()
        for worker in workers { await worker.value }
        try await group.shutdownGracefully()
        let expected =
            (0..<3).map { "\($0) ends" } + ["commit"] + (0..<3).flatMap { ["\($0) goes on after 0", "\($0) ends"] }
            + ["commit"] + (0..<3).map { "\($0) goes on after 1" }
        #expect(log.all == expected)
    }
}
