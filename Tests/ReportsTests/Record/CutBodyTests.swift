import RunModel
import RunRecord
import TestSupport
import Testing

@testable import Reports

/// Tests of truncated bodies in records: reports created from them state the truncation and the true size.
struct CutBodyTests {
    /// Returns the record of a test with long bodies.
    private static func record() throws -> [UInt8] {
        let fixture = Fixture()
        var exchange = Fixture.created
        exchange.request.body = [UInt8](repeating: 0x61, count: 270_000)
        exchange.response?.body = [UInt8](repeating: 0x62, count: 300_000)
        exchange.response?.headers = [HeaderField(name: "Content-Type", value: "text/plain")]
        let result = fixture.result("a", .failed, findings: [fixture.statusFinding], exchange: exchange)
        // A record contains the events at the end of each test rather than those in file order.
        return try RecordSample.record(
            fixture.events([result]).flatMap { event -> [RunEvent] in
                if case .testFinished = event { [.testCompleted(result), event] } else { [event] }
            })
    }

    private static func converted(_ format: ReportRequest.Format) throws -> String {
        let bytes = try RecordSample.replayed(try record()) { path in
            try ReporterFactory.reporter(for: ReportRequest(format: format, path: path))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aHAR() throws {
        let text = try Self.converted(.har)
        #expect(text.contains(#""comment":"first 262144 of 270000 bytes""#))
        #expect(text.contains(#""comment":"first 262144 of 300000 bytes""#))
        #expect(text.contains(#""bodySize":270000"#))
        #expect(text.contains(#""size":300000"#))
    }

    @Test func aPage() throws {
        let text = try Self.converted(.html)
        #expect(text.contains(#""size":300000"#))
        let omitted = text.split(separator: #""omitted":"#).dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
        #expect(omitted.count == 2)
        #expect(omitted.allSatisfy { $0 > 200_000 })
    }

    @Test func attachmentsOfAllure() throws {
        let directory = try TemporaryDirectory()
        try TemporaryDirectory.write(try Self.record(), to: directory.path + "/in.jsonl")
        let player = RecordPlayer([try AllureReporter(path: directory.path + "/allure", executor: nil)])
        _ = try player.play(RecordInput(path: directory.path + "/in.jsonl"))
        #expect(player.finish() == [])
        let results = TemporaryDirectory.names(in: directory.path + "/allure").filter { $0.hasSuffix("-result.json") }
        let text = String(
            decoding: try TemporaryDirectory.read("\(directory.path)/allure/\(results.first ?? "")"), as: UTF8.self)
        #expect(text.contains("response body (first 262144 of 300000 bytes)"))
        #expect(text.contains("request body (first 262144 of 270000 bytes)"))
    }
}
