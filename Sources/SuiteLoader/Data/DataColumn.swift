import Basics
import Diagnostics
import JSON
import SuiteModel

/// A column of a data file.
struct DataColumn: Sendable, Hashable {
    /// The name of the variable for the values of the column.
    var name: String
    /// The type of the values of a CSV column.
    var type: ColumnType
    /// Whether an empty CSV field is null.
    var isOptional: Bool

    init(name: String, type: ColumnType = .text, isOptional: Bool = false) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
    }

    /// Returns the value of a CSV field; nil if it does not have the type of the column.
    ///
    /// - Parameters:
    ///   - text: The text of the field.
    ///   - isQuoted: Whether the field is quoted, in which case an empty field is a string.
    func value(of text: String, isQuoted: Bool) -> JSONValue? {
        if text.isEmpty, isOptional, !isQuoted || type != .text { return .null }
        return type.value(of: text)
    }
}

/// Parses the header of a CSV column: `count`, `count:int`, `count:int?`.
enum ColumnHeader {
    /// An error that reports an invalid column header.
    struct Problem: Error {
        var id: String
        var message: MessageText
        var suggestion: MessageText?
    }

    /// Returns the column that a header defines.
    ///
    /// - Throws: ``Problem`` if the name is not a valid variable name, or the type is unknown.
    static func column(_ text: String) throws(Problem) -> DataColumn {
        var rest = text[...]
        let isOptional = rest.hasSuffix("?")
        if isOptional { rest.removeLast() }
        var name = String(rest)
        var type = ColumnType.text
        if let colon = rest.utf8.lastIndex(of: UInt8(ascii: ":")) {
            name = String(rest[..<colon])
            let word = String(rest[rest.utf8.index(after: colon)...])
            guard let found = ColumnType.words.first(where: { $0.word == word }) else {
                let words = ColumnType.words.map(\.word)
                throw Problem(
                    id: "unknown-column-type", message: "unknown column type \"\(word)\"",
                    suggestion: Spelling.suggestion(for: word, among: words)
                        ?? "use text, int, number, bool or json")
            }
            type = found.type
        }
        if name.isEmpty {
            throw Problem(id: "invalid-name", message: "the column has no name", suggestion: "write a name")
        }
        if let problem = VariableNames.problem(of: name, what: "a column") {
            throw Problem(id: "invalid-name", message: problem.message, suggestion: problem.suggestion)
        }
        return DataColumn(name: name, type: type, isOptional: isOptional)
    }
}

/// The type of the values of a CSV column.
enum ColumnType: String, Sendable, CaseIterable {
    /// A string, as written.
    case text
    /// An integer.
    case integer
    /// Any number.
    case number
    /// `true` or `false`.
    case boolean
    /// Any JSON value.
    case json

    /// The names of the types in headers.
    static let words: [(word: String, type: ColumnType)] = [
        ("text", .text), ("string", .text), ("int", .integer), ("integer", .integer), ("number", .number),
        ("bool", .boolean), ("boolean", .boolean), ("json", .json),
    ]

    /// A description of the type that continues "is not".
    var phrase: String {
        switch self {
        case .text: "text"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .json: "JSON"
        }
    }

    /// Converts a text to a value of the type; returns nil if it is not one.
    func value(of text: String) -> JSONValue? {
        switch self {
        case .text: return .string(text)
        case .integer:
            // Only JSON numbers without a fraction and an exponent are integers.
            guard
                text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "-") })
            else { return nil }
            return JSONNumber(literal: text).map(JSONValue.number)
        case .number: return JSONNumber(literal: text).map(JSONValue.number)
        case .boolean:
            // Spreadsheets write Booleans in uppercase.
            return switch text.lowercased() {
            case "true": .bool(true)
            case "false": .bool(false)
            default: nil
            }
        case .json: return try? JSONParser(duplicateMembers: .reject).parse(text)
        }
    }

    /// Returns the path of a duplicate member, if duplicates are the only reason why a text is not valid JSON.
    static func duplicateMember(in text: String) -> String? {
        var duplicates: [JSONDuplicateMember] = []
        _ = try? JSONParser().parse(Array(text.utf8), duplicates: &duplicates)
        return duplicates.first?.location.shorthand
    }
}
