import Basics
import FileSystem
import Glibc
import Reports

/// `apitest report show RECORD`
struct ReportShowCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "show", abstract: "Print what the console showed in the recorded run.")

    var record = ""
    var quiet = false
    var verbose = 0
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .argument(
                "record", \.record, isRequired: true, "The record; - for standard input.", completion: .files(["jsonl"])
            ),
            .flag("quiet", short: "q", \.quiet, "Show only failures and the summary."),
            .count(
                "verbose", short: "v", \.verbose,
                "Show each exchange that was recorded; twice, headers and timings too."),
            .option("color", \.color, "Color: auto, always or never."),
        ]
    }

    func run() throws {
        let environment = ProcessEnvironment.variables()
        let commands = CommandGuard(environment: environment)
        var options = ConsoleOptions(
            color: color.isOn(for: STDOUT_FILENO, environment: environment), width: Terminal.width(of: STDOUT_FILENO),
            verbosity: quiet ? -1 : verbose, recordPath: record == "-" ? nil : record)
        options.folding = LogFolding(environment: environment, time: WallClock.now())
        let isFolding = options.folding != nil
        let console = ConsoleReporter(
            options: options, output: { StandardOutput.write(isFolding ? $0 : commands.output($0)) },
            progress: { StandardError.write(commands.error($0)) }
        )
        throw try RecordPlay(reporters: [console]).status { player throws(RecordError) in try player.play(record) }
    }
}
