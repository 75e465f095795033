import Histogram
import Output
import RunModel
import RunRecord

/// A reporter of the figures of a load as comma-separated values (RFC 4180): a header, and a line for each second.
///
/// All fields are numbers or words of the program, so none needs quotation marks. Lines end with LF, because the tools of
/// Unix count the CR of RFC 4180 as a part of the last field.
typealias CSVReporter = DocumentReporter<CSVDocument>

extension CSVReporter {
    /// Creates a reporter and checks that its report can be written.
    ///
    /// - Parameter path: The path of the report. Missing directories are created.
    /// - Throws: ``ReportError`` if the path is not writable.
    convenience init(path: String) throws(ReportError) {
        self.init(CSVDocument(file: try ReportFile(path: path)))
    }
}

/// The lines of a load, and their file.
struct CSVDocument: ReportDocument, ~Copyable {
    /// No test events, because the report is about seconds only.
    let testEvents: TestEvents = []

    private static let columns = [
        "time_s", "duration_s", "started", "in_flight", "requests", "failed", "p50_ms", "p90_ms", "p95_ms", "p99_ms",
        "max_ms", "warmup",
    ]
    private static let percentiles: [Double] = [50, 90, 95, 99]

    private var file: ReportFile
    private var lines: [UInt8]

    init(file: consuming ReportFile) {
        self.file = file
        lines = Array((Self.columns.joined(separator: ",") + "\n").utf8)
    }

    mutating func receive(_ event: RunEvent, sizes: BodySizes) {
        switch event {
        case .load(.second(let second)):
            lines += Array((Self.fields(second).joined(separator: ",") + "\n").utf8)
        case .load(.progress), .load(.finished), .runStarted, .suiteStarted, .testStarted, .testCompleted,
            .testFinished,
            .secretRegistered, .notice, .suiteFinished, .interrupted, .runFinished:
            break
        }
    }

    mutating func add(_ test: FinishedTest, hidesExchanges: Bool) {}

    /// Returns the fields of a second. Latencies are empty in a second without requests.
    private static func fields(_ second: LoadSecond) -> [String] {
        let statistics = second.statistics
        let counts = [second.started, second.inFlight, statistics.requests, statistics.failed]
        var latencies = [String](repeating: "", count: percentiles.count + 1)
        if let values = statistics.response.values(atPercentiles: percentiles), let last = statistics.response.maximum {
            latencies = (values + [last]).map(milliseconds)
        }
        return [DurationText.seconds(second.time), DurationText.seconds(second.duration)] + counts.map(String.init)
            + latencies + [String(second.isWarmup)]
    }

    /// Returns a latency in milliseconds with up to three decimals.
    private static func milliseconds(_ nanoseconds: Int64) -> String {
        var bytes: [UInt8] = []
        DecimalText.append(milliseconds: nanoseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func finish() throws(ReportError) {
        try file.publish([.bytes(lines)])
    }
}
