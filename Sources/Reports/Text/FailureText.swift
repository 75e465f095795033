import Diagnostics
public import SuiteModel

/// What went wrong in a step as plain text, for those who show it elsewhere than in a report.
public enum FailureText {
    /// The columns of a line.
    private static let width = 120

    /// A finding in words, with its details below; its place and its line of the suite are left to the caller.
    public static func text(of finding: Finding) -> String {
        ([DisplayWidth.printable(finding.subject) + ": " + lines(finding.message).joined(separator: "\n  ")]
            + finding.details.flatMap(lines).map { "  " + $0 }).joined(separator: "\n")
    }

    /// An exchange: the request, the response, and the command that repeats it.
    public static func text(of exchange: Exchange) -> String {
        var text = ""
        ExchangeLayout(painter: Painter(color: false), width: width).write(
            exchange, sizes: BodySizes.Pair(), into: &text)
        if let command = CurlCommand.text(for: exchange) { text += "  " + command + "\n" }
        return text.last == "\n" ? String(text.dropLast()) : text
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { DisplayWidth.printable(String($0)) }
    }
}
