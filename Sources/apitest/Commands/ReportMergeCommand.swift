import Reports

/// `apitest report merge RECORD… --report FORMAT[=PATH]…`
struct ReportMergeCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "merge", abstract: "Join the records of shards, or of several runs, into one run.",
        discussion: """
            Suites that are the same (file, document, name and environment) are joined, with their tests in file order. Of a \
            test that is in several records the last run counts, which is said; the setup and teardown of a suite, \
            which every shard runs, count once, and as failed when they failed in one.
            """)

    var records: [String] = []
    var report: [String] = []
    var output: String?
    var historyOptions = HistoryOptions()

    static var syntax: [Syntax] {
        [
            .arguments("record", \.records, isRequired: true, "The records.", completion: .files(["jsonl"])),
            .option(
                "report", value: "format[=path]", \.report, "A report, as FORMAT[:OPTION,…][=PATH]; may be repeated."),
            .option(
                "output", short: "o", value: "path", \.output, "Write the joined record to a file.",
                completion: .files(["jsonl"])),
            .group(\.historyOptions),
        ]
    }

    func validate() throws {
        if report.isEmpty, output == nil, historyOptions.history == nil {
            throw UsageError("--report or --output is missing: say what to write")
        }
    }

    func run() throws {
        // With the exchanges of all steps, as far as they are in the records.
        let reports = report + (output.map { ["json:exchanges=\($0)"] } ?? [])
        let play = try RecordPlay(reports, of: records, history: historyOptions)
        throw try play.status { player throws(RecordError) in try player.merge(records) }
    }
}
