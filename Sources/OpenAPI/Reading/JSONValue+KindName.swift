import JSON

extension JSONValue {
    /// What kind of value it is, as messages call it.
    var kindName: String {
        switch self {
        case .null: "nothing"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
