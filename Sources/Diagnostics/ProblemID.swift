/// The kind of an error outside of the text of a suite: in an option, in an argument, or in a file that one of them names.
///
/// The raw value is the id that messages print and `apitest explain` explains. It stays the same when messages change.
public enum ProblemID: String, Sendable, Hashable, CaseIterable {

    // MARK: The command line

    /// A command does not exist.
    case unknownCommand = "unknown-command"
    /// An option does not exist.
    case unknownOption = "unknown-option"
    /// A command has more arguments than it accepts.
    case unexpectedArgument = "unexpected-argument"
    /// A command lacks an argument.
    case missingArgument = "missing-argument"
    /// An option lacks its value.
    case missingValue = "missing-value"
    /// An option that accepts no value has one.
    case unexpectedValue = "unexpected-value"
    /// A command or an option requires another option.
    case missingOption = "missing-option"
    /// Options or arguments cannot be used together.
    case conflictingOptions = "conflicting-options"
    /// The value of an option or an argument is refused.
    case invalidOption = "invalid-option"
    /// A value is not one of the words that an option or an argument accepts.
    case unknownValue = "unknown-value"
    /// An environment variable that an option reads is missing or invalid.
    case environmentVariable = "environment-variable"

    // MARK: Names and selections

    /// A contract lacks an operation or a path.
    case unknownOperation = "unknown-operation"
    /// No operation of a contract has a tag.
    case unknownTag = "unknown-tag"
    /// A suite lacks a profile of loads.
    case unknownProfile = "unknown-profile"
    /// A contract change does not exist.
    case unknownCheck = "unknown-check"
    /// A level of contract changes does not exist.
    case unknownLevel = "unknown-level"
    /// An option or a command needs a suite with a contract.
    case missingContract = "missing-contract"
    /// There are several suites where one is expected.
    case severalSuites = "several-suites"
    /// A directory contains no suite.
    case noSuites = "no-suites"
    /// No test, operation or request is selected.
    case nothingSelected = "nothing-selected"
    /// Imported files or a recording have no request.
    case noRequests = "no-requests"
    /// A history has no run.
    case noRuns = "no-runs"
    /// Less of a contract is covered than an option requires.
    case coverage
    /// The login of a search for faults provides no credentials.
    case failedLogin = "failed-login"

    // MARK: Files

    /// A file or a directory does not exist.
    case missingFile = "missing-file"
    /// A file cannot be read.
    case unreadableFile = "unreadable-file"
    /// A file exceeds the maximum size.
    case fileTooLarge = "file-too-large"
    /// A file is outside of the directory that must contain all files.
    case fileOutsideRoot = "file-outside-root"
    /// A file cannot be written.
    case unwritableFile = "unwritable-file"
    /// A file would be overwritten.
    case existingFile = "existing-file"
    /// Two outputs have the same path, or an output has the path of an input.
    case conflictingOutputs = "conflicting-outputs"
    /// Standard input, a URL or a revision is given where a file is needed.
    case fileRequired = "file-required"
    /// A report or a record cannot be read.
    case unreadableReport = "unreadable-report"
    /// A report or a record is damaged.
    case invalidReport = "invalid-report"
    /// The format of a file to import is not recognized.
    case unknownImportFormat = "unknown-import-format"
    /// A file, or a directory of files, is too large to import.
    case importTooLarge = "import-too-large"
    /// A file of certificates, or a key, cannot be used.
    case invalidTrust

    // MARK: The machine

    /// The address or the port of a server is not available.
    case unavailableAddress = "unavailable-address"
    /// The system lacks something that the program needs.
    case missingResource = "missing-resource"
    /// The program has a bug.
    case internalError = "internal-error"
}

extension ProblemID {
    /// Returns the kind of the error of reading a file.
    ///
    /// - Parameter isMissing: Whether the file does not exist.
    public static func reading(isMissing: Bool) -> ProblemID { isMissing ? .missingFile : .unreadableFile }
}
