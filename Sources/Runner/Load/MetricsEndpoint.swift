public import Basics
public import Diagnostics
import HTTPSession
import RunModel

/// An OpenTelemetry endpoint that receives the metrics of a load (OTLP/HTTP with JSON).
public struct MetricsEndpoint: Sendable {
    /// An invalid option or environment variable.
    public struct Failure: Error, Sendable, Hashable {
        /// The kind of the error.
        public var id: ProblemID { source.hasPrefix("-") ? .invalidOption : .environmentVariable }
        /// The name of the option or the variable.
        public var source: String
        /// A one-sentence description without a final period.
        public var message: MessageText
    }

    /// The names of the environment variables that the OpenTelemetry specification defines.
    private enum Variable {
        static let endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
        static let metricsEndpoint = "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
        static let headers = "OTEL_EXPORTER_OTLP_HEADERS"
        static let metricsHeaders = "OTEL_EXPORTER_OTLP_METRICS_HEADERS"
        static let interval = "OTEL_METRIC_EXPORT_INTERVAL"
    }

    /// The path of metrics, relative to the URL of a collector.
    private static let path = "/v1/metrics"

    /// The absolute URL of the endpoint.
    let url: String
    /// The additional header fields of each request.
    let headers: HTTPHeaders
    /// The time between two requests, in nanoseconds.
    public private(set) var interval: Int64 = 10_000_000_000

    /// Creates the endpoint that an option or the environment names; nil if neither does.
    ///
    /// - Parameters:
    ///   - option: The value of `--otlp`, which takes precedence.
    ///   - environment: The environment of the process.
    /// - Throws: ``Failure`` if a value is invalid.
    public init?(option: String?, environment: [String: String]) throws(Failure) {
        // The specification treats an empty variable as unset.
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let option {
            url = try Self.url(option, from: "--otlp") { $0.path.isEmpty || $0.path == "/" }
        } else if let text = variable(Variable.metricsEndpoint) {
            url = try Self.url(text, from: Variable.metricsEndpoint) { _ in false }
        } else if let text = variable(Variable.endpoint) {
            url = try Self.url(text, from: Variable.endpoint) { _ in true }
        } else {
            return nil
        }
        var headers = HTTPHeaders()
        for name in [Variable.headers, Variable.metricsHeaders] {
            guard let text = variable(name) else { continue }
            for (key, value) in try Self.fields(text, from: name) { headers.set(name: key, value: value) }
        }
        self.headers = headers
        if let text = variable(Variable.interval) {
            guard let milliseconds = Int64(text), (1...86_400_000).contains(milliseconds) else {
                throw Failure(source: Variable.interval, message: "expected milliseconds, got \"\(text)\"")
            }
            interval = milliseconds * 1_000_000
        }
    }

    /// The credentials in the URL and the header fields, which all output must mask.
    public var secrets: [String] {
        var secrets = [URLPassword.decoded(in: url)].compactMap(\.self)
        for field in headers.fields {
            secrets.append(field.value)
            // The credentials after an authentication scheme are secret on their own, too.
            if let space = field.value.firstIndex(of: " ") { secrets.append(String(field.value[space...].dropFirst())) }
        }
        return secrets
    }

    /// Returns a valid URL, with the path of metrics appended if it names a collector as a whole.
    private static func url(
        _ text: String, from source: String, isCollector: (HTTPURL) -> Bool
    ) throws(Failure) -> String {
        let url: HTTPURL
        do throws(HTTPURLError) {
            url = try HTTPURL(text)
        } catch {
            throw Failure(source: source, message: error.wording)
        }
        guard isCollector(url) else { return text }
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        var base = text[..<end]
        while base.last == "/" { base.removeLast() }
        return base + path + text[end...]
    }

    /// Parses header fields: `name=value` pairs, separated by commas, with percent-encoded values.
    private static func fields(
        _ text: String, from source: String
    ) throws(Failure) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for pair in text.split(separator: ",") {
            guard let sign = pair.firstIndex(of: "=") else {
                // The text may hold credentials.
                throw Failure(source: source, message: "expected \"name=value\" pairs, separated by commas")
            }
            let name = trimmed(pair[..<sign])
            let value = PercentEncoding.decode(trimmed(pair[pair.index(after: sign)...]))
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else {
                throw Failure(source: source, message: "a header has an invalid name or value")
            }
            fields.append((name, value))
        }
        return fields
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
