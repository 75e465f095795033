/// A difference between two descriptions of an API.
public struct Change: Sendable {
    /// The identifier of the change's kind in ``ChangeCatalog``.
    public var id: String
    /// The effect of the change on clients.
    public var level: ChangeLevel
    /// The description of the change, in one sentence without a period.
    public var message: String
    /// The operation (`GET /books/{id}`), path, or webhook, or `nil` if the change affects the whole description.
    public var operation: String?
    /// The location in the old description, or that of the enclosing object if the part is absent there.
    ///
    /// The value is `nil` if the old description has neither.
    public var oldLocation: DescriptionNode?
    /// The location in the new description, or that of the enclosing object if the part is absent there.
    ///
    /// The value is `nil` if the new description has neither.
    public var newLocation: DescriptionNode?
    /// The section of the description.
    public var section: ChangeSection
}

/// The severity of a change for the clients of an API.
public enum ChangeLevel: String, Sendable, Hashable, Comparable, CaseIterable {
    /// An informational change.
    case info
    /// A change that may break clients, depending on details that the description does not contain.
    case warning
    /// A change that can break a client that follows the old description.
    case breaking

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .breaking: 2
        }
    }

    /// Orders levels by severity.
    public static func < (left: ChangeLevel, right: ChangeLevel) -> Bool { left.rank < right.rank }
}

/// A section of a description.
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
