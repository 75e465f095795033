/// Numbers the values of one snapshot in the order in which they are met.
struct PlaceholderNumbering {
    private var numbers: [Placeholder.Kind: [String: Int]] = [:]

    /// True when no value was met.
    var isEmpty: Bool { numbers.isEmpty }

    /// The placeholder of a value.
    mutating func placeholder(_ kind: Placeholder.Kind, _ value: String) -> String {
        // The hexadecimal digits of a UUID have no case.
        let value = kind == .uuid ? value.lowercased() : value
        var known = numbers[kind] ?? [:]
        numbers[kind] = nil
        let number = known[value] ?? known.count + 1
        known[value] = number
        numbers[kind] = known
        return Placeholder(kind: kind, number: number).text
    }
}
