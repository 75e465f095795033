import Reports

extension ReportRequest.Format {
    /// The formats that write one file: all but those of a folder and of a job on GitHub.
    static let files = allCases.filter { $0 != .allure && $0 != .github }

    /// The format as the tests ask for it: records have their exchanges.
    var request: String {
        switch self {
        case .json: "json:exchanges"
        case .junit, .html, .tap, .ctrf, .github, .markdown, .har, .allure: rawValue
        }
    }
}
