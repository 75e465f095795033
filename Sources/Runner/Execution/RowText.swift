import CEL
import JSON

/// Tells which row or which element of a list something came of, with the values that were used.
enum RowText {
    /// The most characters of one value.
    private static let longestValue = 60
    /// The most characters of all values.
    private static let longest = 400

    /// A row: `row 2 (books.csv:3): id 404, title "Dune"`.
    static func row(_ number: Int, place: (path: String, line: Int)?, values: [(name: String, value: CELValue)])
        -> String
    {
        var text = "row \(number)"
        if let place { text += " (\(place.path):\(place.line))" }
        return append(values, to: text)
    }

    /// An element: `element 2: item 404`.
    static func element(_ number: Int, values: [(name: String, value: CELValue)]) -> String {
        append(values, to: "element \(number)")
    }

    private static func append(_ values: [(name: String, value: CELValue)], to text: String) -> String {
        var text = text
        for (position, (name, value)) in values.enumerated() {
            let part = "\(position == 0 ? ": " : ", ")\(name) \(cut(shown(value), to: longestValue))"
            if text.count + part.count > longest { return text + ", …" }
            text += part
        }
        return text
    }

    private static func shown(_ value: CELValue) -> String {
        value.json?.serialized() ?? value.description
    }

    private static func cut(_ text: String, to length: Int) -> String {
        text.count <= length ? text : text.prefix(length - 1) + "…"
    }
}
