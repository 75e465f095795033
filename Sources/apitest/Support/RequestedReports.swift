import Reports

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
        var reporters: [any Reporter] = []
        var paths: Set<String> = []
        for request in requests {
            if let path = request.path, !paths.insert(path).inserted {
                let place = path == "-" ? "standard output" : path
                throw ReportError(path: path, message: "two reports would be written to \(place)")
            }
            reporters.append(
                try ReporterFactory.reporter(
                    for: request, environment: environment, board: board, output: StandardOutput.write))
        }
        return reporters
    }
}
