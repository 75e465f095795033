import ArgumentParser
import Basics
import FileSystem
import Glibc
import Reports

/// `apitest report show RECORD`
struct ReportShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print what the console showed in the recorded run.")

    @Argument(
        help: ArgumentHelp("The record; - for standard input.", valueName: "record"),
        completion: .file(extensions: ["jsonl"]))
    var record: String

    @Flag(name: .shortAndLong, help: "Show only failures and the summary.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Show each exchange that was recorded; twice, headers and timings too.")
    var verbose: Int

    @Option(name: .long, help: "Color: auto, always or never.")
    var color: ColorChoice = .auto

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
