import Basics
import CEL
import JSON
import RunModel

/// Descriptions of the row or list element that a step failed for, including the values used.
enum RowText {
    /// The maximum length of one value, in characters.
    private static let maximumValueLength = 60
    /// The maximum length of all values, in characters.
    private static let maximumLength = 400

    /// Returns the description of a row: `row 2 (books.csv:3): id 404, title "Dune"`.
    static func row(_ number: Int, location: (path: String, line: Int)?, values: [(name: String, value: CELValue)])
        -> MessageText
    {
        var text: MessageText = "row \(number)"
        if let location { text += " (\(location.path):\(location.line))" }
        return append(values, to: text)
    }

    /// Returns the description of an element: `element 2: item 404`.
    static func element(_ number: Int, values: [(name: String, value: CELValue)]) -> MessageText {
        append(values, to: "element \(number)")
    }

    private static func append(_ values: [(name: String, value: CELValue)], to text: MessageText) -> MessageText {
        var text = text
        for (position, (name, value)) in values.enumerated() {
            let part: MessageText =
                "\(position == 0 ? ": " : ", ")\(name) \(cut(shown(value), to: maximumValueLength))"
            if text.text.count + part.text.count > maximumLength { return text + ", …" }
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
