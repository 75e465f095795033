import Reports

extension ReportRequest.Format {
    /// The formats that write a single file: all except Allure, which writes a directory, and GitHub annotations.
    static let files = allCases.filter { $0 != .allure && $0 != .github }

    /// Whether people read the report as it is.
    ///
    /// It must not contain any characters that affect a terminal. The other formats are data, or are displayed by a
    /// program.
    var isReadAsText: Bool {
        switch self {
        case .tap, .markdown, .github: true
        case .junit, .html, .json, .ctrf, .har, .allure, .csv, .verdict: false
        }
    }

    /// The value of `--report` for the format; records include their exchanges.
    var request: String {
        switch self {
        case .json: "json:exchanges"
        case .junit, .html, .tap, .ctrf, .github, .markdown, .har, .allure, .csv, .verdict: rawValue
        }
    }
}
