import Basics
import Diagnostics
import FileSystem
import Glibc

/// The exit status of the program.
///
/// A command throws it to exit with a status other than 0.
enum ExitStatus: Int32, Error {
    /// All tests passed.
    case passed = 0
    /// At least one test failed or errored.
    case failed = 1
    /// A suite, an option, or a file is invalid, and nothing was sent.
    case invalid = 2
    /// No test was selected.
    case nothingSelected = 3
    /// An internal error of the program occurred.
    case internalError = 4
    /// A signal interrupted the run.
    ///
    /// Its reports are written.
    case interrupted = 130

    /// Prints the reason why an option or a file is invalid.
    ///
    /// - Returns: ``invalid``, to be thrown.
    static func invalid(_ id: ProblemID, because message: String) -> ExitStatus {
        StandardError.report(id, message)
        return .invalid
    }

    /// Prints the reason why no test was selected.
    ///
    /// - Returns: ``nothingSelected``, to be thrown.
    static func nothingSelected(because message: String) -> ExitStatus {
        StandardError.write("\(message) [\(ProblemID.nothingSelected.rawValue)]\n")
        return .nothingSelected
    }
}

/// An error within the text of an option or argument.
struct ArgumentProblem {
    /// The name of the option, such as `--tag`.
    var option: String
    /// The text that contains the error.
    var text: String
    /// A stable identifier of the kind of error.
    var id: String
    /// A one-sentence description without a final period.
    var message: MessageText
    /// The offset of the error in Unicode scalars.
    var offset: Int
    /// The length of the error in Unicode scalars.
    var length: Int
    /// A suggested replacement.
    var suggestion: MessageText?

    /// Prints the error with the part of the text that it concerns.
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
