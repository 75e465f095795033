import Basics
import Diagnostics
import Explanations
import FileSystem
import Glibc
import JSON
import Output
import Runner

/// The `apitest explain [ID…]` command.
struct ExplainCommand: SynchronousCommand {
    /// The output format of explanations.
    enum Format: String, ArgumentValue, CaseIterable {
        case text, markdown, json
    }

    static let description = CommandDescription(
        name: "explain", abstract: "Explain an id that a message prints",
        discussion: """
            Messages print their id in brackets, such as [unknown-key]. An explanation has an example that leads to the \
            message, and the corrected example. Without an id, all ids are listed, except those of changes, which \
            `apitest contract diff --checks` lists.
            """)

    var ids: [String] = []
    var format: Format = .text
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .arguments("id", \.ids, "Id to explain", completion: .words { _ in Explanations.ids }),
            .option("format", \.format, "Output format"),
            .option("color", \.color, "When to use color"),
        ]
    }

    func run() throws {
        var explanations: [Explanation] = []
        for argument in ids {
            // Brackets may be copied with the id.
            let id = String(argument.drop { $0 == "[" }.prefix { $0 != "]" })
            let found = Explanations.of(id)
            guard !found.isEmpty else {
                let hint = Spelling.nearest(to: id, among: Explanations.ids).map { "did you mean \"\($0)\"?" }
                throw UsageError(
                    .unknownValue, "unknown id \"\(id)\"; " + (hint ?? "\"apitest explain\" lists all ids"))
            }
            explanations += found
        }
        let painter = Painter(color: color.isOn(for: STDOUT_FILENO, environment: ProcessEnvironment.variables()))
        switch format {
        case .text where ids.isEmpty:
            StandardOutput.write(ExplanationOutput.list(Explanations.pages, painter: painter))
        case .text: StandardOutput.write(ExplanationOutput.terminal(explanations, painter: painter))
        case .markdown:
            StandardOutput.write(ExplanationOutput.markdown(ids.isEmpty ? Explanations.pages : explanations))
        case .json:
            let shown = ids.isEmpty ? Explanations.pages : explanations
            StandardOutput.write(ExplanationOutput.json(shown).serialized(.pretty) + "\n")
        }
    }
}
