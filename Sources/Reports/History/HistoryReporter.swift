public import Output
public import RunModel
public import RunRecord
import Synchronization

/// Keeps the results of a run for the history, and finds what they tell together with those of earlier runs.
///
/// The results are in a file of their own, which appears whole at the end: runs at the same time may share the folder.
public final class HistoryReporter: Reporter {
    /// The runs that are kept where nothing else is said.
    public static let defaultCount = 100

    private struct State: ~Copyable {
        var writer: HistoryWriter
        var name: HistoryFileName?
        var file: ReportFile?
        var parts: [ReportFile.Part] = []
        var error: ReportError?
    }

    /// Lines are spilled in pieces of this size.
    private static let bufferSize = 1 << 16

    private let state: Mutex<State>
    private let folder: HistoryFolder
    private let count: Int
    private let id: String
    private let board: TrendBoard
    private let revision: String?

    /// Creates a reporter, and makes sure that files can be written in the folder.
    ///
    /// - Parameters:
    ///   - folder: The folder, which is created when it does not exist.
    ///   - count: The runs whose results are kept; of more the oldest are removed.
    ///   - board: Takes the trends.
    ///   - revision: The revision of the system under test, when it is not that of the run's origin.
    /// - Throws: ``ReportError`` when the folder cannot be written to.
    public convenience init(
        folder: String, count: Int, board: TrendBoard, revision: String? = nil
    ) throws(ReportError) {
        try self.init(
            folder: folder, count: count, board: board, id: String(CommandGuard.randomToken().prefix(12)),
            workingFolder: SystemFacts.workingFolder, revision: revision)
    }

    /// Creates a reporter whose file has a word in its name.
    init(
        folder: String, count: Int, board: TrendBoard, id: String, workingFolder: String, revision: String? = nil
    ) throws(ReportError) {
        self.folder = HistoryFolder(path: folder)
        self.count = max(1, count)
        self.board = board
        self.revision = revision
        self.id = id
        // The file's name has the moment of the run's beginning; whether there can be one is known before.
        do {
            _ = try ReportFile(path: self.folder.path + "/.\(id)")
        } catch {
            let reason = error.message.split(separator: ": ").last.map(String.init) ?? error.message
            throw ReportError(path: folder, message: "cannot keep the history in \(folder): \(reason)")
        }
        state = Mutex(State(writer: HistoryWriter(workingFolder: workingFolder)))
    }

    /// The digests of suites tell whether two runs were of the same content.
    public var needs: ReporterNeeds { .digests }

    /// Those in file order.
    public var testEvents: TestEvents { .finished }

    /// Keeps what an event tells of results; at the run's end the trends are found.
    public func receive(_ event: RunEvent) {
        switch event {
        case .runStarted(var info):
            if let revision { info.origin.revision = RunOrigin.Link(name: revision) }
            state.withLock { state in
                let name = HistoryFileName(start: info.startTime, shard: info.shard, id: id)
                state.name = name
                do throws(ReportError) {
                    state.file = try ReportFile(path: folder.path(of: name))
                } catch { state.error = error }
                state.writer.write(.runStarted(info))
            }
        case .testFinished:
            state.withLock { state in
                state.writer.write(event)
                if state.writer.bytes.count >= Self.bufferSize { spill(&state) }
            }
        case .runFinished:
            state.withLock { state in
                state.writer.write(event)
                publish(&state)
            }
        case .suiteStarted, .testStarted, .testCompleted, .secretLearned, .notice, .suiteFinished, .interrupted:
            break
        }
    }

    /// Puts the file into its place, if the run's end did not.
    public func finish() throws(ReportError) {
        try state.withLock { (state) throws(ReportError) in
            publish(&state)
            if let error = state.error { throw error }
        }
    }

    private func spill(_ state: inout State) {
        guard state.error == nil else { return }
        let bytes = state.writer.take()
        do throws(ReportError) {
            if let part = try state.file?.spill(bytes) { state.parts.append(part) }
        } catch { state.error = error }
    }

    private func publish(_ state: inout State) {
        guard let name = state.name, state.error == nil else { return }
        state.name = nil
        let rest = state.writer.take()
        do throws(ReportError) {
            try state.file?.publish(state.parts.map { .part($0) } + [.bytes(rest)])
        } catch {
            state.error = error
            return
        }
        state.file = nil
        let trends = HistoryReader.trends(upTo: name, in: folder, stripLength: board.stripLength)
        if trends.runs > 1 { board.post(trends) }
        folder.keep(count)
    }
}

/// A line below the console's summary that says what is new since earlier runs.
public final class TrendsLineReporter: Reporter {
    private let board: TrendBoard
    private let output: @Sendable (String) -> Void

    /// Creates a reporter, which gets events after the history and after the console.
    ///
    /// - Parameter output: Takes the line.
    public init(board: TrendBoard, output: @escaping @Sendable (String) -> Void) {
        self.board = board
        self.output = output
    }

    /// None.
    public var testEvents: TestEvents { [] }

    /// Writes the line when the run is over.
    public func receive(_ event: RunEvent) {
        guard case .runFinished = event, let trends = board.trends, let counts = TrendText.counts(of: trends) else {
            return
        }
        output("  since \(NumberText.count(trends.runs - 1, "earlier run")): \(counts)\n")
    }

    /// Nothing is left to be written.
    public func finish() throws(ReportError) {}
}
