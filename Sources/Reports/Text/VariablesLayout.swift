import Diagnostics
import JSON
import SuiteModel

/// What the names stood for that a test used, as lines of text: `with  bookID = 7, token = "***"`.
struct VariablesLayout {
    let painter: Painter
    /// The columns that a line may take.
    let width: Int
    /// The columns at which a single name with its value is cut.
    var longest: Int?

    /// The columns of a value.
    private static let longestValue = 60
    /// The columns of a name.
    private static let longestName = 40
    /// Bytes of a value's text that are looked at.
    private static let reach = 4_096
    /// Names that are shown.
    private static let most = 20
    private static let head = "with"

    /// Appends the lines; none when there is nothing that the findings have not already told.
    ///
    /// - Parameter findings: What is shown beside them: a row, or the parts of an expression, may have told a value.
    func write(_ variables: [UsedVariable], beside findings: [Finding], into output: inout String) {
        if variables.isEmpty { return }
        let told = findings.flatMap(\.details)
        var parts: [String] = []
        for variable in variables {
            let text = Self.text(of: variable.value)
            // As in details: `row 2: id 404`, `limit = 10 (int)`. What is told of a long value is its beginning.
            let start = text.unicodeScalars.count > 50 ? String(text.unicodeScalars.prefix(50)) : text
            let isTold = told.contains { detail in
                detail.contains("\(variable.name) \(start)") || detail.contains("\(variable.name) = \(start)")
            }
            if isTold { continue }
            let name = TextFitting.cut(DisplayWidth.printable(variable.name), to: Self.longestName)
            parts.append("\(name) = \(TextFitting.cut(DisplayWidth.printable(text), to: Self.longestValue))")
        }
        if parts.isEmpty { return }
        if parts.count > Self.most {
            parts[Self.most...] = ["… \(NumberText.count(parts.count - Self.most, "more name"))"]
        }
        let indent = 2 + Self.head.utf8.count + 2
        var line = ""
        var lines: [String] = []
        for (index, part) in parts.enumerated() {
            let part = index < parts.count - 1 ? part + "," : part
            if !line.isEmpty, indent + DisplayWidth.of(line) + 1 + DisplayWidth.of(part) > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? part : " " + part
        }
        lines.append(line)
        for (index, line) in lines.enumerated() {
            let margin = index == 0 ? "  " + painter.paint(Self.head, .dim) + "  " : TextFitting.spaces(indent)
            output +=
                margin + painter.paint(TextFitting.cut(line, to: max(20, (longest ?? width) - indent)), .dim) + "\n"
        }
    }

    /// A value as JSON in one line, as far as it is shown.
    private static func text(of value: JSONValue) -> String {
        let bytes = value.serializedBytes()
        return String(decoding: bytes.prefix(reach), as: UTF8.self)
    }
}
