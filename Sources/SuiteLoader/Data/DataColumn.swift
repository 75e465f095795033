import JSON

/// A column of a file of rows.
struct DataColumn: Sendable, Hashable {
    /// The variable that holds the column's value.
    var name: String
    /// What the values of a CSV file's column are.
    var type: ColumnType
    /// Whether an empty field of a CSV file is null.
    var isOptional: Bool

    /// Creates a column.
    init(name: String, type: ColumnType = .text, isOptional: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
    }

    /// The value of a field of a CSV file, or nil when it is none of the column's type.
    ///
    /// - Parameter isQuoted: Whether the field stands in quotes, which makes an empty one a text.
    func value(of text: String, isQuoted: Bool) -> JSONValue? {
        if text.isEmpty, isOptional, !isQuoted || type != .text { return .null }
        return type.value(of: text)
    }
}
