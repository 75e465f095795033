import Diagnostics
import FileSystem
import Glibc

/// The program's exit statuses; thrown by a command that ends with another status than 0.
enum ExitStatus: Int32, Error {
    /// All tests passed.
    case passed = 0
    /// At least one test failed or errored.
    case failed = 1
    /// A suite, an option or a file is wrong; nothing was sent.
    case invalid = 2
    /// No test was selected.
    case nothingSelected = 3
    /// Something is wrong with the program.
    case internalError = 4
    /// A signal stopped the run; its reports are written.
    case interrupted = 130

    /// Prints why an option or a file is wrong.
    ///
    /// - Returns: ``invalid``, to be thrown.
    static func invalid(because message: String) -> ExitStatus {
        StandardError.write("apitest: \(message)\n")
        return .invalid
    }
}

/// A mistake within the text of an option or argument.
struct ArgumentProblem {
    /// The option's name, as `--tag`.
    var option: String
    /// The text that holds the mistake.
    var text: String
    /// The stable name of the kind of mistake.
    var id: String
    /// What is wrong, in one sentence without a final full stop.
    var message: String
    /// The place, in Unicode scalars of the text.
    var offset: Int
    /// The length, in Unicode scalars of the text.
    var length: Int
    /// What to write instead.
    var suggestion: String?

    /// Prints the mistake with the part that it concerns.
    ///
    /// - Returns: ``ExitStatus/invalid``, to be thrown.
    func report(color: ColorChoice) -> ExitStatus {
        let file = SourceFile(name: option, text: text)
        let whole = SourceRange(
            file: file, start: file.position(atByteOffset: 0), end: file.position(atByteOffset: text.utf8.count))
        let range = whole.subrange(fromScalar: offset, toScalar: offset + max(length, 1))
        let isColored = color.isOn(for: STDERR_FILENO, environment: ProcessEnvironment.variables())
        StandardError.write(
            TextRenderer(color: isColored).render([
                Diagnostic(id: id, message: message, range: range, suggestion: suggestion)
            ]))
        return .invalid
    }
}
