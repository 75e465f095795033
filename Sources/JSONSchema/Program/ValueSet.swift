import JSON

/// The values of an `enum` or `const`.
final class ValueSet: Sendable {
    /// The keyword, for messages.
    let keyword: Keyword
    /// All values as they were written.
    let values: [JSONValue]
    /// The strings among them.
    private let strings: PropertyTable
    /// The others, while they are few.
    private let others: [JSONValue]
    /// The others, when they are many.
    private let otherSet: Set<JSONValue>
    /// The types of the others: a value of another type need not be hashed.
    private let otherTypes: TypeSet

    /// Up to this many values comparing one by one is faster than hashing.
    private static let largestList = 8

    init(_ values: [JSONValue], keyword: Keyword) {
        self.values = values
        self.keyword = keyword
        var seen: Set<ExactString> = []
        let texts = values.compactMap(\.stringValue).filter { seen.insert(ExactString($0)).inserted }
        strings = PropertyTable(texts.map { ($0, -1, false) })
        let others = values.filter { $0.stringValue == nil }
        let isList = others.count <= ValueSet.largestList
        self.others = isList ? others : []
        otherSet = isList ? [] : Set(others)
        var types: TypeSet = []
        for value in others { types.formUnion(ValueSet.type(of: value)) }
        otherTypes = types
    }

    /// Whether a value is one of them.
    func contains(_ value: JSONValue) -> Bool {
        if case .string(let text) = value {
            var expected = 0
            return strings.index(of: text, expected: &expected) >= 0
        }
        guard otherTypes.contains(ValueSet.type(of: value)) else { return false }
        if otherSet.isEmpty {
            for other in others where other == value { return true }
            return false
        }
        return otherSet.contains(value)
    }

    private static func type(of value: JSONValue) -> TypeSet {
        switch value {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
