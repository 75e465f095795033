import Glibc
import JSON
import Testing

/// Tests of `apitest load --otlp` with the built program and a collector on the loopback interface.
@Suite(.serialized, .enabled(if: Program.isInstalled("python3"), "python3 is required for the collector"))
struct MetricsExportTests {
    /// A collector that writes each request to `requests.jsonl`.
    private static let collector = """
        import http.server, json, os

        class Collector(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                with open("requests.jsonl", "a") as file:
                    file.write(json.dumps({"path": self.path, "headers": headers, "body": json.loads(body)}) + "\\n")
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *arguments):
                pass

        server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
        with open("port.part", "w") as file:
            file.write(str(server.server_port))
        os.rename("port.part", "port")
        server.serve_forever()
        """

    private static let suite = """
        name: Shop
        serve: { mock: api.mock.yaml }
        tests:
          - { name: books, request: GET /books, expect: 200 }
          - { name: flow, steps: [{ name: broken, request: GET /fails, expect: 200 }] }
        """

    private static let mock = """
        routes:
          - { request: GET /books, respond: { json: [] } }
          - { request: GET /fails, respond: { status: 500 } }
        """

    private func project() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        TestFiles.write(Self.collector.utf8, to: directory.path + "/collector.py")
        return directory
    }

    @Test("Metrics are sent at each interval and at the end, with masked credentials")
    func export() async throws {
        let directory = try project()
        let collector = try ProgramRun(
            ["/usr/bin/env", "python3", "collector.py"], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/collector")
        defer { collector.killSession() }
        var port: String?
        _ = try await Poll.until {
            port = TestFiles.text(directory.path + "/port")
            return port != nil
        }
        let url = "http://127.0.0.1:\(try #require(port, "\(collector.standardError)"))"
        let run = try await Program.run(
            ["load", "suite.yaml", "--rate", "10/s", "--for", "2500ms", "--report", "json=record.jsonl"],
            in: directory.path,
            environment: [
                "OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_METRIC_EXPORT_INTERVAL": "1000",
                "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20s3cr3t-token",
            ])
        let output = run.output + run.error + (TestFiles.text(directory.path + "/record.jsonl") ?? "")
        #expect(!output.contains("s3cr3t-token"))
        #expect(!output.contains("could not send metrics"), "\(run.error)")
        let requests = (TestFiles.text(directory.path + "/requests.jsonl") ?? "").split(separator: "\n").compactMap {
            try? JSONValue(parsing: Array($0.utf8))
        }
        // A busy machine may skip metrics that newer ones replace.
        #expect(requests.count >= 2, "\(output)")
        for request in requests {
            #expect(request["path"] == "/v1/metrics")
            #expect(request["headers"]?["content-type"] == "application/json")
            #expect(request["headers"]?["authorization"] == "Bearer s3cr3t-token")
        }
        let scope = requests.last?["body"]?["resourceMetrics"]?[0]?["scopeMetrics"]?[0]
        func points(_ name: String, _ kind: String) -> [JSONValue] {
            let metric = scope?["metrics"]?.arrayValue?.first { $0["name"]?.stringValue == name }
            return metric?[kind]?["dataPoints"]?.arrayValue ?? []
        }
        func steps(_ points: [JSONValue]) -> [String] {
            points.compactMap { $0["attributes"]?[0]?["value"]?["stringValue"]?.stringValue }
        }
        for (name, counts) in [("apitest.load.requests", ["25", "25"]), ("apitest.load.failed", ["0", "25"])] {
            #expect(steps(points(name, "sum")) == ["books", "flow › broken"])
            #expect(points(name, "sum").compactMap { $0["asInt"]?.stringValue } == counts)
        }
        let durations = points("http.client.request.duration", "histogram")
        #expect(steps(durations) == ["books", "flow › broken"])
        for duration in durations {
            #expect(duration["count"] == "25")
            let counts = duration["bucketCounts"]?.arrayValue?.compactMap { $0.stringValue.flatMap { Int($0) } } ?? []
            #expect(counts.count == 15 && counts.reduce(0, +) == 25)
        }
        #expect(points("apitest.load.in_flight", "gauge").first?["asInt"] == "0")
    }

    @Test("A collector that does not respond is one warning, and the verdict stays the same")
    func unavailable() async throws {
        let directory = try project()
        // Nothing listens on the discard port of the loopback interface.
        let run = try await Program.run(
            [
                "load", "suite.yaml", "--test", "books", "--rate", "10/s", "--for", "1500ms", "--otlp",
                "http://127.0.0.1:9", "--report", "json=record.jsonl",
            ], in: directory.path, environment: ["OTEL_METRIC_EXPORT_INTERVAL": "1000"])
        let warnings = run.error.split(separator: "\n").filter { $0.contains("could not send metrics") }
        #expect(warnings.count == 1, "\(run.output)\(run.error)")
        let lines = (TestFiles.text(directory.path + "/record.jsonl") ?? "").split(separator: "\n").compactMap {
            try? JSONValue(parsing: Array($0.utf8))
        }
        let verdict = lines.first { $0["name"]?.stringValue == "no failed requests" }
        #expect(verdict?["outcome"]?.stringValue == "passed")
    }

    @Test("An invalid endpoint is an error before anything is sent")
    func invalid() async throws {
        let directory = try project()
        let run = try await Program.run(
            ["load", "suite.yaml", "--rate", "10/s", "--for", "1s", "--otlp", "collector:4318"], in: directory.path)
        #expect(run.ending == .exit(2) && run.output.isEmpty)
        #expect(run.error.contains("--otlp: "), "\(run.error)")
    }
}
