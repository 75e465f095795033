import FileSystem
import Output
import Reports
import RunRecord

/// The reports that `--report` asks for.
struct RequestedReports {
    private let requests: [ReportRequest]

    /// Reads what stands behind each `--report`.
    init(_ texts: [String]) throws(ReportError) {
        requests = try texts.map { text throws(ReportError) in try ReportRequest(text) }
    }

    /// Whether one of them takes standard output.
    var areOnStandardOutput: Bool { requests.contains(where: \.isOnStandardOutput) }

    /// The path of the record that is asked for; nil when none is.
    var recordPath: String? { requests.lazy.compactMap(\.recordPath).first }

    /// The paths to which they are written.
    var paths: [String] { requests.compactMap(\.path) }

    /// Their reporters.
    ///
    /// - Parameters:
    ///   - environment: The environment's variables.
    ///   - board: Where reports find what the history has found.
    /// - Throws: Why one cannot be written, or that two would be written to one path.
    func reporters(
        environment: [String: String], board: TrendBoard = TrendBoard()
    ) throws(ReportError) -> [any Reporter] {
        // A report that takes standard output writes past the buffer: what is in that comes first.
        StandardOutput.flush()
        let isOutputTaken = areOnStandardOutput
        let output: @Sendable (String) -> Void = { text in
            StandardOutput.write(text)
            if isOutputTaken { StandardOutput.flush() }
        }
        var reporters: [any Reporter] = []
        try checkPaths()
        for request in requests {
            reporters.append(
                try ReporterFactory.reporter(
                    for: request, environment: environment, board: board, output: output))
        }
        return reporters
    }

    /// Checks that no two reports have one path, however it is written.
    private func checkPaths() throws(ReportError) {
        var earlier: [(request: ReportRequest, path: String, real: String)] = []
        for request in requests {
            guard let path = request.path else { continue }
            let real = RealPath.of(path)
            for other in earlier {
                if request.isPart(other.real, ofReportAt: real) { throw Self.error(partOf: path, at: other.path) }
                if other.request.isPart(real, ofReportAt: other.real) {
                    throw Self.error(partOf: other.path, at: path)
                }
                guard other.real == real else { continue }
                let isOutput = real == RealPath.standardOutput
                var message = "two reports would be written to \(isOutput ? "standard output" : path)"
                if !isOutput, other.path != path { message += ": \(other.path) is the same file" }
                throw ReportError(path: path, message: message)
            }
            earlier.append((request, path, real))
        }
    }

    private static func error(partOf split: String, at path: String) -> ReportError {
        ReportError(path: path, message: "two reports would be written to \(path): it can be a part of \(split)")
    }

    /// Checks that no report takes the place of a file that is read.
    ///
    /// - Parameter inputs: The paths of the files.
    func check(inputs: some Sequence<String>) throws(ReportError) {
        let files = requests.compactMap { request in request.path.map { (request, $0, RealPath.of($0)) } }
        if files.isEmpty { return }
        for input in Set(inputs) {
            let real = RealPath.of(input)
            for (request, path, reportPath) in files
            where reportPath == real || request.isPart(real, ofReportAt: reportPath) {
                throw ReportError(path: path, message: "the report \(path) would overwrite \(input), which is read")
            }
        }
    }
}

/// Paths by which it is told whether two are those of one file.
enum RealPath {
    /// The path of standard output.
    static let standardOutput = "/dev/stdout"

    /// The absolute path with symbolic links resolved, also where the file, or a folder above it, is not there yet.
    ///
    /// A device is known by its name alone, and standard output by one name.
    static func of(_ path: String) -> String {
        if path == "-" { return standardOutput }
        if path.hasPrefix("/dev/") { return path }
        let absolute = Path.absolute(path, in: Path.workingDirectory)
        let parts = absolute.split(separator: "/")
        // The longest beginning that is there.
        for count in stride(from: parts.count, through: 0, by: -1) {
            guard let real = Path.real("/" + parts[..<count].joined(separator: "/")) else { continue }
            return Path.normalized(([real] + parts[count...].map(String.init)).joined(separator: "/"))
        }
        return absolute
    }
}
