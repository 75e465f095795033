import Basics
import CEL
import Diagnostics
import RunModel
import SuiteModel

/// Renders the programs of a run.
struct CommandRenderer: Sendable {
    let options: RunOptions
    let files: FileAccess

    /// Returns the process of a command, and its representation in reports.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - scope: The variables of its expressions.
    ///   - directory: The directory of the suite or fragment that contains the command.
    ///   - limit: The maximum time limit, in nanoseconds.
    func process(
        _ command: CommandSpec, in scope: some CELScope, context: CELContext, directory: String, limit: Int64? = nil
    ) throws(TemplateError) -> (CommandProcess, CommandExecution) {
        func text(_ template: Template) throws(TemplateError) -> String {
            let text = try template.text(in: scope, context: context)
            guard text.utf8.contains(0) else { return text }
            throw TemplateError(
                message: "an argument of a program cannot contain a NUL character",
                range: template.expressions.first?.range ?? command.range, expression: template.source)
        }
        var arguments: [String] = []
        let shown: [String]
        let usesShell: Bool
        switch command.line {
        case .program(let templates):
            for template in templates { arguments.append(try text(template)) }
            shown = arguments
            usesShell = false
        case .shell(let template):
            shown = [try text(template)]
            arguments = ["/bin/sh", "-c"] + shown
            usesShell = true
        }
        var environment = options.environment
        for (name, value) in command.environment { environment[name] = try text(value) }
        var working = directory
        if let template = command.directory {
            let path = try template.text(in: scope, context: context)
            do {
                working = try files.path(of: path, relativeTo: directory)
            } catch {
                throw TemplateError(
                    message: error.message, range: command.directoryRange ?? command.range,
                    expression: template.source)
            }
        }
        let input = try command.input?.text(in: scope, context: context) ?? ""
        let own = try command.timeout?.value(in: scope, context: context)
        let timeout = own ?? options.timeout ?? CommandSpec.standardTimeout
        let process = CommandProcess(
            arguments: arguments, environment: environment.map { "\($0.key)=\($0.value)" }, directory: working,
            input: Array(input.utf8), timeout: min(timeout, limit ?? timeout), clock: options.clock)
        return (process, CommandExecution(arguments: shown, usesShell: usesShell))
    }
}
