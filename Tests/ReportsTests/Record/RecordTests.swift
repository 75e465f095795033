import RunModel
import RunRecord
import TestSupport
import Testing

@testable import Reports

struct RecordTests {
    @Test(arguments: [false, true])
    func aRecordOfARecordIsTheSame(_ keepsExchanges: Bool) throws {
        let record = try RecordSample.record(keepsExchanges: keepsExchanges)
        let again = try RecordSample.replayed(record) {
            try JSONLinesReporter(path: $0, keepsExchanges: keepsExchanges)
        }
        for (line, other) in zip(RecordSample.lines(record), RecordSample.lines(again)) where line != other {
            Issue.record("\(String(decoding: line, as: UTF8.self))\n\(String(decoding: other, as: UTF8.self))")
        }
        #expect(again.count == record.count)
    }

    @Test(arguments: ReportRequest.Format.allCases)
    func everyReportIsTheOneOfTheRun(_ format: ReportRequest.Format) throws {
        // Records are compared by the test above. A directory and the files of a job are not a single file.
        if format == .json || format == .allure || format == .github { return }
        let make = { (path: String) in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        let inTheRun = try RichRun.report(RichRun.events, make)
        let record = try RecordSample.record(keepsExchanges: true)
        let made = try RecordSample.replayed(record, make)
        let left = RecordSample.lines(inTheRun)
        let right = RecordSample.lines(made)
        let different = zip(left, right).first { $0 != $1 }.map { String(decoding: $0 + [0x0A] + $1, as: UTF8.self) }
        #expect(made == inTheRun, "\(different ?? "")")
    }

    @Test func theConsoleIsThatOfTheRun() throws {
        for verbosity in -1...2 {
            var texts: [String] = []
            for isReplayed in [false, true] {
                let sink = TextSink()
                let console = ConsoleReporter(
                    options: ConsoleOptions(verbosity: verbosity), output: sink.write, progress: sink.write)
                if isReplayed {
                    let directory = try TemporaryDirectory()
                    try TemporaryDirectory.write(
                        try RecordSample.record(keepsExchanges: true), to: directory.path + "/in.jsonl")
                    _ = try RecordPlayer([console], showsExchanges: true).play(
                        RecordInput(path: directory.path + "/in.jsonl"))
                } else {
                    let fanOut = ReportFanOut([console])
                    for event in RichRun.events { fanOut.send(event) }
                }
                texts.append(sink.text)
            }
            #expect(texts[0] == texts[1])
            #expect(texts[0].contains("seed 18446744073709551557"))
        }
    }

    @Test func aRunThatWasKilled() throws {
        var record = try RecordSample.record(RichRun.killed)
        let whole = RecordSample.lines(record).count
        for cut in [0, 1, 100] {
            record.removeLast(cut)
            let recorder = EventRecorder()
            let directory = try TemporaryDirectory()
            try TemporaryDirectory.write(record, to: directory.path + "/in.jsonl")
            let summary = try RecordPlayer([recorder]).play(RecordInput(path: directory.path + "/in.jsonl")).summary
            #expect(!summary.wasInterrupted)
            #expect(summary.missing?.message.hasSuffix(" tests did not run") == true)
            var finished: [String: Bool] = [:]
            var ends = 0
            for event in recorder.events {
                switch event {
                case .testFinished(let result):
                    if case .skipped(let reason) = result.outcome, reason.hasPrefix("not finished") {
                        finished[result.test.name] = false
                    } else {
                        finished[result.test.name] = true
                    }
                case .suiteFinished: ends += 1
                case .runFinished(let summary):
                    #expect(summary.counts.total == finished.count)
                case .notice(let notice):
                    #expect(notice.message.hasPrefix("the record ends before the run finished; "))
                default: break
                }
            }
            #expect(ends == 2)
            #expect(finished["list the orders"] == true)
            #expect(finished["place an order"] == false)
            #expect(finished.count <= whole)
        }
    }

    @Test func unknownEventsAndMembersAreIgnored() throws {
        let record = try RecordSample.record()
        var text = String(decoding: record, as: UTF8.self)
        text = text.split(separator: "{\"event\":\"", omittingEmptySubsequences: false).joined(
            separator: "{\"new\":[{\"x\":null}],\"event\":\"")
        let lines = text.split(separator: "\n")
        let more = lines.joined(separator: "\n\n{\"event\":\"news\",\"suite\":\"?\"}\r\n") + "\n"
        let again = try RecordSample.replayed(Array(more.utf8)) { try JSONLinesReporter(path: $0) }
        #expect(again == record)
    }

    @Test(arguments: [
        ("", #""in.jsonl" is not a record of a run: it is empty"#),
        ("{\"event\":\"ru", #""in.jsonl" is not a record of a run: it has no complete line"#),
        ("hello\nworld\n", "in.jsonl:1:1: expected a value"),
        ("[]\n", "in.jsonl:1:1: expected an object"),
        ("{}\n", "in.jsonl:1:1: this is not a line of a record: missing member \"event\""),
        (
            "{\"event\":\"runEnd\",\"counts\":{\"passed\":0,\"flaky\":0,\"failed\":0,\"errored\":0,\"skipped\":0,"
                + "\"blocked\":0},\"exchanges\":0,\"duration\":1}\n",
            "in.jsonl:1:1: a record must start with a line whose \"event\" is \"run\""
        ),
        (
            "{\"event\":\"run\",\"schema\":2}\n",
            "in.jsonl:1:16: unsupported record format 2: this version of apitest reads format 1"
        ),
        ("{\"event\":\"run\",\"schema\":\"x\"}\n", "in.jsonl:1:16: \"schema\" is not an integer"),
        ("RUN\n{\"event\":\"suiteEnd\",\"suite\":9,\"counts\":1}\n", "in.jsonl:2:31: expected an object"),
        ("RUN\n{\"event\":\"testStart\",\"suite\":-1}\n", "in.jsonl:2:1: missing member \"position\""),
        (
            "RUN\n{\"event\":\"testStart\",\"suite\":7,\"position\":0,\"name\":\"a\",\"file\":\"f\",\"line\":1,\"column\":1}\n",
            "in.jsonl:2:1: unknown suite 7"
        ),
        ("RUN\n{\"event\":\"interruption\"\n{}\n", "in.jsonl:2:24: "),
        (
            "RUN\n{\"event\":\"interruption\",\"time\":9e17}\n",
            "in.jsonl:2:25: \"time\" is out of range: 900000000000000000 nanoseconds"
        ),
        (
            "{\"event\":\"run\",\"schema\":1,\"suites\":[],\"startTime\":1e300}\n",
            "in.jsonl:1:39: \"startTime\" is not a valid time"
        ),
        ("RUN\nRUN\n", "in.jsonl:2:1: a second run starts here: use `apitest report merge` to combine records"),
        (
            "RUN\n{\"event\":\"suiteStart\",\"suite\":99999999999}\n",
            "in.jsonl:2:23: \"suite\" is out of range: 99999999999"
        ),
    ])
    func whatIsWrongIsSaidWithItsLocation(_ text: String, _ message: String) throws {
        let run = """
            {"event":"run","schema":1,"version":"0.1.0","startTime":0,"seed":1,"jobs":1,"testCount":0,"suites":[]}
            """
        let text = text.split(separator: "RUN", omittingEmptySubsequences: false).joined(separator: run)
        let error = try #require(try RecordSample.error(Array(text.utf8)))
        #expect(error.hasPrefix(message), "\(error)")
    }
}
