import Basics
import Diagnostics
import FileSystem
import Glibc
import JSON
import Output
import Reports
import RunModel
import RunRecord
import Runner
import SuiteModel

/// The `apitest report convert RECORD --report FORMAT[=PATH]…` command.
struct ReportConvertCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "convert", abstract: "Convert a record into other reports")

    var record = ""
    var report: [String] = []

    static var syntax: [Syntax] {
        [
            .argument(
                "record", \.record, isRequired: true, "Record file or URL, or - for standard input",
                completion: .files(["jsonl"])
            ),
            .option(
                "report", value: "format[=path]", \.report, "Report to write, as FORMAT[:OPTION,…][=PATH]"),
        ]
    }

    func validate() throws {
        if report.isEmpty { throw UsageError(.missingOption, "--report is missing: name a report to write") }
    }

    func run() throws {
        let play = try RecordPlay(report, of: [record])
        let input = try RecordInputs.input(record)
        throw try play.status { player throws(RecordError) in try player.play(input) }
    }
}

/// The `apitest report merge RECORD… --report FORMAT[=PATH]…` command.
struct ReportMergeCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "merge", abstract: "Merge the records of shards or of several runs into one run",
        discussion: """
            Suites with the same file, document, name and environment are merged, with their tests in file order. If \
            several records contain a test, the last run counts, and a note says so. Setup and teardown, which every \
            shard runs, count once, and as failed if they failed in any shard. The shards of a load become one load, \
            whose thresholds are evaluated on the figures of all. s3://BUCKET/PREFIX/ names all records with this \
            prefix, whose keys end with .jsonl.
            """)

    var records: [String] = []
    var report: [String] = []
    var output: String?
    var expect: Int?
    var historyOptions = HistoryOptions()

    static var syntax: [Syntax] {
        [
            .arguments("record", \.records, isRequired: true, "Record files and URLs", completion: .files(["jsonl"])),
            .option(
                "report", value: "format[=path]", \.report, "Report to write, as FORMAT[:OPTION,…][=PATH]"),
            .option(
                "output", short: "o", value: "path", \.output, "Write the merged record to a file",
                completion: .files(["jsonl"])),
            .option("expect", value: "n", \.expect, "Number of shards; the run fails if one is missing"),
            .group(\.historyOptions),
        ]
    }

    func validate() throws {
        if let expect, !(1...Shard.maximumCount).contains(expect) {
            throw UsageError(.invalidOption, "--expect \(expect): must be from 1 to \(Shard.maximumCount)")
        }
        if report.isEmpty, output == nil, historyOptions.history == nil {
            throw UsageError(.missingOption, "one of --report, --output and --history is required")
        }
    }

    func run() throws {
        // Includes the exchanges of all steps, if they are recorded.
        let reports = report + (output.map { ["json:exchanges=\($0)"] } ?? [])
        let play = try RecordPlay(reports, of: records, history: historyOptions)
        let inputs = try RecordInputs.inputs(records, allowsNone: expect != nil)
        throw try play.status { player throws(RecordError) in
            try player.merge(inputs, expected: expect, empty: Self.empty, judge: LoadVerdict.results)
        }
    }

    /// The run without any record.
    private static var empty: RunInfo {
        RunInfo(
            suites: [], testCount: 0, seed: 0, jobs: 0, version: Apitest.version, startTime: WallClock.now(),
            hostName: SystemInfo.hostName, workingDirectory: SystemInfo.workingDirectory)
    }
}

/// The `apitest report show RECORD` command.
struct ReportShowCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "show", abstract: "Show a recorded run as the console showed it")

    var record = ""
    var quiet = false
    var verbose = 0
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .argument(
                "record", \.record, isRequired: true, "Record file or URL, or - for standard input",
                completion: .files(["jsonl"])
            ),
            .flag("quiet", short: "q", \.quiet, "Show only failures and the summary"),
            .count(
                "verbose", short: "v", \.verbose,
                "Show each recorded exchange; -vv adds headers and timings"),
            .option("color", \.color, "When to use color"),
        ]
    }

    func run() throws {
        let environment = ProcessEnvironment.variables()
        let commands = CommandGuard(environment: environment)
        var options = ConsoleOptions(
            color: color.isOn(for: STDOUT_FILENO, environment: environment), width: Terminal.width(of: STDOUT_FILENO),
            verbosity: quiet ? -1 : verbose,
            recordPath: record == "-" || StorageLocation.isLocation(record) ? nil : record)
        options.folding = LogFolding(environment: environment, time: WallClock.now())
        let isFolding = options.folding != nil
        let console = ConsoleReporter(
            options: options, output: { StandardOutput.write(isFolding ? $0 : commands.output($0)) },
            progress: { StandardError.write(commands.error($0)) }
        )
        let input = try RecordInputs.input(record)
        throw try RecordPlay(reporters: [console]).status { player throws(RecordError) in try player.play(input) }
    }
}

/// The `apitest report trends DIRECTORY` command.
struct ReportTrendsCommand: SynchronousCommand {
    /// The output format of the trends.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, json, markdown
    }

    static let description = CommandDescription(
        name: "trends", abstract: "Show trends across the runs kept by \"--history\"",
        discussion: """
            Lists new and continuing failures, fixed tests, flaky tests (which pass and fail on the same revision and \
            suite content), and tests that take longer than the median of previous runs.
            """)

    var directory = ""
    var format: Format = .text
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .argument("directory", \.directory, isRequired: true, "History directory", completion: .directories),
            .option("format", \.format, "Output format"),
            .option("color", \.color, "When to use color"),
        ]
    }

    func run() throws {
        let trends: Trends
        do {
            trends = try HistoryReader.trends(ofDirectory: directory)
        } catch {
            throw ExitStatus.invalid(error.id, because: error.message)
        }
        let isColored = color.isOn(for: STDOUT_FILENO, environment: ProcessEnvironment.variables())
        let text =
            switch format {
            case .text: trends.text(color: isColored)
            case .json: trends.json.serialized(.pretty) + "\n"
            case .markdown: trends.markdown
            }
        StandardOutput.write(text)
    }
}

/// A wrapper around ``RecordPlayer`` that prints errors and determines the exit status.
struct RecordPlay {
    private let player: RecordPlayer
    /// The records that are written outside of the file system; nil if there are none.
    private let remote: RemoteRecords?
    /// Whether notices about the records are printed, instead of shown by a report.
    private let printsNotes: Bool

    /// Creates the requested reporters.
    ///
    /// - Parameter history: The history to which the results are added, or `nil` for none.
    /// - Throws: ``ExitStatus/invalid`` if a report is not writable. The error is printed.
    init(_ reports: [String], of records: [String], history: HistoryOptions? = nil) throws {
        let environment = ProcessEnvironment.variables()
        do throws(ReportError) {
            let requests = try RequestedReports(reports)
            for path in requests.paths {
                if let record = records.first(where: { Self.isSameFile($0, path) }) {
                    throw ReportError(
                        id: .conflictingOutputs, path: path, message: "the record \"\(record)\" would be overwritten")
                }
            }
            for output in requests.remote.map(\.location) {
                for record in records {
                    guard let input = try? StorageLocation(record), input == output || input.contains(output) else {
                        continue
                    }
                    throw ReportError(
                        id: .conflictingOutputs,
                        message: "the report \"\(output)\" would be one of the records in \"\(input)\"")
                }
            }
            remote = try RemoteRecords(requests.remote, environment: environment)
            // The history reporter comes first, because the others read its trends at the end of the run.
            let board = TrendBoard()
            var reporters: [any Reporter] = []
            if let history = try history?.reporter(board: board) {
                reporters = [history, TrendsLineReporter(board: board, output: StandardError.write)]
            }
            player = RecordPlayer(
                try reporters + requests.reporters(environment: environment, board: board)
                    + (remote?.reporters ?? []))
        } catch {
            throw ExitStatus.invalid(error.id, because: error.message)
        }
        printsNotes = true
    }

    /// Creates a player for reporters that show notices about the records themselves.
    init(reporters: [any Reporter]) {
        player = RecordPlayer(reporters, showsExchanges: true)
        remote = nil
        printsNotes = false
    }

    /// Returns whether two paths refer to the same regular file.
    private static func isSameFile(_ first: String, _ second: String) -> Bool {
        var (left, right) = (stat(), stat())
        return stat(first, &left) == 0 && stat(second, &right) == 0 && left.st_mode & S_IFMT == S_IFREG
            && left.st_dev == right.st_dev && left.st_ino == right.st_ino
    }

    /// Reads records and writes the reports.
    ///
    /// Write errors are printed.
    ///
    /// - Returns: The exit status of the recorded run.
    /// - Throws: ``ExitStatus/invalid`` if a record cannot be read. The error is printed.
    func status(_ play: (RecordPlayer) throws(RecordError) -> RecordOutcome) throws -> ExitStatus {
        let outcome: RecordOutcome
        do throws(RecordError) {
            outcome = try play(player)
        } catch {
            StandardOutput.flush()
            throw ExitStatus.invalid(error.id, because: error.text)
        }
        StandardOutput.flush()
        if printsNotes {
            for note in outcome.notes { StandardError.write("\(note.severity.rawValue): \(note.messageWithID)\n") }
        }
        var errors = player.finish()
        if let remote { errors += Blocking.run { await remote.finish() } }
        for error in errors { StandardError.report(error.id, error.message) }
        return ExitStatus(of: outcome.summary, reportErrors: errors)
    }
}
