import Diagnostics
import FileSystem
import Glibc

/// The help of a command, and the usage hints of error messages.
struct HelpText {
    /// The column at which descriptions start.
    private static let indentation = 26

    let call: CommandCall
    /// The maximum number of columns of a line.
    let width: Int

    /// Creates the help of a command, with the line width from the environment or the terminal.
    init(_ call: CommandCall) {
        self.call = call
        width =
            ProcessEnvironment.variables()["COLUMNS"].flatMap { Int($0) }.map { max($0, 60) }
            ?? Terminal.width(of: STDOUT_FILENO) ?? 80
    }

    /// The usage of the command, on one line.
    private var usage: String {
        let parameters = call.command.parameters
        var words = [call.name]
        if !call.command.description.subcommands.isEmpty { words.append("<subcommand>") }
        if parameters.contains(where: { $0.kind != .argument }) { words.append("[<options>]") }
        for parameter in parameters where parameter.kind == .argument {
            words.append(parameter.isRequired ? parameter.label() : "[\(parameter.label())]")
        }
        return words.joined(separator: " ")
    }

    /// The complete help of the command.
    var text: String {
        let description = call.command.description
        var overview = "OVERVIEW: \(description.abstract)"
        if !description.discussion.isEmpty { overview += "\n\n\(description.discussion)" }
        var text = wrapped(overview, indentation: 0) + "\n\nUSAGE: \(usage)\n"
        let parameters = call.command.parameters
        let arguments = parameters.filter { $0.kind == .argument }
        let options = parameters.filter { $0.kind != .argument } + Parameter.general
        if !arguments.isEmpty {
            text += "\nARGUMENTS:\n" + arguments.map { entry("<\($0.name)>", explanation(of: $0)) }.joined()
        }
        text += "\nOPTIONS:\n" + options.map { entry($0.label(), explanation(of: $0)) }.joined()
        guard !description.subcommands.isEmpty else { return text }
        text += "\nSUBCOMMANDS:\n"
        for command in description.subcommands {
            let isDefault = call.path.count == 1 && command == Apitest.defaultCommand
            text += entry(command.description.name + (isDefault ? " (default)" : ""), command.description.abstract)
        }
        let below = call.path.dropFirst().map { $0.description.name + " " }.joined()
        return text + "\n  See 'apitest help \(below)<subcommand>' for detailed help.\n"
    }

    /// Returns the description of a parameter with its allowed values and default.
    private func explanation(of parameter: Parameter) -> String {
        var notes: [String] = []
        if !parameter.choices.isEmpty {
            notes.append("values: " + parameter.choices.joined(separator: ", "))
        }
        if let value = parameter.defaultValue(), !value.isEmpty { notes.append("default: " + value) }
        if parameter.kind == .option, parameter.isRepeatable { notes.append("repeatable") }
        return notes.isEmpty ? parameter.help : "\(parameter.help) (\(notes.joined(separator: "; ")))"
    }

    /// Returns a label with its description beside it, or below it if the label is long.
    private func entry(_ label: String, _ explanation: String) -> String {
        let start = "  " + label
        let lines = wrapped(explanation, indentation: Self.indentation)
        guard start.count < Self.indentation else { return "\(start)\n\(lines)\n" }
        return start + lines.dropFirst(start.count) + "\n"
    }

    /// Returns text wrapped at spaces, with each line indented.
    private func wrapped(_ text: String, indentation: Int) -> String {
        let columns = max(width - indentation, 20)
        var lines: [Substring] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var rest = paragraph
            while rest.count > columns {
                let space = rest.prefix(columns).lastIndex(of: " ") ?? rest.firstIndex(of: " ")
                guard let space else { break }
                lines.append(rest[..<space])
                rest = rest[rest.index(after: space)...]
            }
            lines.append(rest)
        }
        let margin = String(repeating: " ", count: indentation)
        return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
    }

    /// Returns the message for a usage error, with a usage hint.
    func message(for error: UsageError) -> String {
        let lines = error.message.split(separator: "\n").map { DisplayWidth.printable(String($0)) }
        var text = "Error: \(lines.joined(separator: "\n")) [\(error.id.rawValue)]\n"
        if let help = error.help { text += "Help:  \(help.label)  \(help.text)\n" }
        return text + "Usage: \(usage)\n  See '\(call.name) --help' for more information.\n"
    }
}
