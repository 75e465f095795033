import Diagnostics

/// A report that was asked for, as `FORMAT` or `FORMAT=PATH`.
public struct ReportRequest: Sendable, Hashable {
    /// A report's format.
    public enum Format: String, Sendable, CaseIterable {
        /// JUnit XML.
        case junit

        /// The path that is used when none is given.
        public var defaultPath: String {
            switch self {
            case .junit: "report.xml"
            }
        }
    }

    /// Formats that the suite language names and this version cannot write.
    private static let laterFormats = ["html", "json", "tap", "ctrf", "github", "markdown", "har", "allure"]

    /// The format.
    public var format: Format
    /// Where the report goes.
    public var path: String

    /// Creates a request.
    public init(format: Format, path: String? = nil) {
        self.format = format
        self.path = path ?? format.defaultPath
    }

    /// Reads a request as it is written after `--report`.
    ///
    /// - Throws: ``ReportError`` when the format is not known or not supported, or the path is empty.
    public init(_ text: String) throws(ReportError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        let path = parts.count > 1 ? parts[1] : nil
        let dialect = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if dialect.count > 1, let base = dialect.first, Format(rawValue: base) != nil {
            throw ReportError(
                path: path, message: "report format \"\(name)\" is not supported yet; write \"\(base)\"")
        }
        guard let format = Format(rawValue: name) else {
            throw ReportError(path: path, message: Self.unknown(name))
        }
        if path == "" { throw ReportError(message: "report \"\(text)\": a path is missing after \"=\"") }
        self.init(format: format, path: path)
    }

    private static func unknown(_ name: String) -> String {
        let known = Format.allCases.map(\.rawValue)
        if laterFormats.contains(name) {
            return "report format \"\(name)\" is not supported yet; supported: \(known.joined(separator: ", "))"
        }
        var message = "unknown report format \"\(name)\""
        if let nearest = Spelling.nearest(to: name, among: known) { message += "; did you mean \"\(nearest)\"?" }
        return message + " (supported: \(known.joined(separator: ", ")))"
    }
}
