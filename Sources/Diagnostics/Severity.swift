/// How bad a problem is; `error` is the greatest.
public enum Severity: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Nothing can be run with this problem.
    case error
    /// Probably a mistake, but what was written has a meaning.
    case warning
    /// Information.
    case note

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }

    /// Orders from `note` to `error`.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}
