import Basics
import RunModel
import Synchronization
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct BatchedReporterTests {
    /// A batching reporter that records the events as words.
    private final class Waiting: Reporter {
        private let received = Mutex<[String]>([])
        let needs: ReporterNeeds
        let testEvents: TestEvents
        let delivery = ReportDelivery.batched

        init(needs: ReporterNeeds = [], testEvents: TestEvents = [.started, .finished]) {
            self.needs = needs
            self.testEvents = testEvents
        }

        var words: [String] { received.withLock { $0 } }

        func receive(_ event: RunEvent) {
            switch event {
            case .runStarted: note("run")
            case .runFinished: note("run end")
            case .notice: note("notice")
            default: note("other")
            }
        }

        func testStarted(_ test: TestReference) { note("start \(test.name)") }

        func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
            for test in tests {
                note("\(test.result.test.name)\(hidesExchanges && test.hasHidden ? " hidden" : "")")
            }
            note("\(tests.count) together")
        }

        func finish() throws(ReportError) { note("end") }

        private func note(_ word: String) { received.withLock { $0.append(word) } }
    }

    private let fixture = Fixture()

    private func notice() -> RunEvent { .notice(RunNotice(.duplicateMembers, severity: .warning, message: "m")) }

    @Test func resultsComeTogetherBeforeWhatFollowsThem() {
        let reporter = Waiting()
        let fanOut = ReportFanOut([reporter])
        for name in ["a", "b", "c"] { fanOut.send(.testFinished(fixture.result(name, .passed))) }
        #expect(reporter.words == [])
        fanOut.send(notice())
        fanOut.send(.testFinished(fixture.result("d", .passed)))
        #expect(reporter.words == ["a", "b", "c", "3 together", "notice"])
        #expect(fanOut.finish().isEmpty)
        #expect(reporter.words == ["a", "b", "c", "3 together", "notice", "d", "1 together", "end"])
    }

    @Test func whatDidNotPassIsNotWaitedWith() {
        let reporter = Waiting()
        let fanOut = ReportFanOut([reporter])
        fanOut.send(.testFinished(fixture.result("a", .passed)))
        fanOut.send(.testFinished(fixture.result("b", .failed)))
        #expect(reporter.words == ["a", "b", "2 together"])
    }

    @Test func onlySomeWait() {
        let reporter = Waiting()
        let fanOut = ReportFanOut([reporter])
        let count = 100
        for index in 0..<count { fanOut.send(.testFinished(fixture.result("t\(index)", .passed))) }
        let seen = reporter.words.count { $0.hasPrefix("t") }
        #expect(seen > count / 2 && seen < count)
        _ = fanOut.finish()
        #expect(reporter.words.filter { $0.hasPrefix("t") } == (0..<count).map { "t\($0)" })
    }

    @Test func largeBodiesDoNotWait() {
        let reporter = Waiting(needs: .exchanges)
        let fanOut = ReportFanOut([reporter], showsExchanges: false)
        var exchange = Fixture.created
        exchange.response?.body = [UInt8](repeating: 0x61, count: 1 << 20)
        fanOut.send(.testFinished(fixture.result("a", .passed, exchange: exchange)))
        #expect(reporter.words == ["a", "1 together"])
    }

    @Test func exchangesAreHiddenFromWhoDoesNotNeedThem() {
        let (one, other) = (Waiting(needs: .exchanges), Waiting())
        let fanOut = ReportFanOut([one, other], showsExchanges: false)
        fanOut.send(.testFinished(fixture.result("a", .passed, exchange: Fixture.created)))
        fanOut.send(.testFinished(fixture.result("b", .passed)))
        _ = fanOut.finish()
        #expect(one.words == ["a", "b", "2 together", "end"])
        #expect(other.words == ["a hidden", "b", "2 together", "end"])
    }

    @Test func testsThatDidNotFinishAreToldAtTheEnd() {
        let reporter = Waiting()
        let other = Waiting(testEvents: .finished)
        let fanOut = ReportFanOut([reporter, other])
        for (position, name) in ["a", "b", "c"].enumerated() {
            fanOut.send(.testStarted(fixture.test(name, position)))
        }
        fanOut.send(.testFinished(TestResult(test: fixture.test("b", 1), outcome: .passed)))
        _ = fanOut.finish()
        #expect(reporter.words == ["b", "1 together", "start a", "start c", "end"])
        #expect(other.words == ["b", "1 together", "end"])
    }

    @Test func aStreamDoesNotWait() throws {
        #expect(try TAPReporter(path: "/dev/null").delivery == .atOnce)
        let directory = try TemporaryDirectory()
        #expect(try TAPReporter(path: directory.path + "/a.tap").delivery == .batched)
    }
}
