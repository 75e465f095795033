import Testing

@testable import Reports

/// Tests of the Markdown and annotation reports of the rich run, byte for byte.
struct MarkdownGoldenTests {
    @Test func markdown() throws {
        let bytes = try RichRun.report { try MarkdownReporter(path: $0) }
        try GoldenFile.expect(bytes, named: "markdown.md")
        #expect(!String(decoding: bytes, as: UTF8.self).contains(RichRun.secret))
    }

    @Test func gitHub() throws {
        let sink = TextSink()
        let fanOut = ReportFanOut(
            [try GitHubReporter(path: nil, environment: [:], output: sink.write)], showsExchanges: false)
        for event in RichRun.events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        try GoldenFile.expect(Array(sink.text.utf8), named: "github.txt")
        #expect(!sink.text.contains(RichRun.secret))
        let runner = RunnerModel(sink.text)
        #expect(Set(runner.commands.map(\.name)).isSubset(of: ["error", "warning", "notice"]))
        #expect(runner.stopToken == nil)
    }
}
