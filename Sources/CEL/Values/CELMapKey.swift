import JSON

/// A map's key in the form that compares and hashes: numbers of equal value are one key, strings compare by scalars.
enum CELMapKey: Sendable, Hashable {
    case bool(Bool)
    case int(Int64)
    /// Only numbers above `Int64.max`.
    case uint(UInt64)
    case string(String)

    /// The key for a look-up; nil for what can be no key of any map (so that looking it up finds nothing).
    init?(lookingUp value: CELValue) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .uint(let value): self = Int64(exactly: value).map { .int($0) } ?? .uint(value)
        case .string(let text): self = .string(text)
        case .double(let value):
            if let integer = Int64(exactly: value) {
                self = .int(integer)
            } else if let integer = UInt64(exactly: value) {
                self = .uint(integer)
            } else {
                return nil
            }
        case .number(let number):
            if let integer = number.int64 {
                self = .int(integer)
            } else if let integer = number.uint64 {
                self = .uint(integer)
            } else {
                return nil
            }
        default: return nil
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.string(let left), .string(let right)): Scalars.areEqual(left, right)
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .uint(let value): hasher.combine(value)
        case .string(let text):
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}

extension CELMapKey {
    /// The key as a list's index; nil for what is no integer.
    var integer: Int64? {
        switch self {
        case .int(let value): value
        case .uint: .max
        case .bool, .string: nil
        }
    }
}
