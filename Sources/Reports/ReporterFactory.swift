public import Output
import RunModel
public import RunRecord

/// Makes reporters for the reports that were asked for.
public enum ReporterFactory {
    /// A reporter that writes the report asked for.
    ///
    /// - Parameters:
    ///   - environment: The process's environment, which says where GitHub Actions has its files, and which CI system
    ///     runs the tests.
    ///   - board: Where the history leaves what earlier runs tell.
    ///   - output: Takes what goes to standard output and is no report of its own: annotations, in whole lines.
    /// - Throws: ``ReportError`` when the path cannot be written, so that this is known before anything runs.
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
        case .allure:
            return try AllureReporter(path: path, executor: AllureExecutor(RunOrigin(environment: environment)))
        }
    }
}
