import ArgumentParser

/// `apitest report trends`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Read what earlier runs have left.", subcommands: [ReportTrendsCommand.self])
}
