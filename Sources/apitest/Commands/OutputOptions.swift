import Basics
import Glibc
public import Reports

extension FailureOutput: ArgumentValue {}

/// The options that say what a run writes.
struct OutputOptions: OptionGroup {
    var report: [String] = []
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
                "Write a report, as FORMAT or FORMAT=PATH, with - for standard output; may be repeated. Formats: "
                    + ReportRequest.Format.allCases.map(\.rawValue).joined(separator: ", ") + "."),
            .flag(
                "update-snapshots", \.updateSnapshots,
                "Write snapshots that are missing or differ, and remove those that no test uses."),
            .flag("quiet", short: "q", \.quiet, "Show only failures and the summary."),
            .count("verbose", short: "v", \.verbose, "Show each exchange; twice, headers and timings too."),
            .flag("curl", \.curl, "Show each exchange with the curl command that repeats it."),
            .option("progress", \.progress, "Whether it is shown how far a run is: auto, always or never."),
            .option(
                "failure-output", \.failureOutput,
                "When failures are shown: immediate, final (before the summary) or both."),
            .group(\.historyOptions),
        ]
    }

    /// How much of the run the console shows, as ``ConsoleOptions/verbosity`` has it.
    var verbosity: Int { quiet ? -1 : max(verbose, curl ? 1 : 0) }

    /// The reporters of a run: the console, and one for each report that is asked for.
    ///
    /// - Throws: ``ExitStatus/invalid`` when a report cannot be written, which is printed.
    func reporters(
        color: ColorChoice, environment: [String: String], showsCoverage: Bool
    ) throws -> [any Reporter] {
        var reporters: [any Reporter] = []
        do throws(ReportError) {
            let requests = try RequestedReports(report)
            let isOutputTaken = requests.areOnStandardOutput
            // The history comes first: at the run's end the others read what it has found.
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
        } catch {
            throw ExitStatus.invalid(because: error.message)
        }
        return reporters
    }

    /// Checks that no report takes the place of a file that the run reads.
    ///
    /// - Throws: ``ExitStatus/invalid`` when one does, which is printed.
    func checkReports(inputs: some Sequence<String>) throws {
        do throws(ReportError) {
            try RequestedReports(report).check(inputs: inputs)
        } catch {
            throw ExitStatus.invalid(because: error.message)
        }
    }

    /// The console report, on standard error when a report takes standard output.
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
        // Text on standard error may come between that of other reports, which have no sections.
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
