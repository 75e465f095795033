import ArgumentParser
import Glibc
import Reports

/// The options that say what a run writes.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Write a report, as FORMAT or FORMAT=PATH; may be repeated. Formats: junit.", valueName: "format[=path]"))
    var report: [String] = []

    @Flag(name: .long, help: "Write snapshots that are missing or differ, and remove those that no test uses.")
    var updateSnapshots = false

    @Flag(name: .shortAndLong, help: "Show only failures and the summary.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show each exchange; twice, headers and timings too.")
    var verbose: Int

    @Flag(name: .long, help: "Show each exchange with the curl command that repeats it.")
    var curl = false

    @Option(name: .long, help: "The live line that shows how far a run is: auto, always or never.")
    var progress: ProgressChoice = .auto

    /// How much of the run the console shows, as ``ConsoleOptions/verbosity`` has it.
    var verbosity: Int { quiet ? -1 : max(verbose, curl ? 1 : 0) }

    /// The reporters of a run: the console, and one for each report that is asked for.
    ///
    /// - Throws: ``ExitStatus/invalid`` when a report cannot be written, which is printed.
    func reporters(color: ColorChoice, environment: [String: String]) throws -> [any Reporter] {
        var reporters: [any Reporter] = [console(color: color, environment: environment)]
        do throws(ReportError) {
            var paths: Set<String> = []
            for text in report {
                let request = try ReportRequest(text)
                if let path = request.path, !paths.insert(path).inserted {
                    throw ReportError(path: path, message: "two reports would be written to \(path)")
                }
                reporters.append(try ReporterFactory.reporter(for: request))
            }
        } catch {
            throw ExitStatus.invalid(because: error.message)
        }
        return reporters
    }

    private func console(color: ColorChoice, environment: [String: String]) -> ConsoleReporter {
        ConsoleReporter(
            options: ConsoleOptions(
                color: color.isOn(for: STDOUT_FILENO, environment: environment),
                width: Terminal.width(of: STDOUT_FILENO), verbosity: verbosity,
                showsProgress: !quiet && progress.isOn(environment: environment), showsCurl: curl),
            output: { text in
                StandardOutput.write(text)
                if isatty(STDOUT_FILENO) == 1 { StandardOutput.flush() }
            },
            progress: StandardError.write)
    }
}
