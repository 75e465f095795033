import JSON

/// What the values of a column of a CSV file are.
enum ColumnType: String, Sendable, CaseIterable {
    /// Text, as it stands.
    case text
    /// A whole number.
    case integer
    /// Any number.
    case number
    /// `true` or `false`.
    case boolean
    /// Any JSON value.
    case json

    /// The words by which a header may call the types.
    static let words: [(word: String, type: ColumnType)] = [
        ("text", .text), ("string", .text), ("int", .integer), ("integer", .integer), ("number", .number),
        ("bool", .boolean), ("boolean", .boolean), ("json", .json),
    ]

    /// The type in words that continue "is not".
    var phrase: String {
        switch self {
        case .text: "text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        case .json: "JSON"
        }
    }

    /// The value that a text is, or nil when it is none of the type.
    func value(of text: String) -> JSONValue? {
        switch self {
        case .text: return .string(text)
        case .integer:
            // Of the numbers that JSON has, those without a fraction and an exponent.
            guard
                text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "-") })
            else { return nil }
            return JSONNumber(literal: text).map(JSONValue.number)
        case .number: return JSONNumber(literal: text).map(JSONValue.number)
        case .boolean:
            // Spreadsheets write them in capitals.
            return switch text.lowercased() {
            case "true": .bool(true)
            case "false": .bool(false)
            default: nil
            }
        case .json: return try? JSONParser(duplicateMembers: .reject).parse(text)
        }
    }

    /// The path of a member that has the name of an earlier one, when that is all that keeps a text from being JSON.
    static func duplicateMember(in text: String) -> String? {
        var duplicates: [JSONDuplicateMember] = []
        _ = try? JSONParser().parse(Array(text.utf8), duplicates: &duplicates)
        return duplicates.first?.location.shorthand
    }
}
