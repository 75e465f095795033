import Basics
import CEL
import Diagnostics
import Expectations
import FileSystem
import Glibc
import JSON
import Runner

/// The `apitest eval EXPRESSION` command.
struct EvalCommand: SynchronousCommand {
    static let description = CommandDescription(
        name: "eval", abstract: "Evaluate an expression and print its value as JSON")

    var expression = ""
    var variable: [String] = []
    var variablesFile: [String] = []
    var seed: UInt64?
    var explain = false
    var color: ColorChoice = .auto

    static var syntax: [Syntax] {
        [
            .argument("expression", \.expression, isRequired: true, "Expression, without ${ }"),
            .option(
                "variable", value: "name=value", \.variable,
                "Set a variable: NAME=TEXT, or NAME:=JSON for a typed value"),
            .option(
                "variables-file", value: "file", \.variablesFile,
                "YAML or JSON file of variables; later files override earlier ones"),
            .option("seed", \.seed, "Seed for random values"),
            .flag("explain", \.explain, "Also show how the value was computed"),
            .option("color", \.color, "When to use color"),
        ]
    }

    func run() throws {
        var options = SuiteOptions()
        options.variable = variable
        options.color = color
        let (fileVariables, problems) = SuiteOptions.variables(ofFiles: variablesFile)
        options.printDiagnostics(problems)
        if problems.contains(where: { $0.severity == .error }) { throw ExitStatus.invalid }
        let scope = CELVariables(fileVariables.merging(try options.variables()) { $1 })
        let environment = ProcessEnvironment.variables()
        let directory = Path.workingDirectory
        let files = FileAccess(root: directory)
        let context = CELContext(
            random: seed.map(CELRandomSource.init(seed:)) ?? CELRandomSource(), environment: { environment[$0] },
            readFile: { path in
                do throws(FileAccess.Failure) {
                    return try files.read(path, relativeTo: directory)
                } catch {
                    throw CELFileError(error.message)
                }
            })
        let compiled: CELExpression
        do {
            compiled = try CELExpression(expression)
        } catch {
            throw report(error.message, offset: error.offset, length: error.length, id: "invalid-expression")
        }
        let again = context.repeatable()
        do {
            let value = try compiled.evaluate(scope, context: context)
            if let json = value.json {
                StandardOutput.write(json.serialized(.pretty) + "\n")
            } else {
                StandardOutput.write(value.text + "\n")
            }
            if explain { StandardOutput.write(explanation(compiled, scope, again)) }
        } catch {
            let status = report(error.message, offset: error.offset, length: error.length, id: "evaluation")
            if explain { StandardError.write(explanation(compiled, scope, again)) }
            throw status
        }
    }

    /// Returns the steps of the evaluation, one per line.
    private func explanation(_ expression: CELExpression, _ scope: CELVariables, _ context: CELContext) -> String {
        ExplanationText.lines(expression.explain(scope, context: context)).map { $0.text + "\n" }.joined()
    }

    /// Prints a problem with the part of the expression that it concerns.
    private func report(_ message: MessageText, offset: Int, length: Int, id: String) -> ExitStatus {
        let file = SourceFile(name: "expression", text: expression)
        let whole = SourceRange(
            file: file, start: file.position(atByteOffset: 0), end: file.position(atByteOffset: expression.utf8.count))
        let range = whole.subrange(fromScalar: offset, toScalar: offset + max(length, 1))
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(
            TextRenderer(color: isColored).render([Diagnostic(id: id, message: message, range: range)]))
        return .invalid
    }
}
