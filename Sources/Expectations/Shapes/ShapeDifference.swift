/// How values differ from the shape that is locked for them.
public struct ShapeDifference: Sendable, Hashable {
    /// What is different.
    public enum Kind: Sendable, Hashable {
        /// A member that every object had is gone.
        case lostMember
        /// A value has another type.
        case type
        /// A value is null, which none was.
        case null
        /// A string is not of the format that all had.
        case format
        /// There is a member that none had.
        case newMember
        /// There is a value that the enumeration has not.
        case newValue

        /// Whether the shape is not allowed; otherwise it is wider than what is locked, in a way that breaks no reader.
        public var isBreaking: Bool {
            switch self {
            case .lostMember, .type, .null, .format: true
            case .newMember, .newValue: false
            }
        }
    }

    /// What is different.
    public var kind: Kind
    /// Where.
    public var path: ShapePath
    /// The first places in the value, such as `$.items[3].name`.
    public var places: [String] = []
    /// How many places there are.
    public var count = 1
    /// What is locked there; nil for a new member.
    public var locked: Shape?
    /// What was found there; nil for a member that is gone.
    public var found: Shape?

    /// Creates a difference.
    public init(kind: Kind, path: ShapePath, locked: Shape? = nil, found: Shape? = nil) {
        self.kind = kind
        self.path = path
        self.locked = locked
        self.found = found
    }

    /// Where, as people read it: the place itself where there is one alone.
    public var placeText: String { count == 1 ? places.first ?? path.description : path.description }

    /// The first of several places; nil for a single one.
    public var placesNote: String? {
        guard count > 1, !places.isEmpty else { return nil }
        let more = count > places.count ? " and \(count - places.count) more" : ""
        return "at \(places.joined(separator: ", "))\(more)"
    }

    /// One sentence without a final full stop.
    public var message: String {
        let locked = locked?.phrase ?? "nothing"
        let found = found?.phrase ?? "nothing"
        return switch kind {
        case .lostMember: "the member is gone, which is locked as \(locked)"
        case .type, .format: "locked as \(locked), got \(found)"
        case .null: "locked as \(locked), got null"
        case .newMember: "the member is new: \(found)"
        case .newValue: "locked as \(locked), got another value"
        }
    }
}
