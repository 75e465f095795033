import Basics
import RunModel
import Synchronization
import Testing

@testable import Output
@testable import Reports

struct BatchQueueTests {
    /// A reporter that receives results only while it is allowed to.
    private final class Slow: Reporter {
        private struct State {
            var names: [String] = []
            var isIn = false
            var overlaps = 0
        }

        private let state = Mutex(State())
        private let isHeld: Atomic<Bool>
        let needs: ReporterNeeds = []
        let testEvents: TestEvents = .finished
        let delivery = ReportDelivery.batched

        init(isHeld: Bool = false) { self.isHeld = Atomic(isHeld) }

        var names: [String] { state.withLock { $0.names } }
        var overlaps: Int { state.withLock { $0.overlaps } }
        /// Whether it is receiving results.
        var isIn: Bool { state.withLock { $0.isIn } }

        func letGo() { isHeld.store(false, ordering: .releasing) }

        func receive(_ event: RunEvent) {
            if case .notice(let notice) = event { state.withLock { $0.names.append(notice.message) } }
        }

        func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
            state.withLock { state in
                if state.isIn { state.overlaps += 1 }
                state.isIn = true
            }
            while isHeld.load(ordering: .acquiring) {}
            state.withLock { state in
                state.isIn = false
                state.names += tests.map(\.result.test.name)
            }
        }

        func finish() throws(ReportError) {}
    }

    private static func finished(_ name: String) -> RunEvent { .testFinished(Fixture().result(name, .failed)) }

    @Test func postingLeavesTheWorkToWhoAdvances() {
        let reporter = Slow()
        let other = EventRecorder()
        let fanOut = ReportFanOut([reporter, other])
        fanOut.post(Self.finished("a"))
        fanOut.post(.notice(RunNotice(.duplicateMembers, severity: .warning, message: "n")))
        fanOut.post(Self.finished("b"))
        #expect(reporter.names == [])
        // Reporters that are not batched have received the events already.
        #expect(other.events.count == 3)
        fanOut.advance()
        #expect(reporter.names == ["a", "n", "b"])
        fanOut.post(Self.finished("c"))
        #expect(fanOut.finish().isEmpty)
        #expect(reporter.names == ["a", "n", "b", "c"])
    }

    @Test func muchIsNotPutOff() {
        let reporter = Slow()
        let fanOut = ReportFanOut([reporter])
        for number in 0..<10_000 { fanOut.post(Self.finished("\(number)")) }
        #expect(reporter.names.count > 9_800)
        #expect(fanOut.finish().isEmpty)
        #expect(reporter.names == (0..<10_000).map { "\($0)" })

        var exchange = Fixture.created
        exchange.response?.body = [UInt8](repeating: 0x61, count: 1 << 20)
        let large = Slow()
        let bodies = ReportFanOut([large], showsExchanges: true)
        bodies.post(.testFinished(Fixture().result("large", .passed, exchange: exchange)))
        #expect(large.names == ["large"])
    }

    @Test func nobodyWaitsForWhoHandsOn() async throws {
        let reporter = Slow(isHeld: true)
        let fanOut = ReportFanOut([reporter])
        async let first: Void = {
            fanOut.post(Self.finished("a"))
            fanOut.advance()
        }()
        while !reporter.isIn { await Task.yield() }
        // These calls return although the reporter is still processing the first event.
        fanOut.post(Self.finished("b"))
        fanOut.advance()
        fanOut.post(Self.finished("c"))
        fanOut.advance()
        #expect(reporter.names == [])
        reporter.letGo()
        await first
        #expect(reporter.names == ["a", "b", "c"])
    }

    @Test func severalThreadsHandOnEverythingOnceAndOneAtATime() async {
        let reporter = Slow()
        let fanOut = ReportFanOut([reporter])
        let (tasks, tests) = (4, 2_000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    for test in 0..<tests {
                        fanOut.post(Self.finished("\(task)-\(test)"))
                        fanOut.advance()
                    }
                }
            }
        }
        #expect(fanOut.finish().isEmpty)
        #expect(reporter.overlaps == 0)
        #expect(reporter.names.count == tasks * tests)
        // The events of each thread are in order.
        for task in 0..<tasks {
            let own = reporter.names.filter { $0.hasPrefix("\(task)-") }
            #expect(own == (0..<tests).map { "\(task)-\($0)" })
        }
    }
}
