import Output
import RunModel

/// The report in JUnit XML, in the one dialect that continuous integration systems read.
///
/// Elements are written as tests finish, and spilled to a file beside the report when they are many, so that memory does
/// not grow with the report. The report takes its place at the end, whole, by renaming.
typealias JUnitReporter = DocumentReporter<JUnitDocument>

extension JUnitReporter {
    /// Creates a reporter, and makes sure that its report can be written.
    ///
    /// - Parameter path: Where the report goes; folders that do not exist are created.
    /// - Throws: ``ReportError`` when the path cannot be written.
    convenience init(
        path: String, options: JUnitOptions = JUnitOptions(), hostName: String = SystemFacts.hostName,
        workingFolder: String = SystemFacts.workingFolder
    ) throws(ReportError) {
        // Of a report that is split the first file is always written.
        let first = options.casesPerFile == nil ? path : ReportFile.path(path, number: 1)
        self.init(
            JUnitDocument(
                file: try ReportFile(path: first), path: path, options: options, hostName: hostName,
                workingFolder: workingFolder))
    }
}

/// The options of a JUnit report.
struct JUnitOptions: Hashable {
    /// Whether the report keeps to what the published schemas of Jenkins and of Ant's reports both allow.
    var isStrict = false
    /// The most cases of a file, when the report is split.
    var casesPerFile: Int?
    /// Whether each step of a test with steps is a case, and not the test.
    var hasCasesOfSteps = false
    /// Whether cases that are known to fail count as skipped, rather than as passed.
    var skipsKnown = false
    /// The folder to which `file` is relative, as it was given; nil for the working folder.
    var root: String?

    /// The variables in which continuous integration systems name the repository's folder.
    static let rootVariables = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"]

    /// No options.
    init() {}

    /// Reads the options that were asked for.
    ///
    /// - Parameter environment: The process's environment, which names the repository's folder.
    /// - Throws: ``ReportError`` when a value is missing or wrong, or the report cannot be split.
    init(_ request: ReportRequest, environment: [String: String] = [:]) throws(ReportError) {
        root = Self.rootVariables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        for option in request.options {
            let parts = option.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : nil
            switch parts.first {
            case "strict":
                try Self.check(value, isNoneFor: "strict", request)
                isStrict = true
            case "steps":
                try Self.check(value, isNoneFor: "steps", request)
                hasCasesOfSteps = true
            case "known":
                guard let value, value == "passed" || value == "skipped" else {
                    throw Self.error(request, "known needs how known failures count: known:passed or known:skipped")
                }
                skipsKnown = value == "skipped"
            case "root":
                guard let value, !value.isEmpty else {
                    throw Self.error(request, "root needs the folder to which \"file\" is relative, such as root:..")
                }
                root = String(value)
            case "split":
                guard let value, let count = Int(value), count > 0 else {
                    throw Self.error(request, "split needs the most cases of a file, such as split:5000")
                }
                if request.isOnStandardOutput { throw Self.error(request, "a report that is split needs files") }
                casesPerFile = count
            default: break
            }
        }
    }

    private static func check(
        _ value: Substring?, isNoneFor option: String, _ request: ReportRequest
    ) throws(ReportError) {
        if value != nil { throw error(request, "the option \(option) has no value") }
    }

    private static func error(_ request: ReportRequest, _ message: String) -> ReportError {
        ReportError(path: request.path, message: "report \"\(request.format.rawValue)\": \(message)")
    }
}
