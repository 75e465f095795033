import Basics
import Diagnostics
import JSON
import Output
import RunModel

/// The text layout of findings: the location, the source line with the value underlined, the message, and details.
///
/// The first line, or the message if it is not below a source line, ends with the reason in brackets: the id for
/// `apitest explain`.
struct FindingsLayout {
    let painter: Painter
    /// The maximum number of columns of a line.
    let width: Int
    /// Whether to wrap long text at spaces instead of leaving it to the reader.
    let wraps: Bool
    /// The column at which a source line is truncated.
    let maximumLength: Int

    /// The width in columns of a line number, including its indentation.
    private static let margin = 7

    init(painter: Painter, width: Int, wraps: Bool = false, maximumLength: Int? = nil) {
        self.painter = painter
        self.width = width
        self.wraps = wraps
        self.maximumLength = maximumLength ?? width
    }

    /// Appends findings.
    ///
    /// A source line is shown only once.
    ///
    /// - Parameter calls: The locations of the calls that led to the step, innermost first.
    func write(_ findings: [Finding], calls: [SourceRange] = [], into output: inout String) {
        writeFindings(findings, into: &output)
        for call in calls {
            let location = DisplayWidth.printable(call.description)
            output += "  " + painter.paint("called at \(location)", .dim) + "\n"
        }
    }

    private func writeFindings(_ findings: [Finding], into output: inout String) {
        var shown: Set<SourceRange> = []
        for finding in findings {
            let location = finding.range.map { DisplayWidth.printable($0.description) }
            let subject = DisplayWidth.printable(finding.subject.description)
            let id = " [\(DisplayWidth.printable(finding.type.rawValue))]"
            let head = (location.map { DisplayWidth.of($0) + 2 } ?? 0) + DisplayWidth.of(subject) + 4
            let line = self.head(location: location, subject: subject, isNarrow: wraps && head - 2 > width)
            // The source line of a status expectation adds nothing to the message.
            if finding.subject != .status, let range = finding.range,
                shown.insert(Self.line(of: range)).inserted,
                let excerpt = SourceExcerpt(range, width: maximumLength - Self.margin - 3)
            {
                output += line + painter.paint(id, .dim) + "\n"
                write(excerpt, message: finding.message, into: &output)
                writeDetails(finding.details, indent: Self.margin + 3, into: &output)
                continue
            }
            var messages = TextFitting.lines(finding.message + id)
            if wraps, head + DisplayWidth.of(messages.first ?? "") > width {
                messages = wrapped(messages, to: width - 6)
                output += line + "\n"
            } else {
                output += line + "  " + painter.paint(messages.first ?? "", .wrong) + "\n"
                messages = wrapped(Array(messages.dropFirst()), to: width - 6)
            }
            for message in messages { output += "      " + painter.paint(message, .wrong) + "\n" }
            writeDetails(finding.details, indent: 6, into: &output)
        }
    }

    /// Returns the location and the subject of a finding, wrapped on a narrow terminal.
    private func head(location: String?, subject: String, isNarrow: Bool) -> String {
        let location = location.map { painter.paint($0, .location) }
        guard isNarrow else { return "  " + (location.map { $0 + "  " } ?? "") + painter.paint(subject, .bold) }
        let subjects = TextFitting.wrap(subject, to: width - 4).map { painter.paint($0, .bold) }
        return "  " + ([location].compactMap { $0 } + subjects).joined(separator: "\n    ")
    }

    /// Returns a canonical range for the line on which another range starts.
    private static func line(of range: SourceRange) -> SourceRange {
        let start = SourcePosition(line: range.start.line, column: 1)
        return SourceRange(file: range.file, start: start, end: start)
    }

    private func write(_ excerpt: SourceExcerpt, message: String, into output: inout String) {
        let number = String(excerpt.lineNumber)
        let bar = { (text: String) in
            painter.paint(TextFitting.spaces(Self.margin - text.utf8.count) + text + " │", .margin)
        }
        output += bar(number) + (excerpt.text.isEmpty ? "" : " " + excerpt.text) + "\n"
        let messages = TextFitting.lines(message)
        let carets = String(repeating: "^", count: excerpt.underlineWidth)
        let before = TextFitting.spaces(excerpt.underlineStart + 1)
        let column = Self.margin + 3 + excerpt.underlineStart + excerpt.underlineWidth + 1
        let maximumLength = messages.map { DisplayWidth.of($0) }.max() ?? 0
        guard column + maximumLength > width else {
            output += bar("") + before + painter.paint(carets + " " + (messages.first ?? ""), .wrong) + "\n"
            let indent = before + TextFitting.spaces(excerpt.underlineWidth + 1)
            for message in messages.dropFirst() {
                output += bar("") + indent + painter.paint(message, .wrong) + "\n"
            }
            return
        }
        output += bar("") + before + painter.paint(carets, .wrong) + "\n"
        // Below the carets if there is room, and otherwise from the margin.
        let indent = Self.margin + 3 + excerpt.underlineStart + maximumLength <= width ? before : " "
        for message in wrapped(messages, to: width - Self.margin - 3) {
            output += bar("") + indent + painter.paint(message, .wrong) + "\n"
        }
    }

    private func writeDetails(_ details: [MessageText], indent: Int, into output: inout String) {
        let lines = details.flatMap { TextFitting.lines($0.text) }
        for (index, line) in lines.enumerated() {
            let style: Painter.Style =
                line.hasPrefix("- ") ? .wrong : line.hasPrefix("+ ") ? .success : .dim
            for (part, text) in parts(of: line, in: lines, at: index, width: width - indent).enumerated() {
                output += TextFitting.spaces(part > 0 ? indent + 2 : indent) + painter.paint(text, style) + "\n"
            }
        }
    }

    /// Returns the parts of a detail line, wrapped to `width` columns with a hanging indent of two columns.
    private func parts(of line: String, in lines: [String], at index: Int, width: Int) -> [String] {
        guard wraps, DisplayWidth.of(line) > width else { return [line] }
        // A line above a caret is truncated, because the caret would no longer point at the right column.
        if index + 1 < lines.count, lines[index + 1].allSatisfy({ $0 == " " || $0 == "^" }) {
            return [TextFitting.cut(line, to: width)]
        }
        return TextFitting.wrap(line, to: width - 2)
    }

    private func wrapped(_ messages: [String], to width: Int) -> [String] {
        wraps ? messages.flatMap { TextFitting.wrap($0, to: width) } : messages
    }
}

/// The text layout of the variables that a test used, such as `with  bookID = 7, token = "***"`.
struct VariablesLayout {
    let painter: Painter
    /// The maximum number of columns of a line.
    let width: Int
    /// The column at which a single variable is truncated.
    var maximumLength: Int?

    /// The maximum number of columns of a value.
    private static let maximumValueLength = 60
    /// The maximum number of columns of a name.
    private static let maximumNameLength = 40
    /// The maximum number of bytes of a value to process.
    private static let reach = 4_096
    /// The maximum number of variables to show.
    private static let maximum = 20
    private static let head = "with"

    /// Appends the lines.
    ///
    /// There are none if the findings already show all variables.
    ///
    /// - Parameter findings: The findings shown beside the variables. A row or an expression may already contain a
    ///   value.
    func write(_ variables: [UsedVariable], beside findings: [Finding], into output: inout String) {
        if variables.isEmpty { return }
        let reported = findings.flatMap(\.details).map(\.text)
        var parts: [String] = []
        for variable in variables {
            let text = Self.text(of: variable.value)
            // As in details: `row 2: id 404`, `limit = 10 (int)`. Details show only the start of a long value.
            let start = text.unicodeScalars.count > 50 ? String(text.unicodeScalars.prefix(50)) : text
            let isReported = reported.contains { detail in
                detail.contains("\(variable.name) \(start)") || detail.contains("\(variable.name) = \(start)")
            }
            if isReported { continue }
            let name = TextFitting.cut(DisplayWidth.printable(variable.name), to: Self.maximumNameLength)
            parts.append("\(name) = \(TextFitting.cut(DisplayWidth.printable(text), to: Self.maximumValueLength))")
        }
        if parts.isEmpty { return }
        if parts.count > Self.maximum {
            parts[Self.maximum...] = ["… \(NumberText.count(parts.count - Self.maximum, "more name"))"]
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
                margin + painter.paint(TextFitting.cut(line, to: max(20, (maximumLength ?? width) - indent)), .dim)
                + "\n"
        }
    }

    /// Returns a value as single-line JSON, truncated to the part that can be shown.
    private static func text(of value: JSONValue) -> String {
        let bytes = value.serializedBytes()
        return String(decoding: bytes.prefix(reach), as: UTF8.self)
    }
}
