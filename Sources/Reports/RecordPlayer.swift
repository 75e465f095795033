public import Output
public import RunModel
public import RunRecord

/// A player that replays the events of a run record to reporters, as if the run were in progress.
public struct RecordPlayer: Sendable {
    private let fanOut: ReportFanOut
    /// The reporters that write records, which preserve the original times of events.
    private let records: [JSONLinesReporter]

    /// Whether every reporter receives the exchanges of passed steps, if they are recorded.
    private let showsExchanges: Bool

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - reporters: The recipients of the events, as in a run.
    ///   - showsExchanges: Whether every reporter receives the exchanges of passed steps, if they are recorded.
    ///     Otherwise, the reports are the same as those of the run.
    public init(_ reporters: [any Reporter], showsExchanges: Bool = false) {
        self.showsExchanges = showsExchanges
        records = reporters.compactMap { $0 as? JSONLinesReporter }
        fanOut = ReportFanOut(reporters.filter { !($0 is JSONLinesReporter) }, showsExchanges: false)
    }

    /// Replays the events of a record.
    ///
    /// - Returns: The outcome of the run. A run with a truncated record counts as interrupted.
    /// - Throws: ``RecordError`` if the record cannot be read. The reporters must not be finished in this case.
    public func play(_ record: RecordInput) throws(RecordError) -> RecordOutcome {
        var reader = try RecordReader(record)
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
            let reason = reader.isCut ? "it has no complete line" : "it is empty"
            throw RecordError(path: record.name, message: "\(record.title) is not a record of a run: \(reason)")
        }
        return RecordOutcome(summary: summary, notes: replay.notes)
    }

    /// Merges records into a single run and replays its events.
    ///
    /// - Parameters:
    ///   - records: The records, which must be files because each is read twice.
    ///   - expected: The number of shards of the run. A missing shard makes the merged run incomplete.
    ///   - empty: The run to report if all records are missing.
    ///   - judge: Judges the figures of merged loads, whose thresholds have no results without it.
    /// - Returns: The outcome of the merged run.
    /// - Throws: ``RecordError`` if a record cannot be read. The reporters must not be finished in this case.
    public func merge(
        _ records: [RecordInput], expected: Int? = nil, empty: RunInfo? = nil,
        judge: @escaping LoadJudge = { _ in [] }
    ) throws(RecordError) -> RecordOutcome {
        var merge = try RecordMerge(
            records, expected: expected, empty: empty ?? .none, judge: judge, output: send)
        return try merge.run()
    }

    /// Finishes every reporter, even if others fail.
    ///
    /// - Returns: The errors of the reporters that failed.
    public func finish() -> [ReportError] {
        var errors = fanOut.finish()
        for record in records {
            do throws(ReportError) { try record.finish() } catch { errors.append(error) }
        }
        return errors
    }

    /// Delivers an event to the reporters.
    func send(_ recorded: RecordedEvent) {
        for record in records { record.receive(recorded) }
        fanOut.replay(
            recorded.event, sizes: recorded.sizes, showsExchanges: showsExchanges || !recorded.hasAllExchanges)
    }
}
