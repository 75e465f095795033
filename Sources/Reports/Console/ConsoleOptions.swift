/// How the console report looks.
public struct ConsoleOptions: Sendable {
    /// Whether results are coloured with terminal control sequences.
    public var color: Bool
    /// The terminal's columns; nil when results do not go to a terminal.
    public var width: Int?
    /// -1 for failures and the summary alone, 0 for a line per suite too, 1 for each test with its exchanges, 2 for
    /// header fields, events and timings too.
    public var verbosity: Int
    /// How it is shown how far the run is.
    public var progress: ProgressStyle
    /// Whether results appear on the terminal that has the live line, so that they must not run into it.
    public var sharesTerminal: Bool
    /// Whether each exchange that is shown has the curl command that repeats it, also where nothing failed.
    public var showsCurl: Bool
    /// The path of a report of this run from which the tests that did not pass can be run again; nil when there is none.
    public var recordPath: String?

    /// When failures are shown.
    public var failureOutput = FailureOutput.immediate
    /// How the log folds parts away; nil for output that is no log of a CI service that can.
    public var folding: LogFolding?
    /// Whether the coverage of the suites' contracts is listed in full.
    public var showsCoverage = false

    /// Creates options.
    public init(
        color: Bool = false, width: Int? = nil, verbosity: Int = 0, progress: ProgressStyle = .none,
        sharesTerminal: Bool = false, showsCurl: Bool = false, recordPath: String? = nil
    ) {
        self.color = color
        self.width = width
        self.verbosity = verbosity
        self.progress = progress
        self.sharesTerminal = sharesTerminal
        self.showsCurl = showsCurl
        self.recordPath = recordPath
    }

    /// The columns in which text is laid out: 100 without a terminal, and never so few that nothing could be read.
    var columns: Int { max(20, width ?? 100) }
    /// The columns at which names and messages are cut: nowhere without a terminal.
    var longestLine: Int { width == nil ? TextFitting.unlimited : columns }
    /// The columns at which lines of a body are cut.
    var longestBodyLine: Int { width == nil ? 4_096 : columns }
}

/// When the console shows failures.
public enum FailureOutput: String, Sendable, Hashable, CaseIterable {
    /// As they happen.
    case immediate
    /// Before the summary, in the order of the files.
    case final
    /// Both as they happen and before the summary.
    case both

    /// Whether a failure is shown as it happens.
    var isImmediate: Bool { self != .final }
    /// Whether failures are shown before the summary.
    var isFinal: Bool { self != .immediate }
}
