import JSON

/// A condition of a list request: a member equals one of the given texts.
struct CollectionFilter {
    private let name: String
    private let texts: [String]
    private let numbers: [JSONNumber]

    /// Creates a condition.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - texts: The values from the query, one of which must be met.
    init(name: String, texts: [String]) {
        self.name = name
        self.texts = texts
        numbers = texts.compactMap { JSONNumber(literal: $0) }
    }

    /// Whether an item has the member with such a value; a list has it when one of its elements does.
    func holds(for item: JSONObject) -> Bool {
        guard let value = item[name] else { return false }
        if case .array(let elements) = value { return elements.contains(where: equals) }
        return equals(value)
    }

    private func equals(_ value: JSONValue) -> Bool {
        switch value {
        case .string(let text): texts.contains(text)
        case .number(let number): numbers.contains(number)
        case .bool(let value): texts.contains(value ? "true" : "false")
        case .null: texts.contains("null")
        case .array, .object: false
        }
    }
}
