import ArgumentParser
import Reports

/// The options that keep results beside those of earlier runs.
struct HistoryOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep the results in a folder with those of earlier runs, and say what is new since these.",
            valueName: "folder"),
        completion: .directory)
    var history: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The runs whose results --history keeps; the default is \(HistoryReporter.defaultCount).",
            valueName: "number"))
    var historyKeep: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Revision of the system under test (default: that of the CI job).", valueName: "revision"))
    var revision: String?

    func validate() throws {
        if revision == "" { throw ValidationError("--revision: name a revision") }
        if history == "" { throw ValidationError("--history: name a folder") }
        guard let historyKeep else { return }
        if historyKeep < 1 { throw ValidationError("--history-keep \(historyKeep): write a number from 1") }
        if history == nil { throw ValidationError("--history-keep: it goes with --history") }
    }

    /// The reporter that keeps the results and, before the run's other reporters get its end, leaves what they tell.
    ///
    /// - Returns: nil when no history is kept.
    /// - Throws: ``ReportError`` when the folder cannot be written to.
    func reporter(board: TrendBoard) throws(ReportError) -> HistoryReporter? {
        guard let history else { return nil }
        return try HistoryReporter(
            folder: history, count: historyKeep ?? HistoryReporter.defaultCount, board: board, revision: revision)
    }
}
