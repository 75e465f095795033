/// The header fields of one name.
public enum HeaderLookup {
    /// There is none.
    case none
    /// There is one, with its value.
    case one(String)
    /// There are several; the value of the first.
    case several(first: String)

    /// The value of the first field; nil when there is none.
    var first: String? {
        switch self {
        case .none: nil
        case .one(let value), .several(let value): value
        }
    }

    /// Adds a field that comes later in the message.
    public mutating func add(_ value: String) {
        switch self {
        case .none: self = .one(value)
        case .one(let first): self = .several(first: first)
        case .several: break
        }
    }
}
