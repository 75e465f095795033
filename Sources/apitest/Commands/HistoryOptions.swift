import Reports

/// The options that keep results beside those of earlier runs.
struct HistoryOptions: OptionGroup {
    var history: String?
    var historyKeep: Int?
    var revision: String?

    static var syntax: [Syntax] {
        [
            .option(
                "history", value: "folder", \.history,
                "Keep the results in a folder with those of earlier runs, and say what is new since these.",
                completion: .directories),
            .option(
                "history-keep", value: "number", \.historyKeep,
                "The runs whose results --history keeps; the default is \(HistoryReporter.defaultCount)."),
            .option("revision", \.revision, "Revision of the system under test (default: that of the CI job)."),
        ]
    }

    func validate() throws {
        if revision == "" { throw UsageError("--revision: name a revision") }
        if history == "" { throw UsageError("--history: name a folder") }
        guard let historyKeep else { return }
        if historyKeep < 1 { throw UsageError("--history-keep \(historyKeep): write a number from 1") }
        if history == nil { throw UsageError("--history-keep: it goes with --history") }
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
