import Reports

extension ReportRequest.Format {
    /// The formats that write a single file: all except Allure, which writes a directory, and GitHub annotations.
    static let files = allCases.filter { $0 != .allure && $0 != .github }

    /// The value of `--report` for the format; records include their exchanges.
    var request: String {
        switch self {
        case .json: "json:exchanges"
        case .junit, .html, .tap, .ctrf, .github, .markdown, .har, .allure: rawValue
        }
    }
}
