/// How the console report looks.
public struct ConsoleOptions: Sendable, Hashable {
    /// Whether results are coloured with terminal control sequences.
    public var color: Bool
    /// The terminal's columns; nil when results do not go to a terminal.
    public var width: Int?
    /// -1 for failures and the summary alone, 0 for a line per suite too, 1 for each test with its exchanges, 2 for
    /// header fields and timings too.
    public var verbosity: Int
    /// Whether a live line shows how far the run is.
    public var showsProgress: Bool
    /// Whether each exchange that is shown has the curl command that repeats it, also where nothing failed.
    public var showsCurl: Bool

    /// Creates options.
    public init(
        color: Bool = false, width: Int? = nil, verbosity: Int = 0, showsProgress: Bool = false,
        showsCurl: Bool = false
    ) {
        self.color = color
        self.width = width
        self.verbosity = verbosity
        self.showsProgress = showsProgress
        self.showsCurl = showsCurl
    }

    /// The columns that are used: 100 without a terminal, and never so few that nothing could be read.
    var columns: Int { max(40, width ?? 100) }
}
