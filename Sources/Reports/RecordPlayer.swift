public import Output
import RunModel
public import RunRecord

/// Makes reports of records: hands the events that it reads to reporters, as a run does.
public struct RecordPlayer: Sendable {
    private let fanOut: ReportFanOut
    /// Reporters that write records, which keep the times of events as they were.
    private let records: [JSONLinesReporter]

    /// Whether every reporter gets the exchanges of steps that passed, as far as they are recorded.
    private let showsExchanges: Bool

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - reporters: Take the events, as in a run.
    ///   - showsExchanges: Whether the exchanges of steps that passed go to every reporter, as far as they are recorded;
    ///     otherwise only as in the run, so that reports are those of the run.
    public init(_ reporters: [any Reporter], showsExchanges: Bool = false) {
        self.showsExchanges = showsExchanges
        records = reporters.compactMap { $0 as? JSONLinesReporter }
        fanOut = ReportFanOut(reporters.filter { !($0 is JSONLinesReporter) }, showsExchanges: false)
    }

    /// Hands the events of a record to the reporters.
    ///
    /// - Parameter path: The record's path, or `-` for standard input.
    /// - Returns: How the run ended; one whose record breaks off counts as interrupted.
    /// - Throws: Why the record cannot be read; the reporters must not be finished then.
    public func play(_ path: String) throws(RecordError) -> RecordOutcome {
        var reader = try RecordReader(path: path)
        var replay = RecordReplay(output: send)
        while let line = try reader.next() {
            guard case .event(let event, let sizes, let time) = line.content else { continue }
            do throws(RecordProblem) {
                try replay.receive(
                    RecordedEvent(
                        event: event, sizes: sizes, time: time, hasAllExchanges: reader.hasAllExchanges))
            } catch {
                throw reader.problem(error.message)
            }
        }
        guard let summary = replay.end() else {
            throw RecordError(
                path: path,
                message: "\(path == "-" ? "standard input" : "\"\(path)\"") is no record of a run: it is empty")
        }
        return RecordOutcome(summary: summary, notes: replay.notes)
    }

    /// Joins records into one run, and hands its events to the reporters.
    ///
    /// - Parameter paths: The records; each must be a file, as it is read twice.
    /// - Returns: How the run ended that they make together.
    /// - Throws: Why a record cannot be read; the reporters must not be finished then.
    public func merge(_ paths: [String]) throws(RecordError) -> RecordOutcome {
        var merge = try RecordMerge(paths, output: send)
        return try merge.run()
    }

    /// Finishes every reporter, whatever becomes of the others.
    ///
    /// - Returns: What could not be written.
    public func finish() -> [ReportError] {
        var errors = fanOut.finish()
        for record in records {
            do throws(ReportError) { try record.finish() } catch { errors.append(error) }
        }
        return errors
    }

    /// Hands on an event.
    func send(_ recorded: RecordedEvent) {
        for record in records { record.receive(recorded) }
        fanOut.replay(
            recorded.event, sizes: recorded.sizes, showsExchanges: showsExchanges || !recorded.hasAllExchanges)
    }
}
