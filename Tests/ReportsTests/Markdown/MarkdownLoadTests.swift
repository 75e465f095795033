import Basics
import RunModel
import Testing

@testable import Reports

struct MarkdownLoadTests {
    @Test func theSampleLoad() throws {
        let bytes = try RichRun.report(LoadSample.events) { try MarkdownReporter(path: $0) }
        try GoldenFile.expect(bytes, named: "load.md")
        #expect(!String(decoding: bytes, as: UTF8.self).contains(RichRun.secret))
    }

    @Test("A load with many long names stays far below the limit of the report")
    func manySteps() {
        var summary = LoadSample.summary
        let name = String(repeating: "|`x", count: 1_000)
        summary.steps = (0..<200).map { LoadSummary.Step(test: "\($0)", step: name) }
        let finding = Finding(subject: "status", type: .status, message: MessageText(name))
        summary.causes = (0..<50).map { _ in LoadSummary.Cause(finding: finding, step: name, count: 1, exchange: nil) }
        let text = MarkdownLoad(summary).text
        #expect(text.utf8.count < 30_000)
        #expect(text.contains("… and 180 more steps\n"))
        #expect(text.contains("… and 43 failures with other causes\n"))
    }
}
