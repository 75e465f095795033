public import SuiteModel
import Synchronization

/// The report for GitHub Actions: annotations on standard output, and the step's summary in Markdown.
public final class GitHubReporter: PatientReporter {
    /// A summary shorter than this says nothing.
    private static let leastRoom = 1_000

    private struct State: ~Copyable {
        var page: MarkdownPage
        var annotations: GitHubAnnotations
        /// Where the summary goes: to the step's file or to one of its own.
        var step: StepSummary?
        var file: ReportFile?
    }

    private let state: Mutex<State>
    private let output: @Sendable (String) -> Void

    /// Creates a reporter, and makes sure that the summary can be written.
    ///
    /// - Parameters:
    ///   - path: Where the summary goes in place of the step's file; nil for the file that `GITHUB_STEP_SUMMARY` names.
    ///   - environment: The process's environment; annotations' paths are relative to `GITHUB_WORKSPACE` in it.
    ///   - board: Where the history leaves what earlier runs tell.
    ///   - output: Takes annotations, in whole lines.
    /// - Throws: ``ReportError`` when the summary cannot be written.
    public init(
        path: String?, environment: [String: String], board: TrendBoard? = nil,
        output: @escaping @Sendable (String) -> Void
    ) throws(ReportError) {
        var root = environment["GITHUB_WORKSPACE"] ?? ""
        while root.utf8.count > 1, root.utf8.last == UInt8(ascii: "/") { root.removeLast() }
        if root.isEmpty { root = SystemFacts.workingFolder }
        var step: StepSummary?
        var file: ReportFile?
        if let path {
            file = try ReportFile(path: path)
        } else if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
            step = try StepSummary(path: path)
        }
        state = Mutex(
            State(
                page: MarkdownPage(root: root, board: board), annotations: GitHubAnnotations(root: root), step: step,
                file: file))
        self.output = output
    }

    /// Those in file order.
    public var testEvents: TestEvents { .finished }

    /// Keeps what the report tells of an event.
    public func receive(_ event: RunEvent) {
        receive(event, sizes: BodySizes())
    }

    /// Keeps what the report tells of an event, with the sizes of bodies before they were masked.
    public func receive(_ event: RunEvent, sizes: BodySizes) {
        state.withLock { state in
            state.page.receive(event, sizes: sizes)
            state.annotations.receive(event)
        }
    }

    /// Keeps what the report tells of results.
    func testsFinished(_ tests: [FinishedTest], hidesExchanges: Bool) {
        state.withLock { state in
            for index in tests.indices {
                let result = tests[index].resultForAccount(hidesExchanges: hidesExchanges)
                state.page.add(result, sizes: tests[index].sizes)
                if result.outcome != .passed { state.annotations.receive(.testFinished(result)) }
            }
        }
    }

    /// Writes the annotations, then the summary.
    public func finish() throws(ReportError) {
        try state.withLock { (state) throws(ReportError) in
            output(state.annotations.lines)
            if let step = state.step {
                let room = step.room
                if room >= Self.leastRoom {
                    try step.append(state.page.text(limit: room))
                } else {
                    output("The step's summary is full: the results are not in it.\n")
                }
            }
            try state.file?.publish([.bytes(Array(state.page.text(limit: StepSummary.limit).utf8))])
        }
    }
}
