import Reports

/// When it is shown how far a run is.
enum ProgressChoice: String, ArgumentValue, CaseIterable {
    /// A live line where standard error is a terminal that can draw it; in CI, and on other terminals, a plain line
    /// now and then.
    case auto
    /// A live line also in CI; elsewhere plain lines, and more often.
    case always
    /// Never.
    case never

    /// Nanoseconds without output after which a plain line is written that nobody has asked for: what watches a job in
    /// CI takes silence for an end.
    private static let quietInterval: Int64 = 30_000_000_000
    /// The same where plain lines are asked for.
    private static let interval: Int64 = 5_000_000_000

    /// How it is shown.
    func style(environment: [String: String]) -> ProgressStyle {
        let isTerminal = Terminal.isTerminalForProgress
        let canDraw = isTerminal && environment["TERM"] != "dumb"
        let isCI = !(environment["CI"] ?? "").isEmpty
        switch self {
        case .auto:
            if canDraw && !isCI { return .live }
            return isTerminal || isCI ? .lines(every: Self.quietInterval) : .none
        case .always: return canDraw ? .live : .lines(every: Self.interval)
        case .never: return .none
        }
    }
}
