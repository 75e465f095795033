import Diagnostics
import Output
import RunModel
import RunRecord

/// The text of a program's execution in reports.
enum CommandText {
    /// Returns the request line of a command.
    static func line(_ command: CommandExecution) -> String {
        DisplayWidth.printable("→ \(CommandExecution.method) \(command.line)")
    }

    /// Returns the termination status: `exit 0`, `signal 9`.
    static func ending(_ command: CommandExecution) -> String {
        switch command.ending {
        case .exit(let status): "exit \(status)"
        case .signal(let signal): "signal \(signal)"
        case nil: "no exit status"
        }
    }

    /// Returns a line with the termination status and the size of the output.
    static func result(_ command: CommandExecution, of exchange: Exchange, sizes: BodySizes.Pair) -> String {
        guard let response = exchange.response else { return "← " + ending(command) }
        return "← \(ending(command)) \(NumberText.size(sizes.response ?? response.body.count))"
    }

    /// Returns a transcript of the command line, the input, the termination status and both output streams.
    static func transcript(_ command: CommandExecution, of exchange: Exchange, sizes: BodySizes.Pair) -> String {
        var text = "$ \(command.line)\n"
        ExchangeTranscript.write([], exchange.request.body, size: sizes.request, isCut: false, into: &text)
        text += "\n\(ending(command))\n"
        if let response = exchange.response {
            ExchangeTranscript.write(
                [], response.body, size: sizes.response, isCut: sizes.isResponseCut, into: &text)
        }
        if !command.errors.isEmpty {
            text += "\nstandard error:\n"
            ExchangeTranscript.write(
                [], command.errors, size: command.errorSize, isCut: command.isErrorCut, into: &text)
        }
        return text
    }
}

extension ExchangeLayout {
    /// Appends the command line with its input, the termination status with the output, and the standard error.
    func write(
        _ command: CommandExecution, of exchange: Exchange, sizes: BodySizes.Pair, into output: inout String
    ) {
        let input = exchange.request.body
        let head = CommandText.line(command)
        let result = CommandText.result(command, of: exchange, sizes: sizes)
        let standard = exchange.response?.body ?? []
        var column = 0
        if !input.isEmpty { column = DisplayWidth.of(head) }
        if !standard.isEmpty { column = max(column, DisplayWidth.of(result)) }
        column += 3
        write(
            head, fields: [], body: BodyExcerpt(input, contentType: nil, size: sizes.request), column: column,
            limit: requestLines, into: &output)
        write(
            result, fields: [], body: BodyExcerpt(standard, contentType: nil, size: sizes.response), column: column,
            limit: responseLines, into: &output)
        if command.errors.isEmpty { return }
        write(
            "← stderr \(NumberText.size(command.errorSize))", fields: [],
            body: BodyExcerpt(command.errors, contentType: nil, size: command.errorSize), column: column,
            limit: responseLines, into: &output)
    }
}
