/// Makes reporters for the reports that were asked for.
public enum ReporterFactory {
    /// A reporter that writes the report asked for.
    ///
    /// - Throws: ``ReportError`` when the path cannot be written, so that this is known before anything runs.
    public static func reporter(for request: ReportRequest) throws(ReportError) -> any Reporter {
        let path = request.isOnStandardOutput ? "/dev/stdout" : request.path ?? ""
        switch request.format {
        case .junit:
            return try JUnitReporter(path: path)
        case .html:
            throw unsupported(request)
        case .json:
            throw unsupported(request)
        case .tap:
            return try TAPReporter(request, path: path)
        case .ctrf:
            throw unsupported(request)
        case .github:
            throw unsupported(request)
        case .markdown:
            throw unsupported(request)
        case .har:
            throw unsupported(request)
        case .allure:
            throw unsupported(request)
        }
    }

    private static func unsupported(_ request: ReportRequest) -> ReportError {
        ReportError(
            path: request.path, message: "report format \"\(request.format.rawValue)\" is not supported yet")
    }
}
