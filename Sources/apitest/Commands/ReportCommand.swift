/// `apitest report convert|merge|show|trends`
struct ReportCommand: CommandFolder {
    static let description = CommandDescription(
        name: "report", abstract: "Make reports of records, and read what earlier runs have left.",
        discussion: """
            A record is what "--report json" writes. Exit status of convert, merge and show: that of the run that was \
            recorded; 1 for one that is not whole, as its record breaks off or a shard is missing; 2 when a record cannot be read or a report cannot be written.
            """,
        subcommands: [
            ReportConvertCommand.self, ReportMergeCommand.self, ReportShowCommand.self, ReportTrendsCommand.self,
        ])
}
