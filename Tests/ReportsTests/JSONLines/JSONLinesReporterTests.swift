import Basics
import JSON
import RunModel
import TestSupport
import Testing

@testable import Output
@testable import Reports
@testable import RunRecord

struct JSONLinesReporterTests {
    @Test func theRichRun() throws {
        try GoldenFile.expect(try RecordSample.record(), named: "events.jsonl")
    }

    @Test func everyLineIsAnObjectWithItsEvent() throws {
        let lines = RecordSample.lines(try RecordSample.record())
        var kinds: [String: Int] = [:]
        for line in lines {
            guard case .object(let object) = try JSONValue(parsing: Array(line)),
                case .string(let kind)? = object["event"]
            else {
                Issue.record("\(String(decoding: line.prefix(80), as: UTF8.self))")
                continue
            }
            kinds[kind, default: 0] += 1
        }
        #expect(
            kinds == [
                "run": 1, "suiteStart": 2, "testStart": 11, "test": 13, "notice": 3, "suiteEnd": 2, "runEnd": 1,
            ])
        #expect(lines.first?.starts(with: #"{"event":"run","schema":1,"#.utf8) == true)
    }

    @Test func exchangesOfPassedStepsOnlyWhenAskedFor() throws {
        let brief = String(decoding: try RecordSample.record(), as: UTF8.self)
        let whole = String(decoding: try RecordSample.record(keepsExchanges: true), as: UTF8.self)
        #expect(!brief.contains("/login\",\"headers"))
        #expect(whole.contains("/login\",\"headers"))
        #expect(!whole.contains(RichRun.secret))
    }

    @Test func eachResultIsInTheFileAtOnce() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/deep/er/report.jsonl"
        let reporter = try JSONLinesReporter(path: path)
        var count = 0
        for event in RichRun.killed {
            reporter.receive(event)
            switch event {
            case .testFinished, .secretRegistered, .load: break
            default: count += 1
            }
            // The start of a test is written together with the next event.
            if case .testStarted = event { continue }
            let bytes = count == 0 ? [] : try TemporaryDirectory.read(path)
            #expect(bytes.count { $0 == 0x0A } == count)
            #expect(bytes.isEmpty || bytes.last == 0x0A)
        }
        #expect(count > 10)
    }

    @Test(arguments: [false, true])
    func whatHasStartedIsInTheFileSoonAndAtTheEnd(isFinished: Bool) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.jsonl"
        let reporter = try JSONLinesReporter(path: path)
        reporter.receive(try #require(RichRun.killed.first))
        reporter.receive(try #require(RichRun.killed.first { if case .testStarted = $0 { true } else { false } }))
        if isFinished { try reporter.finish() }
        // Only time is required, up to a limit.
        for _ in 0..<200 where !isFinished {
            if try lineCount(path) == 2 { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        #expect(try lineCount(path) == 2)
        if !isFinished { try reporter.finish() }
    }

    @Test func testsThatPassedWaitForTheCommit() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.jsonl"
        let reporter = try JSONLinesReporter(path: path)
        let fixture = Fixture()
        func complete(_ name: String, _ outcome: TestResult.Outcome, _ position: Int) {
            reporter.testCompleted(
                fixture.result(name, outcome, position: position), sizes: BodySizes(), hidesExchanges: false)
        }
        // Without an announcement of commits, nothing is buffered.
        complete("a", .passed, 0)
        #expect(try lineCount(path) == 1)
        reporter.expectCommits()
        complete("b", .passed, 1)
        complete("c", .passed, 2)
        #expect(try lineCount(path) == 1)
        reporter.commit()
        #expect(try lineCount(path) == 3)
        reporter.commit()
        #expect(try lineCount(path) == 3)
        // The start of a test is written with the following event and does not trigger a write by itself.
        complete("d", .passed, 3)
        reporter.testStarted(fixture.test("e", 4))
        #expect(try lineCount(path) == 3)
        reporter.commit()
        #expect(try lineCount(path) == 5)
        reporter.testStarted(fixture.test("e2", 4))
        reporter.commit()
        #expect(try lineCount(path) == 5)
        for (position, outcome) in [
            TestResult.Outcome.flaky, .failed, .errored, .known(reason: ""), .skipped(reason: "x"),
        ]
        .enumerated() {
            complete("f", .passed, 5 + 2 * position)
            complete("g", outcome, 6 + 2 * position)
            #expect(try lineCount(path) == 8 + 2 * position)
        }
        complete("h", .passed, 20)
        reporter.receive(.interrupted(nil))
        #expect(try lineCount(path) == 18)
        complete("i", .passed, 21)
        try reporter.finish()
        #expect(try lineCount(path) == 19)
    }

    @Test("After a commit, the file contains everything written before by any thread")
    func commitsOfSeveralThreads() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.jsonl"
        let reporter = try JSONLinesReporter(path: path)
        reporter.expectCommits()
        let fixture = Fixture()
        let (tasks, tests) = (4, 150)
        let missing = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var missing = 0
                    for test in 0..<tests {
                        let name = "test \(task)-\(test)."
                        reporter.testStarted(fixture.test(name, task * tests + test))
                        reporter.testCompleted(
                            fixture.result(name, .passed, position: task * tests + test), sizes: BodySizes(),
                            hidesExchanges: false)
                        if test % 3 == task % 3 { await Task.yield() }
                        reporter.commit()
                        if test % 10 > 0 { continue }
                        let ended = RecordSample.lines(try TemporaryDirectory.read(path))
                            .filter { $0.starts(with: #"{"event":"test","#.utf8) }
                        missing += ended.contains { String(decoding: $0, as: UTF8.self).contains(name) } ? 0 : 1
                    }
                    return missing
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(missing == 0)
        try reporter.finish()
        let lines = RecordSample.lines(try TemporaryDirectory.read(path)).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines.count == 2 * tasks * tests)
        #expect(Set(lines).count == lines.count)
    }

    @Test func linesOfEventsAndOfWhatTheyCarryAreTheSame() throws {
        let directory = try TemporaryDirectory()
        var records: [[UInt8]] = []
        for isEvent in [true, false] {
            let path = directory.path + "/\(isEvent).jsonl"
            let reporter = try JSONLinesReporter(path: path, keepsExchanges: true, clock: { 7 })
            for event in RichRun.killed {
                switch event {
                case .testStarted(let test) where !isEvent: reporter.testStarted(test)
                case .testCompleted(let result) where !isEvent:
                    reporter.testCompleted(result, sizes: BodySizes(), hidesExchanges: false)
                default: reporter.receive(event)
                }
            }
            try reporter.finish()
            records.append(try TemporaryDirectory.read(path))
        }
        #expect(records[0] == records[1] && records[0].count > 1_000)
    }

    private func lineCount(_ path: String) throws -> Int {
        try TemporaryDirectory.read(path).count { $0 == 0x0A }
    }

    @Test func aPreviousRecordIsGoneWhenTheRunBegins() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/report.jsonl"
        try TemporaryDirectory.write(Array("old\n".utf8), to: path)
        let reporter = try JSONLinesReporter(path: path)
        #expect(try TemporaryDirectory.read(path) == Array("old\n".utf8))
        reporter.receive(.interrupted(nil))
        #expect(
            String(decoding: try TemporaryDirectory.read(path), as: UTF8.self).hasPrefix(#"{"event":"interruption""#))
    }

    @Test func aPathThatCannotBeWritten() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: ReportError.self) { try JSONLinesReporter(path: directory.path) }
        #expect(throws: ReportError.self) { try JSONLinesReporter(path: "/proc/none/x.jsonl") }
        let full = try JSONLinesReporter(path: "/dev/full")
        full.receive(.interrupted(nil))
        full.receive(.interrupted(nil))
        #expect(throws: ReportError.self) { try full.finish() }
    }

    @Test func largeTextsAndBodiesAreCut() throws {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.response?.body = Array(String(repeating: "é", count: 1_000_000).utf8.dropFirst(1))
        exchange.request.body = Array(("x" + String(repeating: "é", count: 1_000_000)).utf8)
        let finding = Finding(
            subject: "body", type: .init("equals"), message: MessageText(String(repeating: "é", count: 100_000)),
            expected: .string(String(repeating: "v", count: 1_000_000)), actual: "short",
            details: [MessageText(String(repeating: "d", count: 100_000))])
        let record = try RecordSample.record(
            fixture.events([fixture.result("a", .failed, findings: [finding], exchange: exchange)]).flatMap { event in
                guard case .testFinished(let result) = event else { return [event] }
                return [.testCompleted(result), event]
            })
        #expect(record.count < 1_200_000)
        let line = try #require(RecordSample.lines(record).first { $0.starts(with: #"{"event":"test","#.utf8) })
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.contains(#""body":{"size":2000001,"text":"x"#))
        #expect(text.contains(#""body":{"size":1999999,"base64":""#))
        #expect(text.contains(#""isCut":true"#))
        // A truncated body is read back with its true size, and is not truncated further.
        #expect(try RecordSample.replayed(record) { try JSONLinesReporter(path: $0) }.count == record.count)
    }
}
