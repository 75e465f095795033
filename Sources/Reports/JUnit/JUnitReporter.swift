import Diagnostics
import FileSystem
import Output
import RunModel

/// A reporter of JUnit XML, in the dialect that continuous integration systems commonly read.
///
/// Elements are written as tests finish and spilled to a file beside the report if there are many, so that memory use
/// does not grow with the report. At the end of the run, the complete report is renamed to its path.
typealias JUnitReporter = DocumentReporter<JUnitDocument>

extension JUnitReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameter path: The path of the report. Missing directories are created.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(
        path: String, options: JUnitOptions = JUnitOptions(), hostName: String = SystemInfo.hostName,
        workingDirectory: String = SystemInfo.workingDirectory
    ) throws(ReportError) {
        // A split report always has at least one file.
        let first = options.casesPerFile == nil ? path : ReportFile.path(path, number: 1)
        self.init(
            JUnitDocument(
                file: try ReportFile(path: first), path: path, options: options, hostName: hostName,
                workingDirectory: workingDirectory))
    }
}

/// The options of a JUnit report.
struct JUnitOptions: Hashable {
    /// Whether to restrict the report to elements that the schemas of both Jenkins and Ant allow.
    var isStrict = false
    /// The maximum number of test cases per file, or `nil` if the report is not split.
    var casesPerFile: Int?
    /// Whether each step of a test with `steps` is a test case, instead of the whole test.
    var hasCasesOfSteps = false
    /// Whether known failures count as skipped instead of passed.
    var skipsKnown = false
    /// The directory to which `file` is relative, as given by the user, or `nil` for the working directory.
    var root: String?

    /// The environment variables in which continuous integration systems provide the path of the repository.
    static let rootVariables = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"]

    /// Creates the default options.
    init() {}

    /// Parses the options of a report request.
    ///
    /// - Parameter environment: The environment of the process, which names the directory of the repository.
    /// - Throws: ``ReportError`` if a value is missing or invalid, or the report cannot be split.
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
                    throw Self.error(
                        request, "the option \"known\" needs a value: \"known:passed\" or \"known:skipped\"")
                }
                skipsKnown = value == "skipped"
            case "root":
                guard let value, !value.isEmpty else {
                    throw Self.error(
                        request,
                        "the option \"root\" needs the directory to which \"file\" is relative, such as \"root:..\"")
                }
                root = String(value)
            case "split":
                guard let value, let count = Int(value), count > 0 else {
                    throw Self.error(
                        request,
                        "the option \"split\" needs the maximum number of cases per file, such as \"split:5000\"")
                }
                if request.isOnStandardOutput { throw Self.error(request, "a split report needs a path") }
                casesPerFile = count
            default: break
            }
        }
    }

    private static func check(
        _ value: Substring?, isNoneFor option: String, _ request: ReportRequest
    ) throws(ReportError) {
        if value != nil { throw error(request, "the option \"\(option)\" does not take a value") }
    }

    private static func error(_ request: ReportRequest, _ message: String) -> ReportError {
        ReportError(
            id: .invalidOption, path: request.path,
            message: "report \"\(request.format.rawValue)\": \(message)")
    }
}
