import Basics
import Histogram
import RunModel
import RunRecord
import TestSupport
import Testing

@testable import Reports

@Suite("Records of loads")
struct LoadRecordTests {
    /// The events of the sample load, with the results as they complete.
    private static let events: [RunEvent] = LoadSample.events.flatMap { event -> [RunEvent] in
        if case .testFinished(let result) = event { [.testCompleted(result), event] } else { [event] }
    }

    @Test("Every report of a record is that of the run", arguments: ReportRequest.Format.allCases)
    func reports(_ format: ReportRequest.Format) throws {
        // A directory and the files of a job are not a single file.
        if format == .allure || format == .github { return }
        let make = { (path: String) in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        let record = try RecordSample.record(Self.events, keepsExchanges: true)
        if format == .json {
            let again = try RecordSample.replayed(record) { try JSONLinesReporter(path: $0, keepsExchanges: true) }
            #expect(again == record)
            return
        }
        let inTheRun = try RichRun.report(Self.events, make)
        let made = try RecordSample.replayed(record, make)
        #expect(made == inTheRun)
    }

    @Test("The console shows a record like the run")
    func console() throws {
        var texts: [String] = []
        for isReplayed in [false, true] {
            let sink = TextSink()
            let console = ConsoleReporter(options: ConsoleOptions(), output: sink.write, progress: sink.write)
            if isReplayed {
                let directory = try TemporaryDirectory()
                try TemporaryDirectory.write(
                    try RecordSample.record(Self.events, keepsExchanges: true), to: directory.path + "/in.jsonl")
                _ = try RecordPlayer([console], showsExchanges: true).play(
                    RecordInput(path: directory.path + "/in.jsonl"))
            } else {
                let fanOut = ReportFanOut([console])
                for event in Self.events { fanOut.send(event) }
            }
            texts.append(sink.text)
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("load checkout: 100/s for 4s"))
    }

    @Test("Secrets are masked in every part of a load")
    func secrets() throws {
        var events = Self.events
        for index in events.indices {
            guard case .load(.finished(var summary)) = events[index] else { continue }
            summary.thresholds[0].source = "\"\(RichRun.secret)\" == \"\""
            summary.abort?.source = "\"\(RichRun.secret)\" == \"\""
            summary.steps[0].step = RichRun.secret
            events[index] = .load(.finished(summary))
        }
        let record = String(decoding: try RecordSample.record(events), as: UTF8.self)
        #expect(!record.contains(RichRun.secret))
        #expect(record.contains("\"thresholds\":[{\"source\":"))
    }

    @Test("A histogram is whole, although its text is longer than other strings may be")
    func longHistograms() throws {
        var random = SplitMix64(seed: 1)
        var second = LoadSecond(time: 1_000_000_000, duration: 1_000_000_000)
        for shift in 0..<32 {
            for value in stride(from: Int64(1_024), to: 2_048, by: 1) {
                second.statistics.response.record(value << shift, count: Int.random(in: 1...9_999_999, using: &random))
            }
        }
        #expect(second.statistics.response.base64Encoded().utf8.count > 1 << 16)
        var events = Self.events
        events.insert(.load(.second(second)), at: 2)
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(try RecordSample.record(events), to: directory.path + "/in.jsonl")
        let recorder = EventRecorder()
        _ = try RecordPlayer([recorder]).play(RecordInput(path: directory.path + "/in.jsonl"))
        let read = recorder.events.lazy.compactMap { event -> LoadSecond? in
            if case .load(.second(let second)) = event { second } else { nil }
        }.first
        #expect(read?.statistics.response == second.statistics.response)
    }

    @Test(
        "Damaged lines are refused with their location",
        arguments: [
            (
                "\"histogram\":\"HISTFAAA", "\"histogram\":\"HISTFBBB",
                "\"response\" is not a valid histogram: cannot decode the histogram"
            ), ("\"sum\":", "\"sum\":9", "\"response\" is not a valid histogram: cannot restore the statistics"),
            ("\"event\":\"load\",\"suite\":0", "\"event\":\"load\",\"suite\":1", "unknown suite 1"),
            ("\"iterations\":201", "\"iterations\":-1", "\"iterations\" is out of range: -1"),
            ("\"startTime\":1700000000.25", "\"startTime\":-1", "\"startTime\" is not a valid time"),
        ])
    func damage(_ text: String, _ replacement: String, _ message: String) throws {
        let record = String(decoding: try RecordSample.record(Self.events), as: UTF8.self)
        #expect(record.contains(text))
        let error = try RecordSample.error(Array(record.replacing(text, with: replacement).utf8))
        #expect(error?.contains(message) == true, "\(error ?? "no error")")
    }
}
