import Basics
import RunModel
import TestSupport
import Testing

@testable import Reports
@testable import RunRecord

struct ProgressLineTests {
    /// A reporter on a terminal that displays both streams, with the resulting output.
    private struct Setup {
        let clock = TestClock()
        let sink = TextSink()
        let reporter: ConsoleReporter

        init(_ style: ProgressStyle = .live, width: @escaping @Sendable () -> Int? = { 80 }, shares: Bool = true) {
            let results = shares ? sink : TextSink()
            reporter = ConsoleReporter(
                options: ConsoleOptions(width: 80, progress: style, sharesTerminal: shares), output: results.write,
                progress: sink.write, terminalWidth: width, clock: clock.now)
        }

        func start(_ count: Int) {
            let fixture = Fixture()
            reporter.receive(
                .runStarted(
                    RunInfo(
                        suites: [fixture.suite], testCount: count, seed: 0, jobs: 1, version: "", startTime: 0)))
            reporter.receive(.suiteStarted(fixture.suite))
        }
    }

    /// Returns events as the runner sends them: each result when its test completes, and again in file order.
    private func events(_ results: [TestResult]) -> [RunEvent] {
        Fixture().events(results).flatMap { event -> [RunEvent] in
            if case .testFinished(let result) = event { [.testCompleted(result), event] } else { [event] }
        }
    }

    @Test func isDrawnAtMostTenTimesASecondAndStaysBelowWhatIsWritten() {
        let setup = Setup()
        let fixture = Fixture()
        var results = (0..<3).map { fixture.result("t\($0)", .passed, position: $0) }
        results.append(fixture.result("bad", .failed, position: 3, findings: [fixture.statusFinding]))
        for event in events(results) {
            setup.reporter.receive(event)
            if case .testFinished = event { setup.clock.advance(milliseconds: 60) }
        }
        let writes = setup.sink.writes
        #expect(
            writes.prefix(2) == [
                "\r0 of 4 tests, 0 s, running: t0\u{1B}[K", "\r2 of 4 tests, 0 s, running: t2\u{1B}[K",
            ])
        #expect(writes[2].hasPrefix("\r\u{1B}[K✗ Bookshop › bad"))
        #expect(writes[2].hasSuffix("\n\n\r3 of 4 tests, 1 failed, 0 s\u{1B}[K") || writes[2].contains("1 failed"))
        #expect(writes.last?.hasSuffix("seed 42\n") == true)
    }

    @Test func leavesNothingBehind() {
        let plain = Setup(.none)
        let live = Setup()
        let fixture = Fixture()
        let results = (0..<200).map { index in
            index % 7 == 0
                ? fixture.result("t\(index)", .failed, position: index, findings: [fixture.authorFinding])
                : fixture.result("t\(index)", .passed, position: index)
        }
        var screen = TerminalModel(width: 80)
        for event in events(results) {
            plain.reporter.receive(event)
            live.reporter.receive(event)
            live.clock.advance(milliseconds: 17)
        }
        for write in live.sink.writes {
            screen.receive(write)
            // After each write, the terminal shows complete lines and at most one live line.
            #expect(screen.row.isEmpty || screen.row.contains(" of 200 tests"), "\(screen.row)")
        }
        #expect(live.sink.writes.count > 50)
        #expect(screen.text == plain.sink.text)
    }

    @Test func isNotTouchedByResultsThatGoElsewhere() {
        let setup = Setup(shares: false)
        let fixture = Fixture()
        for event in events([fixture.result("bad", .failed, findings: [fixture.statusFinding])]) {
            setup.reporter.receive(event)
        }
        #expect(setup.sink.writes == ["\r0 of 1 test, 0 s, running: bad\u{1B}[K"])
        try? setup.reporter.finish()
        #expect(setup.sink.writes.last == "\r\u{1B}[K")
        var screen = TerminalModel(width: 80)
        screen.receive(setup.sink.text)
        #expect(screen.text == "")
    }

    @Test func countsTestsAsTheyEndAndNamesTheLastOne() {
        let setup = Setup()
        let fixture = Fixture()
        setup.start(3)
        let results = (0..<3).map { fixture.result("t\($0)", $0 == 1 ? .failed : .passed, position: $0) }
        for result in results { setup.reporter.receive(.testStarted(result.test)) }
        for result in results.dropFirst() {
            setup.clock.advance(milliseconds: 1_000)
            setup.reporter.receive(.testCompleted(result))
        }
        #expect(
            setup.sink.writes == [
                "\r0 of 3 tests, 0 s, running: t0\u{1B}[K",
                "\r\u{1B}[K✗ Bookshop › t1" + String(repeating: " ", count: 60)
                    + "41 ms\n\n\r1 of 3 tests, 1 failed, 2 running, 1 s\u{1B}[K",
                "\r2 of 3 tests, 1 failed, 2 s, running: t0\u{1B}[K",
            ])
    }

    @Test func goesOnWhileNothingHappens() {
        let clock = TestClock()
        let sink = TextSink()
        var page = ConsolePage(
            options: ConsoleOptions(width: 80, progress: .live), output: { _ in }, progress: sink.write,
            terminalWidth: { nil }, clock: clock.now)
        let fixture = Fixture()
        page.tick()
        #expect(sink.writes == [])
        let events = events([fixture.result("a", .passed), fixture.result("b", .passed)])
        for event in events.prefix(3) { page.receive(event, sizes: BodySizes()) }
        clock.advance(milliseconds: 2_000)
        page.tick()
        clock.advance(milliseconds: 250)
        // Nothing has changed, so nothing is written.
        page.tick()
        #expect(
            sink.writes == ["\r0 of 2 tests, 0 s, running: a\u{1B}[K", "\r0 of 2 tests, 2 s, running: a\u{1B}[K"])
        for event in events.dropFirst(3) { page.receive(event, sizes: BodySizes()) }
        let count = sink.writes.count
        clock.advance(milliseconds: 2_000)
        page.tick()
        #expect(sink.writes.count == count)
    }

    @Test func followsTheTerminalsWidth() {
        let columns = TestClock()
        columns.advance(milliseconds: 60)
        let setup = Setup(width: { Int(columns.now() / 1_000_000) })
        setup.start(.max)
        let test = Fixture().test("渡辺渡辺渡辺渡辺渡辺渡辺渡辺渡辺")
        var screen = TerminalModel(width: 60)
        var shown: [String] = []
        for width in [60, 41, 20, 8, 2, 100] {
            columns.advance(milliseconds: Int64(width) - columns.now() / 1_000_000)
            setup.clock.advance(milliseconds: 1_000)
            let before = setup.sink.writes.count
            setup.reporter.receive(.testStarted(test))
            screen.resize(to: width)
            for write in setup.sink.writes.dropFirst(before) { screen.receive(write) }
            #expect(screen.text == "", "\(width)")
            shown.append(screen.row)
        }
        #expect(
            shown == [
                "0 of 9223372036854775807 tests, 1 s, running: 渡辺渡辺渡辺…",
                "0 of 9223372036854775807 tests, 2 s, ru…", "0 of 9223372036854…", "0 of 9…", "…",
                "0 of 9223372036854775807 tests, 6 s, running: 渡辺渡辺渡辺渡辺渡辺渡辺渡辺渡辺",
            ])
    }

    @Test func isWrittenAsPlainLinesWhenNothingElseIs() {
        let setup = Setup(.lines(every: 30_000_000_000))
        let fixture = Fixture()
        setup.start(4)
        let results = (0..<4).map { fixture.result("t\($0)", .passed, position: $0) }
        func finish(_ index: Int, after seconds: Int64) {
            setup.clock.advance(milliseconds: seconds * 1_000)
            setup.reporter.receive(.testStarted(results[index].test))
            setup.reporter.receive(.testCompleted(results[index]))
            setup.reporter.receive(.testFinished(results[index]))
        }
        finish(0, after: 29)
        #expect(setup.sink.writes == [])
        finish(1, after: 1)
        #expect(setup.sink.writes == ["… 1 of 4 tests, 30 s, running: t1\n"])
        finish(2, after: 29)
        setup.reporter.receive(.notice(RunNotice(.changedSnapshots, severity: .note, message: "said")))
        finish(3, after: 20)
        #expect(setup.sink.writes == ["… 1 of 4 tests, 30 s, running: t1\n", "note: said [changed-snapshots]\n"])
        #expect(!setup.sink.text.contains("\u{1B}") && !setup.sink.text.contains("\r"))
    }

    @Test func isAbsentWithoutATerminal() {
        let sink = TextSink()
        let reporter = ConsoleReporter(options: ConsoleOptions(), output: { _ in }, progress: sink.write)
        for event in events([Fixture().result("a", .passed)]) { reporter.receive(event) }
        #expect(sink.text == "")
    }
}
