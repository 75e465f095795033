import Diagnostics
import JSON
import SuiteModel

/// What is said, once, when a body that should be JSON is not.
enum BodyProblem {
    /// The most Unicode scalars of a line of the body that are shown.
    private static let width = 72

    static func finding(
        _ error: JSONParseError, content: ResponseContent, range: SourceRange?, subject: String = "json"
    ) -> Finding {
        guard !content.bytes.isEmpty else {
            return Finding(
                subject: subject, type: "json", message: "the body is empty, where JSON is expected", range: range)
        }
        var message = "the body is not JSON: \(error.message) at line \(error.line), column \(error.column)"
        if !content.isDeclaredJSON {
            let type = content.exchange.response?.header("content-type")
            message += type.map { " (Content-Type is \($0))" } ?? " (there is no Content-Type)"
        }
        return Finding(
            subject: subject, type: "json", message: message, range: range, details: excerpt(error, content.text))
    }

    /// The line of the problem around its column, with a caret below.
    private static func excerpt(_ error: JSONParseError, _ text: String) -> [String] {
        let scalars = text.unicodeScalars
        var start = scalars.startIndex
        for _ in 1..<max(1, error.line) {
            guard let lineBreak = scalars[start...].firstIndex(of: "\n") else { return [] }
            start = scalars.index(after: lineBreak)
        }
        let end = scalars[start...].firstIndex(of: "\n") ?? scalars.endIndex
        let skipped = max(0, error.column - 1 - width / 2)
        let line = scalars[start..<end].dropFirst(skipped)
        let shown = BriefWriter.visible(line.prefix(width))
        let prefix = skipped > 0 ? "…" : ""
        let caret = String(repeating: " ", count: prefix.count + max(0, error.column - 1 - skipped)) + "^"
        return [prefix + shown + (line.count > width ? "…" : ""), caret]
    }
}
