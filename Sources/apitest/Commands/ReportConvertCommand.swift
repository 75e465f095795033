import Reports

/// `apitest report convert RECORD --report FORMAT[=PATH]…`
struct ReportConvertCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "convert", abstract: "Write the reports that the recorded run would have written.")

    var record = ""
    var report: [String] = []

    static var syntax: [Syntax] {
        [
            .argument(
                "record", \.record, isRequired: true, "The record; - for standard input.", completion: .files(["jsonl"])
            ),
            .option(
                "report", value: "format[=path]", \.report, "A report, as FORMAT[:OPTION,…][=PATH]; may be repeated."),
        ]
    }

    func validate() throws {
        if report.isEmpty { throw UsageError("--report is missing: say which report to write") }
    }

    func run() throws {
        throw try RecordPlay(report, of: [record]).status { player throws(RecordError) in try player.play(record) }
    }
}
