import Reports
import RunModel
import Testing

/// Tests of the console output.
protocol ConsoleTesting {}

extension ConsoleTesting {
    /// Returns the contents of the two streams.
    func output(
        _ events: [RunEvent], verbosity: Int = 0, width: Int? = 90, color: Bool = false
    ) -> (results: String, notices: String) {
        let results = TextSink()
        let notices = TextSink()
        let options = ConsoleOptions(color: color, width: width, verbosity: verbosity)
        let fanOut = ReportFanOut([ConsoleReporter(options: options, output: results.write, progress: notices.write)])
        for event in events {
            if case .testFinished(let result) = event { fanOut.send(.testCompleted(result)) }
            fanOut.send(event)
        }
        #expect(fanOut.finish() == [])
        return (results.text, notices.text)
    }
}
