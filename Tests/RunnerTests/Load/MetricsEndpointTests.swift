import Basics
import HTTPSession
import Testing

@testable import Runner

@Testing.Suite("The endpoint of metrics")
struct MetricsEndpointTests {
    private func url(_ option: String?, _ environment: [String: String] = [:]) throws -> String? {
        try MetricsEndpoint(option: option, environment: environment)?.url
    }

    @Test("The endpoint is nil without the option and the variables")
    func none() throws {
        #expect(try url(nil) == nil)
        #expect(try url(nil, ["OTEL_EXPORTER_OTLP_ENDPOINT": "", "OTEL_EXPORTER_OTLP_HEADERS": "a=b"]) == nil)
    }

    @Test(
        "The option names an endpoint, or a collector if it has no path",
        arguments: [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/metrics"),
            ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/metrics"),
            ("https://otel.test/custom?tenant=1", "https://otel.test/custom?tenant=1"),
        ])
    func option(_ text: String, _ expected: String) throws {
        #expect(try url(text, ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://other.test"]) == expected)
    }

    @Test("The variable of metrics names an endpoint, the general variable a collector")
    func variables() throws {
        let collector = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel.test/base/?a=b"]
        #expect(try url(nil, collector) == "http://otel.test/base/v1/metrics?a=b")
        let both = collector.merging(["OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://metrics.test"]) { $1 }
        #expect(try url(nil, both) == "http://metrics.test")
    }

    @Test("Headers are percent-decoded, and their values are secret")
    func headers() throws {
        let endpoint = try #require(
            try MetricsEndpoint(
                option: "http://ada:pass%20word@otel.test",
                environment: [
                    "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20s3cr3t, x-tenant = blue",
                    "OTEL_EXPORTER_OTLP_METRICS_HEADERS": "X-Tenant=green",
                ]))
        #expect(endpoint.headers["Authorization"] == "Bearer s3cr3t")
        #expect(endpoint.headers.values("x-tenant") == ["green"])
        #expect(Set(endpoint.secrets) == ["pass word", "Bearer s3cr3t", "s3cr3t", "green"])
    }

    @Test("The interval is 10 seconds, unless a variable says otherwise")
    func interval() throws {
        func interval(_ environment: [String: String]) throws -> Int64? {
            try MetricsEndpoint(option: "http://otel.test", environment: environment)?.interval
        }
        #expect(try interval([:]) == 10_000_000_000)
        #expect(try interval(["OTEL_METRIC_EXPORT_INTERVAL": "2500"]) == 2_500_000_000)
    }

    @Test(
        "An invalid value is an error that names its source and shows no header",
        arguments: [
            ("--otlp", "collector"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://otel.test"),
            ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "otel.test:4318"), ("OTEL_EXPORTER_OTLP_HEADERS", "s3cr3t"),
            ("OTEL_EXPORTER_OTLP_HEADERS", "=s3cr3t"), ("OTEL_EXPORTER_OTLP_HEADERS", "a=s3cr3t%0A"),
            ("OTEL_METRIC_EXPORT_INTERVAL", "10s"), ("OTEL_METRIC_EXPORT_INTERVAL", "0"),
        ])
    func invalid(_ source: String, _ value: String) {
        let isEndpoint = source == "--otlp" || source.hasSuffix("ENDPOINT")
        let option = source == "--otlp" ? value : isEndpoint ? nil : "http://otel.test"
        let failure = #expect(throws: MetricsEndpoint.Failure.self) {
            _ = try MetricsEndpoint(option: option, environment: [source: value])
        }
        #expect(failure?.source == source)
        #expect(failure?.message.text.contains("s3cr3t") == false)
    }
}
