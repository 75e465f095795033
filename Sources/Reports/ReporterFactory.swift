/// Makes reporters for the reports that were asked for.
public enum ReporterFactory {
    /// A reporter that writes the report asked for.
    ///
    /// - Throws: ``ReportError`` when the path cannot be written, so that this is known before anything runs.
    public static func reporter(for request: ReportRequest) throws(ReportError) -> any Reporter {
        switch request.format {
        case .junit: try JUnitReporter(path: request.path)
        }
    }
}
