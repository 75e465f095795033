/// What a change means for those who use an API.
public enum ChangeLevel: String, Sendable, Hashable, Comparable, CaseIterable {
    /// Good to know.
    case info
    /// It may break clients, which the description alone cannot tell.
    case warning
    /// A client that followed the old description may fail.
    case breaking

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .breaking: 2
        }
    }

    /// Orders levels by weight.
    public static func < (left: ChangeLevel, right: ChangeLevel) -> Bool { left.rank < right.rank }
}
