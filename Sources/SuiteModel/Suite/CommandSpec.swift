public import Diagnostics

/// A program that a step runs (`run`).
public struct CommandSpec: Sendable {
    /// The program and its arguments.
    public enum Line: Sendable {
        /// A program and its arguments, without a shell.
        case program([Template])
        /// A command line for `/bin/sh -c`.
        case shell(Template)
    }

    /// The time limit of a command that specifies none, in nanoseconds.
    public static let standardTimeout: Int64 = 60_000_000_000

    /// The program and its arguments.
    public var line: Line
    /// The text for the standard input; nil for empty input.
    public var input: Template?
    /// Variables that are added to the environment of the process.
    public var environment: [(name: String, value: Template)] = []
    /// The working directory, relative to that of the suite; nil for that of the suite.
    public var directory: Template?
    /// The source range of ``directory``.
    public var directoryRange: SourceRange?
    /// The time limit, in nanoseconds; nil for the default.
    public var timeout: Templated<Int64>?
    /// The source range of the command.
    public var range: SourceRange

    /// Creates a command without input in the directory of the suite.
    public init(line: Line, range: SourceRange) {
        self.line = line
        self.range = range
    }

    /// The command line as written, which is the default name of a step.
    public var source: String {
        switch line {
        case .program(let arguments): arguments.map(\.source).joined(separator: " ")
        case .shell(let line): line.source
        }
    }
}
