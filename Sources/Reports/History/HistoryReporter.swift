import FileSystem
public import Output
public import RunModel
public import RunRecord
import Synchronization

/// A reporter that saves the results of a run to the history and computes trends from this and previous runs.
///
/// Each run has a separate file, which appears complete at the end of the run. Concurrent runs can share the directory.
public final class HistoryReporter: Reporter {
    /// The default number of runs to keep.
    public static let defaultCount = 100

    private struct State: ~Copyable {
        var writer: HistoryWriter
        var name: HistoryFileName?
        var file: ReportFile?
        var parts: [ReportFile.Part] = []
        var error: ReportError?
    }

    /// The number of bytes after which lines are spilled to disk.
    private static let bufferSize = 1 << 16

    private let state: Mutex<State>
    private let directory: HistoryDirectory
    private let count: Int
    private let id: String
    private let board: TrendBoard
    private let revision: String?

    /// Creates a reporter and checks that files can be created in the directory.
    ///
    /// - Parameters:
    ///   - directory: The directory of the history, which is created if it does not exist.
    ///   - count: The maximum number of runs to keep. The oldest ones beyond it are removed.
    ///   - board: The board to which the trends are posted.
    ///   - revision: The revision of the system under test, if it differs from the one of the run's origin.
    /// - Throws: ``ReportError`` if the directory is not writable.
    public convenience init(
        directory: String, count: Int, board: TrendBoard, revision: String? = nil
    ) throws(ReportError) {
        try self.init(
            directory: directory, count: count, board: board, id: String(CommandGuard.randomToken().prefix(12)),
            workingDirectory: SystemInfo.workingDirectory, revision: revision)
    }

    /// Creates a reporter with a fixed identifier in its file name.
    init(
        directory: String, count: Int, board: TrendBoard, id: String, workingDirectory: String, revision: String? = nil
    ) throws(ReportError) {
        self.directory = HistoryDirectory(path: directory)
        self.count = max(1, count)
        self.board = board
        self.revision = revision
        self.id = id
        // The file name contains the start time of the run, so the writability of the directory is checked with another
        // name.
        do {
            _ = try ReportFile(path: self.directory.path + "/.\(id)")
        } catch {
            let reason = error.systemError.map(SystemInfo.message) ?? error.message
            throw ReportError(path: directory, message: "cannot write the history to \"\(directory)\": \(reason)")
        }
        state = Mutex(State(writer: HistoryWriter(workingDirectory: workingDirectory)))
    }

    /// The digests of suites, which show whether two runs had the same content.
    public var needs: ReporterNeeds { .digests }

    /// The results in file order.
    public var testEvents: TestEvents { .finished }

    /// Saves the results of an event.
    ///
    /// At the end of the run, computes the trends.
    public func receive(_ event: RunEvent) {
        switch event {
        case .runStarted(var info):
            if let revision { info.origin.revision = RunOrigin.Link(name: revision) }
            state.withLock { state in
                let name = HistoryFileName(start: info.startTime, shard: info.shard, id: id)
                state.name = name
                do throws(ReportError) {
                    state.file = try ReportFile(path: directory.path(of: name))
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
        case .suiteStarted, .testStarted, .testCompleted, .secretRegistered, .load, .notice, .suiteFinished,
            .interrupted:
            break
        }
    }

    /// Publishes the file, unless the end of the run already did.
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
        let trends = HistoryReader.trends(upTo: name, in: directory, stripLength: board.stripLength)
        if trends.runs > 1 { board.post(trends) }
        directory.keep(count)
    }
}

/// A reporter that writes a line with changes since previous runs after the console summary.
public final class TrendsLineReporter: Reporter {
    private let board: TrendBoard
    private let output: @Sendable (String) -> Void

    /// Creates a reporter, which must receive events after the history reporter and the console reporter.
    ///
    /// - Parameter output: Writes the line.
    public init(board: TrendBoard, output: @escaping @Sendable (String) -> Void) {
        self.board = board
        self.output = output
    }

    /// No test events.
    public var testEvents: TestEvents { [] }

    /// Writes the line at the end of the run.
    public func receive(_ event: RunEvent) {
        guard case .runFinished = event, let trends = board.trends, let counts = TrendText.counts(of: trends) else {
            return
        }
        output("  compared with \(NumberText.count(trends.runs - 1, "previous run")): \(counts)\n")
    }

    /// Does nothing, because the line is already written.
    public func finish() throws(ReportError) {}
}
