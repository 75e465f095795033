import Diagnostics
import FileSystem
import Glibc

/// What the program says of its commands: their help, and the end of messages about wrong options.
struct HelpText {
    /// The column at which descriptions begin.
    private static let indentation = 26

    let call: CommandCall
    /// The columns of a line.
    let width: Int

    /// Takes the width from the environment or the terminal.
    init(_ call: CommandCall) {
        self.call = call
        width =
            ProcessEnvironment.variables()["COLUMNS"].flatMap { Int($0) }.map { max($0, 60) }
            ?? Terminal.width(of: STDOUT_FILENO) ?? 80
    }

    /// How the command is called, on one line.
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

    /// The command's whole help.
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

    /// What a parameter does, with its values and its default.
    private func explanation(of parameter: Parameter) -> String {
        var notes: [String] = []
        if !parameter.choices.isEmpty {
            notes.append("values: " + parameter.choices.joined(separator: ", "))
        }
        if let value = parameter.defaultValue(), !value.isEmpty { notes.append("default: " + value) }
        return notes.isEmpty ? parameter.help : "\(parameter.help) (\(notes.joined(separator: "; ")))"
    }

    /// A name with what it means beside it, or below a long one.
    private func entry(_ label: String, _ explanation: String) -> String {
        let start = "  " + label
        let lines = wrapped(explanation, indentation: Self.indentation)
        guard start.count < Self.indentation else { return "\(start)\n\(lines)\n" }
        return start + lines.dropFirst(start.count) + "\n"
    }

    /// Text in lines that are broken at spaces, each behind as many spaces.
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

    /// A message about a wrong command line, with how it is right.
    func message(for error: UsageError) -> String {
        let lines = error.message.split(separator: "\n").map { DisplayWidth.printable(String($0)) }
        var text = "Error: \(lines.joined(separator: "\n"))\n"
        if let help = error.help { text += "Help:  \(help.label)  \(help.text)\n" }
        return text + "Usage: \(usage)\n  See '\(call.name) --help' for more information.\n"
    }
}
