import ArgumentParser
import Reports

/// `apitest report merge RECORD… --report FORMAT[=PATH]…`
struct ReportMergeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Join the records of shards, or of several runs, into one run.",
        discussion: """
            Suites that are the same (file, document, name and environment) are joined, with their tests in file order. Of a \
            test that is in several records the last run counts, which is said; the setup and teardown of a suite, \
            which every shard runs, count once, and as failed when they failed in one.
            """)

    @Argument(
        help: ArgumentHelp("The records.", valueName: "record"), completion: .file(extensions: ["jsonl"]))
    var records: [String]

    @Option(
        name: .long,
        help: ArgumentHelp("A report, as FORMAT[:OPTION,…][=PATH]; may be repeated.", valueName: "format[=path]"))
    var report: [String] = []

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write the joined record to a file.", valueName: "path"),
        completion: .file(extensions: ["jsonl"]))
    var output: String?

    @OptionGroup var historyOptions: HistoryOptions

    func validate() throws {
        if report.isEmpty, output == nil, historyOptions.history == nil {
            throw ValidationError("--report or --output is missing: say what to write")
        }
    }

    func run() throws {
        // With the exchanges of all steps, as far as they are in the records.
        let reports = report + (output.map { ["json:exchanges=\($0)"] } ?? [])
        let play = try RecordPlay(reports, of: records, history: historyOptions)
        throw try play.status { player throws(RecordError) in try player.merge(records) }
    }
}
