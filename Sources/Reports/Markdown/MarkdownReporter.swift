public import SuiteModel
import Synchronization

/// The report in Markdown, for comments on pull requests and for wikis: at most 60 KB, the most telling first.
public final class MarkdownReporter: PatientReporter {
    /// The most bytes of a report; a comment on GitHub takes 65,536 characters.
    static let limit = 60_000

    private struct State: ~Copyable {
        var page: MarkdownPage
        var file: ReportFile
    }

    private let state: Mutex<State>

    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameters:
    ///   - path: Where the report goes; folders that do not exist are created.
    ///   - board: Where the history leaves what earlier runs tell.
    /// - Throws: ``ReportError`` when the path cannot be written.
    public init(path: String, board: TrendBoard? = nil) throws(ReportError) {
        state = Mutex(
            State(
                page: MarkdownPage(root: SystemFacts.workingFolder, board: board), file: try ReportFile(path: path)))
    }

    /// Those in file order.
    public var testEvents: TestEvents { .finished }

    /// Keeps what the report tells of an event.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Keeps what the report tells of an event, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        state.withLock { $0.page.receive(event, sizes: sizes) }
    }

    /// Keeps what the report tells of results.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        state.withLock { state in
            for index in tests.indices {
                state.page.add(
                    tests[index].resultForAccount(hidesExchanges: hidesExchanges), sizes: tests[index].sizes)
            }
        }
    }

    /// Puts the report together and into its place.
    public func finish() throws(ReportError) {
        try state.withLock { (state) throws(ReportError) in
            let text = state.page.text(limit: Self.limit)
            try state.file.publish([.bytes(Array(text.utf8))])
        }
    }
}
