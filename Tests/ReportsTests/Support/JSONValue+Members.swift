import JSON

extension JSONValue {
    /// The value that names of members lead to; null when there is none.
    func at(_ names: String...) -> JSONValue {
        names.reduce(self) { $0[$1] ?? .null }
    }

    /// The elements; none when it is no array.
    var elements: [JSONValue] {
        if case .array(let elements) = self { return elements }
        return []
    }

    /// The text; nil when it is no string.
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }
}
