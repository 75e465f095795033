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
