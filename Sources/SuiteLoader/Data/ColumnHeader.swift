import Basics
import Diagnostics
import SuiteModel

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
