import ArgumentParser
import FileSystem
import Glibc
import JSON
import Reports

/// `apitest report trends FOLDER`
struct ReportTrendsCommand: ParsableCommand {
    /// How the trends are written.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json, markdown
    }

    static let configuration = CommandConfiguration(
        commandName: "trends", abstract: "Say what the runs tell that \"--history\" has kept.",
        discussion: """
            Named are tests that fail since the last run or longer, that pass again, that pass and fail on the same \
            revision and content of their suite, and that take longer than the median of earlier runs.
            """)

    @Argument(help: ArgumentHelp("The folder of the history.", valueName: "folder"), completion: .directory)
    var folder: String

    @Option(name: .long, help: "How the trends are written: text, json or markdown.")
    var format: Format = .text

    @Option(name: .long, help: "Color: auto, always or never.")
    var color: ColorChoice = .auto

    func run() throws {
        let trends: Trends
        do {
            trends = try HistoryReader.trends(ofFolder: folder)
        } catch {
            throw ExitStatus.invalid(because: error.message)
        }
        let isColored = color.isOn(for: STDOUT_FILENO, environment: ProcessEnvironment.variables())
        let text =
            switch format {
            case .text: trends.text(color: isColored)
            case .json: trends.json.serialized(.pretty) + "\n"
            case .markdown: trends.markdown
            }
        StandardOutput.write(text)
    }
}
