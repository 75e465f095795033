import Basics
import Diagnostics
public import Output

/// A requested report, parsed from `FORMAT[:OPTION,…][=PATH]`.
public struct ReportRequest: Sendable, Hashable {
    /// The format of a report.
    public enum Format: String, Sendable, CaseIterable {
        /// JUnit XML.
        case junit
        /// A self-contained HTML page.
        case html
        /// The events of the run as JSON Lines.
        case json
        /// Test Anything Protocol 14.
        case tap
        /// Common Test Report Format.
        case ctrf
        /// GitHub Actions annotations and the job summary of a step.
        case github
        /// Markdown.
        case markdown
        /// HTTP Archive 1.2.
        case har
        /// A directory of Allure 2 results.
        case allure
        /// The figures of a load for each second as comma-separated values.
        case csv
        /// The verdict of the run for programs, as one small JSON document.
        case verdict

        /// The path used if none is given, or `nil` for a report that needs none.
        public var defaultPath: String? {
            switch self {
            case .junit: "report.xml"
            case .html: "report.html"
            case .json: "report.jsonl"
            case .tap: "report.tap"
            case .ctrf: "ctrf-report.json"
            case .github: nil
            case .markdown: "report.md"
            case .har: "report.har"
            case .allure: "allure-results"
            case .csv: "load.csv"
            case .verdict: "verdict.json"
            }
        }

        /// The names of the options that the format supports.
        var options: [String] {
            switch self {
            case .json, .html: ["exchanges"]
            case .tap: ["version"]
            case .junit: ["strict", "split", "steps", "root", "known"]
            case .ctrf, .github, .markdown, .har, .allure, .csv, .verdict: []
            }
        }
    }

    /// The format.
    public var format: Format
    /// The options after the format, in order.
    ///
    /// Each is a name, or a name and a value separated by a colon.
    public var options: [String] = []
    /// The path of the report, `-` for standard output, or `nil` for a report that has no path.
    public var path: String?

    /// Whether the report is written to standard output.
    public var isOnStandardOutput: Bool { path == "-" }

    /// Creates a request.
    public init(format: Format, path: String? = nil) {
        self.format = format
        self.path = path ?? format.defaultPath
    }

    /// Parses the argument of `--report`.
    ///
    /// - Throws: ``ReportError`` if the format or an option is unknown, or the path is empty.
    public init(_ text: String) throws(ReportError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = parts.count > 1 ? parts[1] : nil
        let words = (parts.first ?? "").split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = words.first.map(String.init) ?? ""
        guard let format = Format(rawValue: name) else {
            throw ReportError(
                id: .unknownValue, path: path,
                message: Self.unknown("report format", name, Format.allCases.map(\.rawValue)))
        }
        if path == "" {
            throw ReportError(id: .invalidOption, message: "report \"\(text)\": expected a path after \"=\"")
        }
        self.init(format: format, path: path)
        guard words.count > 1 else { return }
        options = words[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for option in options {
            let name = option.prefix { $0 != ":" }
            guard format.options.contains(String(name)) else {
                if format.options.isEmpty {
                    throw ReportError(
                        id: .invalidOption, path: path,
                        message: "report \"\(text)\": the format \"\(format.rawValue)\" has no options")
                }
                throw ReportError(
                    id: .unknownValue, path: path,
                    message: Self.unknown("\(format.rawValue) option", String(name), format.options))
            }
        }
    }

    /// Returns whether a path can be that of a part of this report: `report-2.xml` is a part of `report.xml`.
    ///
    /// The result is always `false` if the report is not split.
    public func isPart(_ path: String, ofReportAt whole: String) -> Bool {
        guard format == .junit, options.contains(where: { $0.hasPrefix("split:") }) else { return false }
        let first = ReportFile.path(whole, number: 1)
        // The common prefix ends with the hyphen before the number.
        let shared = zip(first.utf8, whole.utf8).prefix { $0 == $1 }.count
        let prefix = first.utf8.prefix(shared + 1)
        let suffix = whole.utf8.dropFirst(shared)
        let length = path.utf8.count - prefix.count - suffix.count
        guard length > 0, path.utf8.starts(with: prefix),
            path.utf8.suffix(suffix.count).elementsEqual(suffix)
        else { return false }
        return path.utf8.dropFirst(prefix.count).prefix(length).allSatisfy(ASCII.isDigit)
    }

    /// The path of the report if `--failed` can read it, and `nil` otherwise.
    public var recordPath: String? {
        // A strict JUnit report does not identify the file of a test case, and a split report has several paths.
        let isPlainJUnit = format == .junit && options.allSatisfy { $0 != "strict" && !$0.hasPrefix("split:") }
        guard format == .json || isPlainJUnit, !isOnStandardOutput, path?.hasPrefix("/dev/") == false else {
            return nil
        }
        return path
    }

    private static func unknown(_ what: String, _ name: String, _ known: [String]) -> String {
        var message = "unknown \(what) \"\(DisplayWidth.printable(name))\""
        if let nearest = Spelling.nearest(to: name, among: known) { message += "; did you mean \"\(nearest)\"?" }
        return message + " (supported: \(known.joined(separator: ", ")))"
    }
}
