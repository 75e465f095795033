import Basics
import Diagnostics
import FileSystem
import Glibc
import Output
public import Reports
import RunModel
import RunRecord
import Runner

extension FailureOutput: ArgumentValue {}

/// The options for the output of a run.
struct OutputOptions: OptionGroup {
    var report: [String] = []
    var outputDir = "apitest-output"
    var updateSnapshots = false
    var quiet = false
    var verbose = 0
    var curl = false
    var progress: ProgressChoice = .auto
    var failureOutput: FailureOutput = .immediate
    var historyOptions = HistoryOptions()

    static var syntax: [Syntax] {
        [
            .option(
                "report", value: "format[=path]", \.report,
                "Report: " + ReportRequest.Format.allCases.map(\.rawValue).joined(separator: ", ")),
            .option(
                "output-dir", value: "directory", \.outputDir,
                "Directory for the bodies that `save` writes", completion: .directories),
            .flag(
                "update-snapshots", \.updateSnapshots,
                "Write missing or changed snapshots, and delete unused ones"),
            .flag("quiet", short: "q", \.quiet, "Show only failures and the summary"),
            .count("verbose", short: "v", \.verbose, "Show each exchange; -vv adds headers and timings"),
            .flag("curl", \.curl, "Show each exchange with an equivalent curl command"),
            .option("progress", \.progress, "When to show progress"),
            .option(
                "failure-output", \.failureOutput,
                "When to show failures; final is before the summary"),
            .group(\.historyOptions),
        ]
    }

    /// The level of detail of the console report, as in ``ConsoleOptions/verbosity``.
    var verbosity: Int { quiet ? -1 : max(verbose, curl ? 1 : 0) }

    /// The reporters of a run.
    struct Reporters {
        /// All reporters.
        var all: [any Reporter] = []
        /// The records that are written outside of the file system; nil if there are none.
        var records: RemoteRecords?
    }

    /// Creates the reporters of a run: the console, and one for each requested report.
    ///
    /// - Parameters:
    ///   - authorities: The path of a PEM file with authorities that are trusted too; nil for none.
    ///   - routes: The proxy and the address overrides of the run.
    ///   - shard: The shard that names a record whose path is a directory; nil for all tests.
    /// - Throws: ``ExitStatus/invalid`` if a report is not writable. The error is printed.
    func reporters(
        color: ColorChoice, environment: [String: String], authorities: String?, routes: RunRoutes,
        showsCoverage: Bool, shard: Shard? = nil
    ) throws -> Reporters {
        var reporters: [any Reporter] = []
        let records: RemoteRecords?
        do throws(ReportError) {
            let requests = try RequestedReports(report, shard: shard)
            let isOutputTaken = requests.areOnStandardOutput
            // The history reporter comes first, because the others read its trends at the end of the run.
            let board = TrendBoard()
            let history = try historyOptions.reporter(board: board)
            if let history { reporters.append(history) }
            reporters.append(
                console(
                    onStandardError: isOutputTaken, color: color, environment: environment,
                    recordPath: requests.recordPath, showsCoverage: showsCoverage))
            if history != nil {
                reporters.append(
                    TrendsLineReporter(
                        board: board,
                        output: { isOutputTaken ? StandardError.write($0) : StandardOutput.write($0) }))
            }
            reporters += try requests.reporters(environment: environment, board: board)
            records = try RemoteRecords(
                requests.remote, environment: environment, authorities: authorities, routes: routes)
        } catch {
            throw ExitStatus.invalid(error.id, because: error.message)
        }
        return Reporters(all: reporters + (records?.reporters ?? []), records: records)
    }

    /// Checks that no report overwrites a file that the run reads.
    ///
    /// - Parameter shard: The shard that names a record whose path is a directory; nil for all tests.
    /// - Throws: ``ExitStatus/invalid`` if one does. The error is printed.
    func checkReports(inputs: some Sequence<String>, shard: Shard? = nil) throws {
        do throws(ReportError) {
            try RequestedReports(report, shard: shard).check(inputs: inputs)
        } catch {
            throw ExitStatus.invalid(error.id, because: error.message)
        }
    }

    /// Creates the console reporter, which writes to standard error if a report is written to standard output.
    private func console(
        onStandardError: Bool, color: ColorChoice, environment: [String: String], recordPath: String?,
        showsCoverage: Bool
    ) -> ConsoleReporter {
        let descriptor = onStandardError ? STDERR_FILENO : STDOUT_FILENO
        let commands = CommandGuard(environment: environment)
        let progress = quiet ? .none : progress.style(environment: environment)
        Terminal.expectLiveLine(progress == .live)
        var options = ConsoleOptions(
            color: color.isOn(for: descriptor, environment: environment), width: Terminal.width(of: descriptor),
            verbosity: verbosity, progress: progress, sharesTerminal: Terminal.areSame(descriptor, STDERR_FILENO),
            showsCurl: curl, recordPath: recordPath)
        options.showsCoverage = showsCoverage
        options.failureOutput = failureOutput
        // Console text on standard error may be interleaved with other reports, which have no sections.
        options.folding = onStandardError ? nil : LogFolding(environment: environment, time: WallClock.now())
        let isFolding = options.folding != nil
        return ConsoleReporter(
            options: options,
            output: { text in
                if onStandardError { return StandardError.write(commands.error(text)) }
                StandardOutput.write(isFolding ? text : commands.output(text), within: StandardOutput.moment)
                if isatty(STDOUT_FILENO) == 1 { StandardOutput.flush() }
            },
            progress: { StandardError.write(commands.error($0)) },
            terminalWidth: { Terminal.width(of: STDERR_FILENO) })
    }
}

/// The options for the history of results.
struct HistoryOptions: OptionGroup {
    var history: String?
    var historyKeep: Int?
    var revision: String?

    static var syntax: [Syntax] {
        [
            .option(
                "history", value: "directory", \.history,
                "Store results in a directory, and report changes since previous runs",
                completion: .directories),
            .option(
                "history-keep", value: "number", \.historyKeep,
                "Number of runs that --history keeps (default: \(HistoryReporter.defaultCount))"),
            .option("revision", \.revision, "Revision of the system under test (default: from the CI job)"),
        ]
    }

    func validate() throws {
        if revision == "" { throw UsageError(.invalidOption, "--revision: must not be empty") }
        if history == "" { throw UsageError(.invalidOption, "--history: must not be empty") }
        guard let historyKeep else { return }
        if historyKeep < 1 { throw UsageError(.invalidOption, "--history-keep \(historyKeep): must be at least 1") }
        if history == nil { throw UsageError(.missingOption, "--history-keep requires --history") }
    }

    /// Creates the reporter that saves the results, and posts the trends before the other reporters receive the end of
    /// the run.
    ///
    /// - Returns: The reporter, or `nil` if no history is kept.
    /// - Throws: ``ReportError`` if the directory is not writable.
    func reporter(board: TrendBoard) throws(ReportError) -> HistoryReporter? {
        guard let history else { return nil }
        return try HistoryReporter(
            directory: history, count: historyKeep ?? HistoryReporter.defaultCount, board: board, revision: revision)
    }
}

/// The choice of when to show the progress of a run.
enum ProgressChoice: String, ArgumentValue, CaseIterable {
    /// A live line if standard error is a terminal that can redraw it.
    ///
    /// In CI and on other terminals, a plain line from time to time.
    case auto
    /// A live line, even in CI.
    ///
    /// Without a capable terminal, plain lines at shorter intervals.
    case always
    /// No progress.
    case never

    /// The nanoseconds without output after which an unrequested plain line is written.
    ///
    /// CI services may consider a job without output to be stuck.
    private static let quietInterval: Int64 = 30_000_000_000
    /// The nanoseconds without output after which a requested plain line is written.
    private static let interval: Int64 = 5_000_000_000

    /// Returns the style of the progress indicator.
    func style(environment: [String: String]) -> ProgressStyle {
        let isTerminal = Terminal.isTerminalForProgress
        let canDraw = isTerminal && environment["TERM"] != "dumb"
        let isCI = ProcessEnvironment.isContinuousIntegration(environment)
        switch self {
        case .auto:
            if canDraw && !isCI { return .live }
            return isTerminal || isCI ? .lines(every: Self.quietInterval) : .none
        case .always: return canDraw ? .live : .lines(every: Self.interval)
        case .never: return .none
        }
    }
}
