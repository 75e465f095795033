import Diagnostics
import FileSystem
import Output
import Reports
import RunModel
import RunRecord
import Runner

/// The reports requested with `--report`.
struct RequestedReports {
    /// The reports in the file system and on standard output.
    private var requests: [ReportRequest] = []
    /// The records outside of the file system.
    private(set) var remote: [RemoteRequest] = []

    /// Parses the arguments of all `--report` options.
    ///
    /// - Parameter shard: The shard that names a record whose path is a directory; nil for all tests.
    init(_ texts: [String], shard: Shard? = nil) throws(ReportError) {
        for text in texts {
            var request = try ReportRequest(text)
            let path = request.path ?? ""
            if StorageLocation.isLocation(path) {
                remote.append(try Self.remote(request, path, shard))
            } else {
                if request.format == .json, path.hasSuffix("/") { request.path = path + RecordName.of(shard) }
                requests.append(request)
            }
        }
    }

    private static func remote(
        _ request: ReportRequest, _ path: String, _ shard: Shard?
    ) throws(ReportError) -> RemoteRequest {
        guard request.format == .json else {
            throw ReportError(
                id: .invalidOption,
                message: "a \(request.format.rawValue) report cannot be written to a URL: only json reports can")
        }
        do throws(StorageError) {
            var location = try StorageLocation(path)
            if location.isDirectory { location = try location.appending(RecordName.of(shard)) }
            return RemoteRequest(report: request, location: location)
        } catch {
            throw ReportError(id: error.id ?? .invalidOption, message: "--report json: \(error.message)")
        }
    }

    /// Whether any report is written to standard output.
    var areOnStandardOutput: Bool { requests.contains(where: \.isOnStandardOutput) }

    /// The path of the requested record, or `nil` if there is none.
    var recordPath: String? { requests.lazy.compactMap(\.recordPath).first }

    /// The paths of the reports.
    var paths: [String] { requests.compactMap(\.path) }

    /// Creates the reporters.
    ///
    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - board: The board with the trends from the history reporter.
    /// - Throws: ``ReportError`` if a report is not writable, or two reports have the same path.
    func reporters(
        environment: [String: String], board: TrendBoard = TrendBoard()
    ) throws(ReportError) -> [any Reporter] {
        // A report on standard output bypasses the buffer, which is therefore written first.
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

    /// Checks that no two reports are written to the same file, even under different paths.
    private func checkPaths() throws(ReportError) {
        var locations: Set<StorageLocation> = []
        for location in remote.map(\.location) where !locations.insert(location).inserted {
            throw ReportError(
                id: .conflictingOutputs, message: "two reports would be written to \"\(location)\"")
        }
        var previous: [(request: ReportRequest, path: String, real: String)] = []
        for request in requests {
            guard let path = request.path else { continue }
            let real = RealPath.of(path)
            for other in previous {
                if request.isPart(other.real, ofReportAt: real) { throw Self.error(partOf: path, at: other.path) }
                if other.request.isPart(real, ofReportAt: other.real) {
                    throw Self.error(partOf: other.path, at: path)
                }
                guard other.real == real else { continue }
                let isOutput = real == RealPath.standardOutput
                let target = isOutput ? "standard output" : "\"\(path)\""
                var message = "two reports would be written to \(target)"
                if !isOutput, other.path != path { message += ": \"\(other.path)\" is the same file" }
                throw ReportError(id: .conflictingOutputs, path: path, message: message)
            }
            previous.append((request, path, real))
        }
    }

    private static func error(partOf split: String, at path: String) -> ReportError {
        ReportError(
            id: .conflictingOutputs, path: path,
            message: "two reports would be written to \"\(path)\": a part of \"\(split)\" can have the same name")
    }

    /// Checks that no report overwrites an input file.
    ///
    /// - Parameter inputs: The paths of the input files.
    func check(inputs: some Sequence<String>) throws(ReportError) {
        let files = requests.compactMap { request in request.path.map { (request, $0, RealPath.of($0)) } }
        if files.isEmpty { return }
        for input in Set(inputs) {
            let real = RealPath.of(input)
            for (request, path, reportPath) in files
            where reportPath == real || request.isPart(real, ofReportAt: reportPath) {
                throw ReportError(
                    id: .conflictingOutputs, path: path,
                    message: "the report \"\(path)\" would overwrite \"\(input)\", which the run reads")
            }
        }
    }
}

/// Resolved paths, by which two paths to the same file can be recognized.
enum RealPath {
    /// The path of standard output.
    static let standardOutput = "/dev/stdout"

    /// Returns the absolute path with symbolic links resolved, even if the file or an ancestor does not exist yet.
    ///
    /// Devices are compared by name only. Standard output has a single canonical name.
    static func of(_ path: String) -> String {
        if path == "-" { return standardOutput }
        if path.hasPrefix("/dev/") { return path }
        let absolute = Path.absolute(path, in: Path.workingDirectory)
        let parts = absolute.split(separator: "/")
        // The longest existing prefix of the path.
        for count in stride(from: parts.count, through: 0, by: -1) {
            guard let real = Path.real("/" + parts[..<count].joined(separator: "/")) else { continue }
            return Path.normalized(([real] + parts[count...].map(String.init)).joined(separator: "/"))
        }
        return absolute
    }
}
