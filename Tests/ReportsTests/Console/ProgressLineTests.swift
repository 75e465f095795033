import SuiteModel
import Testing

@testable import Reports

struct ProgressLineTests {
    @Test func isDrawnAtMostTenTimesASecondAndTakenAway() {
        let clock = TestClock()
        // One sink for both streams, as on a terminal.
        let sink = TextSink()
        let reporter = ConsoleReporter(
            options: ConsoleOptions(width: 80, showsProgress: true), output: sink.write, progress: sink.write,
            clock: clock.now)
        let fixture = Fixture()
        var results = (0..<3).map { fixture.result("t\($0)", .passed, position: $0) }
        results.append(fixture.result("bad", .failed, position: 3, findings: [fixture.statusFinding]))
        for event in fixture.events(results) {
            reporter.receive(event)
            if case .testFinished = event { clock.advance(milliseconds: 60) }
        }
        #expect(
            sink.writes.prefix(4) == [
                "\r0 of 4 tests, 1 started, 0 s\u{1B}[K", "\r2 of 4 tests, 3 started, 0 s\u{1B}[K", "\r\u{1B}[K",
                sink.writes[3],
            ])
        #expect(sink.writes[3].hasPrefix("✗ Bookshop › bad"))
        #expect(sink.writes[3].hasSuffix("\n"))
        #expect(sink.writes.last?.hasSuffix("seed 42\n") == true)
    }

    @Test func goesOnWhileNothingHappens() {
        let clock = TestClock()
        let sink = TextSink()
        var page = ConsolePage(
            options: ConsoleOptions(width: 80, showsProgress: true), output: { _ in }, progress: sink.write,
            clock: clock.now)
        let fixture = Fixture()
        page.tick()
        #expect(sink.writes == [])
        let events = fixture.events([fixture.result("a", .passed), fixture.result("b", .passed)])
        for event in events.prefix(3) { page.receive(event, sizes: BodySizes()) }
        clock.advance(milliseconds: 2_000)
        page.tick()
        #expect(sink.writes == ["\r0 of 2 tests, 1 started, 0 s\u{1B}[K", "\r0 of 2 tests, 1 started, 2 s\u{1B}[K"])
        for event in events.dropFirst(3) { page.receive(event, sizes: BodySizes()) }
        let count = sink.writes.count
        clock.advance(milliseconds: 2_000)
        page.tick()
        #expect(sink.writes.count == count)
    }

    @Test func neverWraps() {
        let sink = TextSink()
        let reporter = ConsoleReporter(
            options: ConsoleOptions(width: 40, showsProgress: true), output: { _ in }, progress: sink.write,
            clock: { 0 })
        let fixture = Fixture()
        reporter.receive(
            .runStarted(
                RunInfo(
                    suites: [fixture.suite], testCount: .max, seed: 0, jobs: 1, version: "", startTime: 0)))
        reporter.receive(.testStarted(fixture.test("a")))
        #expect(sink.text == "\r0 of 9223372036854775807 tests, 1 star…\u{1B}[K")
    }

    @Test func isAbsentWithoutATerminal() {
        let sink = TextSink()
        let reporter = ConsoleReporter(options: ConsoleOptions(), output: { _ in }, progress: sink.write)
        let fixture = Fixture()
        for event in fixture.events([fixture.result("a", .passed)]) { reporter.receive(event) }
        #expect(sink.text == "")
    }
}
