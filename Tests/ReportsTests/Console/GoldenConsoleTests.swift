import Testing

@testable import Reports

/// Tests of the console output for the rich run.
struct GoldenConsoleTests {
    @Test(arguments: [
        ("console", ConsoleOptions(recordPath: "report.xml")), ("console-quiet", ConsoleOptions(verbosity: -1)),
        ("console-verbose", ConsoleOptions(width: 100, verbosity: 1)),
        ("console-verbose-twice", ConsoleOptions(verbosity: 2)),
        ("console-color", ConsoleOptions(color: true, width: 100)), ("console-narrow", ConsoleOptions(width: 60)),
    ])
    func console(_ name: String, _ options: ConsoleOptions) throws {
        let sink = TextSink()
        let fanOut = ReportFanOut(
            [ConsoleReporter(options: options, output: sink.write, progress: sink.write)],
            showsExchanges: options.verbosity > 0)
        for event in RichRun.events { fanOut.send(event) }
        #expect(fanOut.finish() == [])
        let text = sink.text
        #expect(!text.contains(RichRun.secret))
        // The program's own colors are the only control sequences.
        #expect(options.color || !text.contains("\u{1B}"))
        #expect(!text.contains("\u{7}") && !text.contains("\r") && !text.contains("\u{202E}"))
        try GoldenFile.expect(Array(text.utf8), named: name + ".txt")
    }
}
