import FileSystem
import Glibc
import JSON
import Reports

/// `apitest report trends FOLDER`
struct ReportTrendsCommand: SynchronousCommand {
    /// How the trends are written.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, json, markdown
    }

    static let description = CommandDescription(
        name: "trends", abstract: "Say what the runs tell that \"--history\" has kept.",
        discussion: """
            Named are tests that fail since the last run or longer, that pass again, that pass and fail on the same \
            revision and content of their suite, and that take longer than the median of earlier runs.
            """)

    var folder = ""
    var format: Format = .text
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .argument("folder", \.folder, isRequired: true, "The folder of the history.", completion: .directories),
            .option("format", \.format, "How the trends are written: text, json or markdown."),
            .option("color", \.color, "Color: auto, always or never."),
        ]
    }

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
