package import FileSystem
public import Output
import RunModel
public import RunRecord

/// A factory that creates the reporters of requested reports.
public enum ReporterFactory {
    /// Creates the reporter of a requested record that is written to an open file.
    ///
    /// - Parameter name: The name of the record in messages.
    package static func record(for request: ReportRequest, in file: SharedFile, name: String) -> any Reporter {
        JSONLinesReporter(file: file, name: name, keepsExchanges: request.options.contains("exchanges"))
    }

    /// Creates the reporter of a requested report.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process, which identifies the CI system and the files of GitHub Actions.
    ///   - board: The trends of previous runs, provided by the history reporter.
    ///   - output: Writes whole lines to standard output that are not a report themselves, such as annotations.
    /// - Throws: ``ReportError`` if the path is not writable, which is known before any test runs.
    public static func reporter(
        for request: ReportRequest, environment: [String: String] = [:], board: TrendBoard? = nil,
        output: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(ReportError) -> any Reporter {
        let path = request.isOnStandardOutput ? FileHandle.standardOutput : request.path ?? ""
        switch request.format {
        case .junit:
            return try JUnitReporter(path: path, options: JUnitOptions(request, environment: environment))
        case .html:
            board?.requestStrips(length: HTMLDocument.stripLength)
            return try HTMLReporter(
                path: path, keepsExchanges: request.options.contains("exchanges"), trends: { board?.trends?.html })
        case .json:
            return try JSONLinesReporter(path: path, keepsExchanges: request.options.contains("exchanges"))
        case .tap:
            return try TAPReporter(path: path, options: request.options)
        case .ctrf:
            return try CTRFReporter(path: path)
        case .github:
            return try GitHubReporter(
                path: request.path == nil ? nil : path, environment: environment, board: board,
                output: output)
        case .markdown:
            return try MarkdownReporter(path: path, board: board)
        case .har:
            return try HARReporter(path: path)
        case .csv:
            return try CSVReporter(path: path)
        case .verdict:
            return try VerdictReporter(path: path)
        case .allure:
            return try AllureReporter(path: path, executor: AllureExecutor(RunOrigin(environment: environment)))
        }
    }
}
