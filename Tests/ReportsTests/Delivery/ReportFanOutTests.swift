import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports

struct ReportFanOutTests {
    @Test func everyReporterGetsEachEventInOrder() {
        let first = EventRecorder()
        let second = EventRecorder()
        let fixture = Fixture()
        let fanOut = ReportFanOut([first, second])
        for event in fixture.events([fixture.result("a", .passed)]) { fanOut.send(event) }
        #expect(first.events.count == 6)
        #expect(first.dump == second.dump)
    }

    @Test func whatIsHeldBackIsCommittedUnlessPeopleAreShownItBefore() {
        for (needs, expected) in [([], false), (.commits, true), ([.commits, .recordAtOnce], false)]
            as [(ReporterNeeds, Bool)]
        {
            let reporter = EventRecorder(needs: needs)
            let fanOut = ReportFanOut([reporter, EventRecorder()])
            #expect(fanOut.expectCommits() == expected)
            fanOut.commit()
            #expect(reporter.expectsCommits == expected)
            #expect(reporter.commits == (needs.contains(.commits) ? 1 : 0))
        }
        #expect(!ReportFanOut([EventRecorder(needs: .commits), EventRecorder(needs: .recordAtOnce)]).expectCommits())
        func console(_ verbosity: Int) -> ConsoleReporter {
            ConsoleReporter(options: ConsoleOptions(verbosity: verbosity), output: { _ in }, progress: { _ in })
        }
        #expect(ReportFanOut([EventRecorder(needs: .commits), console(0)]).expectCommits())
        #expect(!ReportFanOut([EventRecorder(needs: .commits), console(1)]).expectCommits())
    }

    /// A result that is masked before it is posted is not masked again, unless more secrets have been registered.
    @Test func preparedResultsAreMaskedOnce() throws {
        let recorder = EventRecorder()
        let fanOut = ReportFanOut([recorder])
        fanOut.send(.secretRegistered("hunter22"))
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.request.body = Array("a hunter22 and a hunter33".utf8)
        var result = fixture.result("a", .failed, exchange: exchange)
        fanOut.prepare(&result)
        #expect(result.maskedSecrets != nil)
        func body() -> String? {
            recorder.events.last.flatMap { event in
                guard case .testFinished(let result) = event else { return nil }
                return result.steps.first?.exchange.map { String(decoding: $0.request.body, as: UTF8.self) }
            }
        }
        fanOut.post(.testFinished(result))
        #expect(body() == "a *** and a hunter33")
        fanOut.send(.secretRegistered("hunter33"))
        fanOut.post(.testFinished(result))
        #expect(body() == "a *** and a ***")
    }

    private static let kinds: [(TestEvents, [String])] = [
        (.started, ["run", "suite", "started", "suite end", "run end"]),
        (.completed, ["run", "suite", "completed", "suite end", "run end"]),
        (.finished, ["run", "suite", "finished", "suite end", "run end"]),
        ([], ["run", "suite", "suite end", "run end"]),
    ]

    @Test(arguments: kinds)
    func aReporterGetsTheEventsOfTestsThatItReads(_ kinds: TestEvents, _ expected: [String]) {
        let reader = EventRecorder(testEvents: kinds)
        let other = EventRecorder()
        let fixture = Fixture()
        let result = fixture.result("a", .passed)
        let fanOut = ReportFanOut([reader, other])
        for event in fixture.events([result]) {
            if case .testFinished = event { fanOut.send(.testCompleted(result)) }
            fanOut.send(event)
        }
        #expect(reader.events.map(Self.word) == expected)
        #expect(
            other.events.map(Self.word) == ["run", "suite", "started", "completed", "finished", "suite end", "run end"])
    }

    private static func word(_ event: RunEvent) -> String {
        switch event {
        case .runStarted: "run"
        case .suiteStarted: "suite"
        case .testStarted: "started"
        case .testCompleted: "completed"
        case .testFinished: "finished"
        case .suiteFinished: "suite end"
        case .runFinished: "run end"
        case .secretRegistered, .load, .notice, .interrupted: "other"
        }
    }

    private static let needs: [(ReporterNeeds, Bool, Bool)] = [
        ([], false, false), (.exchanges, false, true), ([.exchanges, .exchangesAtOnce], true, true),
    ]

    @Test(arguments: needs)
    func exchangesOfStepsThatPassedGoToWhoNeedsThem(_ needs: ReporterNeeds, _ atOnce: Bool, _ inOrder: Bool) {
        let reader = EventRecorder(needs: needs)
        let other = EventRecorder()
        var exchange = Fixture.created
        exchange.request.headers = [HeaderField(name: "Authorization", value: "Bearer abc")]
        let result = Fixture().result("a", .passed, exchange: exchange)
        let fanOut = ReportFanOut([reader, other], showsExchanges: false)
        fanOut.send(.testCompleted(result))
        fanOut.send(.testFinished(result))
        let seen = reader.events.map { Self.exchange($0) }
        #expect(seen.map { $0 != nil } == [atOnce, inOrder])
        #expect(seen.compactMap { $0?.request.headers.first?.value }.allSatisfy { $0 == "Bearer ***" })
        #expect(other.events.map { Self.exchange($0) != nil } == [false, false])
    }

    private static func exchange(_ event: RunEvent) -> Exchange? {
        switch event {
        case .testCompleted(let result), .testFinished(let result): result.steps.first?.exchange
        default: nil
        }
    }

    @Test func secretsAreNotHandedOn() {
        let recorder = EventRecorder()
        let fanOut = ReportFanOut([recorder])
        fanOut.send(.secretRegistered("hunter2"))
        #expect(recorder.events.isEmpty)
    }

    @Test func aReporterThatFailsKeepsNoOtherFromFinishing() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.xml"
        let fanOut = ReportFanOut([
            EventRecorder(failure: ReportError(path: "x", message: "no")), try JUnitReporter(path: path),
            EventRecorder(failure: ReportError(message: "neither")),
        ])
        #expect(fanOut.finish().map(\.message) == ["no", "neither"])
        #expect(TemporaryDirectory.names(in: directory.path) == ["report.xml"])
    }
}
