import ArgumentParser

/// `apitest report convert|merge|show|trends`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Make reports of records, and read what earlier runs have left.",
        discussion: """
            A record is what "--report json" writes. Exit status of convert, merge and show: that of the run that was \
            recorded; 130 for one whose record breaks off; 2 when a record cannot be read or a report cannot be written.
            """,
        subcommands: [
            ReportConvertCommand.self, ReportMergeCommand.self, ReportShowCommand.self, ReportTrendsCommand.self,
        ])
}
