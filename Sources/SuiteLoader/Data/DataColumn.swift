import Basics
import Diagnostics
import JSON
import SuiteModel

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

/// The head of a column of a CSV file: `count`, `count:int`, `count:int?`.
enum ColumnHeader {
    /// Why a text is no head of a column.
    struct Problem: Error {
        var id: String
        var message: String
        var suggestion: String?
    }

    /// The column that a text stands for.
    ///
    /// - Throws: ``Problem`` when its name names no variable, or its type is none.
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
                    id: "unknown-column-type", message: "\"\(word)\" is no type of a column",
                    suggestion: Spelling.suggestion(for: word, among: words)
                        ?? "write text, int, number, bool or json")
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
