import Diagnostics
import SuiteModel
import Testing

@testable import Reports

struct EarlierRecordTests {
    private func report(_ record: [UInt8]) throws -> EarlierReport {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(record, to: folder.path + "/run.jsonl")
        return try EarlierReport(path: folder.path + "/run.jsonl")
    }

    @Test func theCasesAreThoseOfTheJUnitReport() throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(
            try RichRun.report { try JUnitReporter(path: $0) }, to: folder.path + "/report.xml")
        let junit = try EarlierReport(path: folder.path + "/report.xml").cases
        let cases = try report(try RecordSample.record()).cases
        #expect(cases.count == 13)
        for earlier in cases where !earlier.name.hasPrefix("place an order") {
            let other = try #require(
                junit.first { $0.name == earlier.name && $0.className == earlier.className }, "\(earlier.name)")
            #expect(other.verdict == earlier.verdict)
            #expect(other.file == earlier.file)
            #expect(other.suiteName == earlier.suiteName)
            #expect((other.duration ?? -1_000_000) / 1_000_000 == (earlier.duration ?? -1_000_000) / 1_000_000)
        }
        #expect(cases.first { $0.name == "place an order" }?.verdict == .failed)
        #expect(cases.first { $0.name == "place an order" }?.duration == 231_000_000)
    }

    @Test func whatWasNotFinishedNeedsAnotherRun() throws {
        let cases = try report(try RecordSample.record(RichRun.killed)).cases
        #expect(cases.first { $0.name == "place an order" }?.verdict == .errored)
        #expect(cases.first { $0.name == "list the orders" }?.verdict == .passed)
    }

    @Test(arguments: [
        ("{\"event\":\"run\",\"schema\":9}\n", "run.jsonl:1:16: the record has version 9"),
        ("\n {\"event\"\n{}", "run.jsonl:2:10: "),
    ])
    func whatCannotBeRead(_ text: String, _ message: String) throws {
        let folder = try TemporaryFolder()
        try TemporaryFolder.write(Array(text.utf8), to: folder.path + "/run.jsonl")
        let error = #expect(throws: EarlierReport.Failure.self) { try EarlierReport(path: folder.path + "/run.jsonl") }
        #expect(error?.diagnostic.message.contains(message) == true, "\(String(describing: error))")
    }
}
