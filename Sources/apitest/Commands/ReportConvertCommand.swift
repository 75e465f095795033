import ArgumentParser
import Reports

/// `apitest report convert RECORD --report FORMAT[=PATH]…`
struct ReportConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Write the reports that the recorded run would have written.")

    @Argument(
        help: ArgumentHelp("The record; - for standard input.", valueName: "record"),
        completion: .file(extensions: ["jsonl"]))
    var record: String

    @Option(
        name: .long,
        help: ArgumentHelp("A report, as FORMAT[:OPTION,…][=PATH]; may be repeated.", valueName: "format[=path]"))
    var report: [String] = []

    func validate() throws {
        if report.isEmpty { throw ValidationError("--report is missing: say which report to write") }
    }

    func run() throws {
        throw try RecordPlay(report, of: [record]).status { player throws(RecordError) in try player.play(record) }
    }
}
