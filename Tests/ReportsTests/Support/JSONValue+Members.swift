import JSON

extension JSONValue {
    /// Returns the value at a path of member names, or null if it does not exist.
    func at(_ names: String...) -> JSONValue {
        names.reduce(self) { $0[$1] ?? .null }
    }

    /// The elements; empty for anything but an array.
    var elements: [JSONValue] {
        if case .array(let elements) = self { return elements }
        return []
    }

    /// The string; nil for any other value.
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}
