import RunModel
import Testing

@testable import Output
@testable import Reports

struct CSVReporterTests {
    @Test func theSampleLoad() throws {
        let bytes = try RichRun.report(LoadSample.events) { try CSVReporter(path: $0) }
        try GoldenFile.expect(bytes, named: "load.csv")
    }

    @Test("A run without a load has only the header")
    func withoutLoad() throws {
        let text = String(decoding: try RichRun.report { try CSVReporter(path: $0) }, as: UTF8.self)
        #expect(text.hasPrefix("time_s,duration_s,"))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
    }

    @Test("Every line has as many fields as the header")
    func lines() throws {
        let text = String(decoding: try RichRun.report(LoadSample.events) { try CSVReporter(path: $0) }, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == LoadSample.seconds.count + 2 && lines.last == "")
        for line in lines.dropLast() {
            #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == 12)
        }
    }

    @Test func anUnwritablePath() throws {
        #expect(throws: ReportError.self) { try CSVReporter(path: "/proc/none/load.csv") }
    }
}
