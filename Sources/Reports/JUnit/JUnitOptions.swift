/// The options of a JUnit report.
struct JUnitOptions: Hashable {
    /// Whether the report keeps to what the published schemas of Jenkins and of Ant's reports both allow.
    var isStrict = false
    /// The most cases of a file, when the report is split.
    var casesPerFile: Int?

    /// No options.
    init() {}

    /// Reads the options that were asked for.
    ///
    /// - Throws: ``ReportError`` when a value is missing or wrong, or the report cannot be split.
    init(_ request: ReportRequest) throws(ReportError) {
        for option in request.options {
            let parts = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : nil
            if parts.first == "strict" {
                if value != nil { throw Self.error(request, "the option strict has no value") }
                isStrict = true
            } else if parts.first == "split" {
                guard let value, let count = Int(value), count > 0 else {
                    throw Self.error(request, "split needs the most cases of a file, such as split:5000")
                }
                if request.isOnStandardOutput { throw Self.error(request, "a report that is split needs files") }
                casesPerFile = count
            }
        }
    }

    private static func error(_ request: ReportRequest, _ message: String) -> ReportError {
        ReportError(path: request.path, message: "report \"\(request.format.rawValue)\": \(message)")
    }

    /// The path of a file of a report that is split: `report.xml` becomes `report-1.xml` and so on.
    ///
    /// - Parameter number: The file's number, from 1.
    static func path(_ path: String, number: Int) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }
}
