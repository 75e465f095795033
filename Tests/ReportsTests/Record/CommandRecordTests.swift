import Diagnostics
import JSON
import RunModel
import Testing

@testable import Reports
@testable import RunRecord

@Suite("Commands and printed values in a record")
struct CommandRecordTests {
    private static func record() throws -> [UInt8] {
        let fixture = Fixture()
        var exchange = Exchange(
            request: Exchange.Request(
                method: CommandExecution.method, url: "psql -c 'select 1'", body: Array("in".utf8)))
        exchange.response = Exchange.Response(
            status: 3, reason: "", version: "", headers: [], body: Array("out\n".utf8))
        var details = ExchangeDetails()
        details.command = CommandExecution(
            arguments: ["psql", "-c", "select 1"], ending: .exit(3), errors: Array("no such table\n".utf8))
        exchange.details = details
        var result = fixture.result("a", .failed, findings: [fixture.statusFinding], exchange: exchange)
        result.steps[0].printed = [UsedVariable(name: "size(text)", value: 3)]
        result.test.isVerbose = true
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

    @Test("A record contains the command, its end and its standard error")
    func contents() throws {
        let record = String(decoding: try Self.record(), as: UTF8.self)
        #expect(
            record.contains(
                #""command":{"arguments":["psql","-c","select 1"],"exit":3,"stderr":{"size":14,"text":"no such table\n"}}"#
            ))
        #expect(record.contains(#""printed":[{"name":"size(text)","value":3}]"#))
        #expect(record.contains(#""isVerbose":true"#))
    }

    @Test("JUnit shows the command line, both output streams and the printed values of a record")
    func converted() throws {
        let report = try Self.converted(.junit)
        for part in ["$ psql -c 'select 1'", "exit 3", "out", "no such table", "size(text) = 3"] {
            #expect(report.contains(part), "\(part)")
        }
    }

    @Test("An HTTP archive has no entry for a command")
    func archive() throws {
        let report = try Self.converted(.har)
        #expect(!report.contains("psql"))
    }
}
