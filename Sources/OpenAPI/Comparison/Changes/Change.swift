/// One difference between two descriptions of an API.
public struct Change: Sendable {
    /// The kind of change: an id of ``ChangeCatalog``.
    public var id: String
    /// What it means for clients.
    public var level: ChangeLevel
    /// What changed, as one sentence without a final full stop.
    public var message: String
    /// The operation, such as `GET /books/{id}`, or the path or webhook; nil for what concerns the whole description.
    public var operation: String?
    /// Where it is in the old description, or what would hold it there; nil when that has neither.
    public var oldPlace: DescriptionNode?
    /// Where it is in the new description, or what would hold it there; nil when that has neither.
    public var newPlace: DescriptionNode?
    /// The part of the description.
    public var section: ChangeSection
}

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

/// The part of a description that a change is in.
public enum ChangeSection: String, Sendable, Hashable, CaseIterable {
    case info
    case servers
    case paths
    case parameters
    case requestBody = "request-body"
    case responses
    case headers
    case callbacks
    case webhooks
    case security
    case tags
    case components
}
