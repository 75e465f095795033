import Glibc
import Histogram
import JSON
import Testing

/// Tests of `apitest load` with the built program, against servers on the loopback interface.
///
/// A busy machine makes the generator late, which only its own test expects. So the others look at counts, which the
/// schedule determines, and at the cases of thresholds.
@Suite(.serialized)
struct LoadTests {
    /// The result of a load: its exit status, the members of its `load` line, and the outcomes of its cases.
    private struct Load {
        var status: ProgramRun.Ending
        var output: String
        var error: String
        var summary: JSONValue
        var seconds: [JSONValue]
        var cases: [String: String] = [:]

        func count(_ name: String) -> Int64? { summary[name]?.numberValue?.int64 }

        func step(_ name: String) -> JSONValue? {
            summary["steps"]?.arrayValue?.first { $0["step"]?.stringValue ?? $0["test"]?.stringValue == name }
        }
    }

    private func load(_ suite: String, _ arguments: [String], server: ScriptedServer? = nil) async throws -> Load {
        let directory = try TemporaryDirectory()
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        let run = try await Program.run(
            ["load", "suite.yaml", "--report", "json=record.jsonl"] + arguments, in: directory.path,
            environment: ["SERVER_URL": server?.url ?? ""])
        return try Self.result(run.ending, run.output, run.error, in: directory)
    }

    private static func result(
        _ ending: ProgramRun.Ending, _ output: String, _ error: String, in directory: TemporaryDirectory
    ) throws -> Load {
        let lines = (TestFiles.text(directory.path + "/record.jsonl") ?? "").split(separator: "\n").compactMap {
            try? JSONValue(parsing: Array($0.utf8))
        }
        func events(_ name: String) -> [JSONValue] { lines.filter { $0["event"]?.stringValue == name } }
        var load = Load(
            status: ending, output: output, error: error, summary: events("load").first ?? .null,
            seconds: events("loadSecond"))
        for test in events("test") {
            guard let name = test["name"]?.stringValue else { continue }
            load.cases[name] = test["outcome"]?.stringValue
        }
        return load
    }

    /// Returns a time in seconds since 1970-01-01T00:00:00Z as `--start-at` expects it.
    private static func timestamp(_ seconds: time_t) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let mock = """
        routes:
          - { request: GET /books, respond: { json: [{ id: 1 }, { id: 2 }] } }
          - { request: GET /fails, respond: { status: 500 } }
        """

    private static let suite = """
        serve: { mock: api.mock.yaml }
        tests:
          - { name: books, request: GET /books, expect: { status: 200, json: { "$[0].id": 1 } }, capture: { id: "$[1].id" } }
          - name: flow
            steps:
              - { name: again, request: "GET /books?id=${id}", expect: 200 }
              - { name: broken, request: GET /fails, expect: 200 }
        """

    @Test("A rate starts as many iterations as it says, and every expectation counts")
    func rate() async throws {
        let load = try await load(Self.suite, ["--rate", "40/s", "--for", "1s"])
        #expect(load.count("iterations") == 40, "\(load.output)\(load.error)")
        #expect(load.count("failedIterations") == 40)
        #expect(load.count("requests") == 120)
        #expect(load.count("failed") == 40)
        #expect(load.step("again")?["failed"]?.numberValue?.int64 == 0)
        #expect(load.step("broken")?["failed"]?.numberValue?.int64 == 40)
        #expect(load.summary["causes"]?.arrayValue?.first?["count"]?.numberValue?.int64 == 40)
        #expect(load.cases["no failed requests"] == "failed")
        #expect(load.status == .exit(1))
        // The seconds and the whole count the same requests, and so do their histograms.
        let sum = load.seconds.reduce(0) { $0 + ($1["requests"]?.numberValue?.int64 ?? 0) }
        #expect(sum == 120)
        var merged = Histogram(lowestDiscernibleValue: 1)
        for second in load.seconds {
            try merged.merge(try Histogram(base64Encoded: second["response"]?["histogram"]?.stringValue ?? ""))
        }
        let whole = try Histogram(base64Encoded: load.summary["response"]?["histogram"]?.stringValue ?? "")
        #expect(whole.count == 120)
        #expect(Array(merged.buckets) == Array(whole.buckets))
    }

    @Test("Users run one iteration after another, and pause between two")
    func users() async throws {
        let server = try ScriptedServer(
            ServerScript(
                Array(#"{ "answers": { "*": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"] }] } }"#.utf8)
            ))
        defer { server.stop() }
        let suite = """
            baseURL: ${env("SERVER_URL")}
            tests: [{ name: home, request: GET /, expect: { body: ok } }]
            """
        let load = try await load(suite, ["--users", "3", "--for", "1s", "--think", "10h"], server: server)
        // Each user starts one iteration, and the pause is longer than the load.
        #expect(load.count("iterations") == 3, "\(load.output)\(load.error)")
        #expect(server.requests.count == 3)
        #expect(load.cases["no failed requests"] == "passed")
    }

    @Test("The setup and calls with once: run happen once, and each iteration uses the next row")
    func setupAndRows() async throws {
        let server = try ScriptedServer(
            ServerScript(
                Array(
                    """
                    { "answers": {
                      "POST /login": [{ "send": ["HTTP/1.1 200 OK", "Set-Cookie: session=s1", "Content-Length: 9", "", "{\\"t\\": 42}"] }],
                      "*": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"] }] } }
                    """.utf8)))
        defer { server.stop() }
        let suite = """
            baseURL: ${env("SERVER_URL")}
            fragments:
              token: { steps: [{ request: GET /token }] }
            setup: [{ name: login, request: POST /login, capture: { t: $.t } }]
            tests:
              - { name: last, request: "GET /last/${n}", needs: rows, variables: { n: "${t}" } }
              - { name: shared, call: token, once: run }
              - { name: rows, id: rows, cases: [{ n: 1 }, { n: 2 }, { n: 3 }], request: "GET /rows/${n}" }
            teardown: [{ request: DELETE /login }]
            """
        let load = try await load(suite, ["--rate", "50/s", "--for", "100ms"], server: server)
        #expect(load.count("iterations") == 5, "\(load.output)\(load.error)")
        var counts: [String: Int] = [:]
        for request in server.requests { counts[request, default: 0] += 1 }
        #expect(
            counts == [
                "POST /login": 1, "GET /token": 1, "DELETE /login": 1, "GET /last/42": 5, "GET /rows/1": 2,
                "GET /rows/2": 2, "GET /rows/3": 1,
            ])
    }

    @Test("Thresholds are cases, and an expression that names an unknown step is refused before anything is sent")
    func thresholds() async throws {
        let profile = """

            load:
              calm:
                rate: 20/s
                for: 500ms
                thresholds:
                  - failed / requests < 0.5 && step["again"].failed == 0.0
                  - p99 < duration("1ns")
            """
        let judged = try await load(Self.suite + profile, [])
        #expect(
            judged.cases["failed / requests < 0.5 && step[\"again\"].failed == 0.0"] == "passed", "\(judged.output)")
        #expect(judged.cases["p99 < duration(\"1ns\")"] == "failed")
        #expect(judged.output.contains("p99 = "))
        #expect(judged.status == .exit(1))

        let refused = try await load(Self.suite + profile.replacing("again", with: "agian"), [])
        #expect(refused.status == .exit(2))
        #expect(refused.error.contains("the load has no step \"agian\" [invalid-threshold]"), "\(refused.error)")
        #expect(refused.error.contains("did you mean \"again\"?"))
        #expect(refused.output.isEmpty)
    }

    @Test("With `trace`, failures and the slowest requests show their trace IDs")
    func traces() async throws {
        let load = try await load("defaults: { trace: true }\n" + Self.suite, ["--rate", "20/s", "--for", "200ms"])
        let id = try #require(
            load.summary["causes"]?[0]?["exchange"]?["traceId"]?.stringValue, "\(load.output)\(load.error)")
        #expect(load.output.contains("  trace \(id)\n"))
        #expect(load.output.matches(of: /slow: .*  trace [0-9a-f]{32}\n/).count == 3)
    }

    @Test("A condition under abort ends the load early, as a failure")
    func abort() async throws {
        let profile = "\nload: { calm: { rate: 20/s, for: 10m, abort: failed > 0.0 } }\n"
        let load = try await load(Self.suite + profile, [])
        #expect(load.cases["abort"] == "failed", "\(load.output)\(load.error)")
        #expect(load.summary["cutShort"] == .bool(true))
        #expect(load.status == .exit(1))
    }

    @Test("An interruption ends the load, and reports the figures so far")
    func interruption() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        let run = try ProgramRun(
            [Program.path, "load", "suite.yaml", "--rate", "50/s", "--for", "10m", "--report", "json=record.jsonl"],
            environment: Program.environment(home: directory.path, adding: [:]), directory: directory.path,
            output: directory.path + "/run")
        _ = try await Poll.until(within: .seconds(30)) {
            TestFiles.text(directory.path + "/record.jsonl")?.contains("loadSecond") == true
        }
        run.send(SIGINT)
        let ending = try await run.wait()
        let load = try Self.result(ending, run.standardOutput, run.standardError, in: directory)
        #expect(load.status == .exit(130), "\(load.output)\(load.error)")
        #expect((load.count("requests") ?? 0) > 0)
    }

    @Test("A stalled server is visible in the response times of all requests that it delays")
    func stall() async throws {
        // The only connection of each exchange waits until all requests have arrived, which takes one second.
        let count = 20
        let server = try ScriptedServer(
            ServerScript(
                Array(
                    """
                    { "answers": { "*": [
                      { "barrier": \(count) }, { "send": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"] }] } }
                    """.utf8)))
        defer { server.stop() }
        let suite = """
            baseURL: ${env("SERVER_URL")}
            tests: [{ name: home, request: GET /, expect: { body: ok } }]
            """
        let load = try await load(suite, ["--rate", "\(count)/s", "--for", "1s"], server: server)
        #expect(load.count("iterations") == Int64(count), "\(load.output)\(load.error)")
        let response = try Histogram(base64Encoded: load.summary["response"]?["histogram"]?.stringValue ?? "")
        // The first request waits for the last one, 950 ms later. The server is stalled for each, but not the schedule.
        #expect((response.maximum ?? 0) >= 940_000_000)
        #expect((response.value(atPercentile: 50) ?? 0) >= 400_000_000)
        #expect((response.minimum ?? .max) < 900_000_000)
    }

    @Test("Shards start together, send the requests of the schedule once, and are judged together when merged")
    func shards() async throws {
        let server = try ScriptedServer(
            ServerScript(
                Array(#"{ "answers": { "*": [{ "send": ["HTTP/1.1 200 OK", "Content-Length: 2", "", "ok"] }] } }"#.utf8)
            ))
        defer { server.stop() }
        let directory = try TemporaryDirectory()
        let suite = """
            baseURL: ${env("SERVER_URL")}
            tests:
              - { name: rows, cases: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }], request: "GET /${n}", expect: 200 }
            load:
              peak:
                rate: 40/s
                for: 1s
                thresholds: [requests == 40.0 && iterations == 40.0, p50 > duration("1h")]
            """
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        let (path, url) = (directory.path, server.url)
        let seconds = time(nil) + 4
        let start = Self.timestamp(seconds)
        @Sendable func shard(_ number: Int) async throws -> (ending: ProgramRun.Ending, output: String, error: String) {
            try await Program.run(
                ["load", "suite.yaml", "--shard", "auto", "--start-at", start, "--report", "json=\(number).jsonl"],
                in: path,
                environment: ["SERVER_URL": url, "APITEST_SHARDS": "2", "JOB_COMPLETION_INDEX": "\(number - 1)"])
        }
        async let first = shard(1)
        async let second = shard(2)
        for (run, shard) in [(try await first, "1/2"), (try await second, "2/2")] {
            // A shard does not judge the figures.
            #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
            #expect(run.output.contains("load peak: shard \(shard) of 40/s for 1s\n"), "\(run.output)")
            #expect(run.error.contains("shard \(shard) (from JOB_COMPLETION_INDEX): the load starts at \(start), in "))
        }
        // The rows follow the iterations of the whole load, so that each is used equally often.
        var counts: [String: Int] = [:]
        for request in server.requests { counts[request, default: 0] += 1 }
        #expect(counts == ["GET /1": 8, "GET /2": 8, "GET /3": 8, "GET /4": 8, "GET /5": 8])

        let merge = try await Program.run(
            ["report", "merge", "1.jsonl", "2.jsonl", "--report", "json=record.jsonl"], in: directory.path)
        let merged = try Self.result(merge.ending, merge.output, merge.error, in: directory)
        #expect(merged.status == .exit(1), "\(merge.output)\(merge.error)")
        #expect(merged.cases["requests == 40.0 && iterations == 40.0"] == "passed")
        #expect(merged.cases["p50 > duration(\"1h\")"] == "failed")
        var whole = Histogram(lowestDiscernibleValue: 1)
        for name in ["1", "2"] {
            let lines = (TestFiles.text("\(directory.path)/\(name).jsonl") ?? "").split(separator: "\n")
            let load = try JSONValue(
                parsing: Array(try #require(lines.first { $0.contains("\"event\":\"load\"") }).utf8))
            #expect(load["requests"]?.numberValue?.int64 == 20)
            // Both have the agreed time as their start, however long their setup took.
            #expect(load["startTime"]?.numberValue?.int64 == Int64(seconds))
            try whole.merge(try Histogram(base64Encoded: load["response"]?["histogram"]?.stringValue ?? ""))
        }
        #expect(merged.summary["response"]?["histogram"]?.stringValue == whole.base64Encoded())
        #expect(merged.seconds.reduce(0) { $0 + ($1["requests"]?.numberValue?.int64 ?? 0) } == 40)

        let incomplete = try await Program.run(
            ["report", "merge", "1.jsonl", "--report", "junit=record.xml"], in: directory.path)
        #expect(incomplete.ending == .exit(1))
        let junit = TestFiles.text(directory.path + "/record.xml") ?? ""
        #expect(junit.contains("<error message=\"no record of shard 2/2\" type=\"incomplete\">"), "\(junit)")
    }

    @Test("A shard that starts late says so, and one without a record cannot be merged")
    func lateShard() async throws {
        let start = Self.timestamp(time(nil) - 5)
        let load = try await load(
            Self.suite, ["--rate", "20/s", "--for", "100ms", "--shard", "2/2", "--start-at", start])
        let pattern = /warning: suite: the load starts \d+(\.\d+)?s after the time of --start-at/
        #expect(load.error.contains(pattern), "\(load.output)\(load.error)")
        #expect(load.count("iterations") == 1)
        #expect(load.status == .exit(0))

        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        let run = try await Program.run(
            ["load", "suite.yaml", "--rate", "20/s", "--for", "100ms", "--shard", "1/2"], in: directory.path)
        #expect(run.error.contains("warning: the figures of this shard cannot be merged without its record"))
    }

    @Test("An abort ends one shard, and fails the merged load")
    func abortedShard() async throws {
        let profile = "\nload: { calm: { rate: 20/s, for: 10m, abort: failed > 0.0, thresholds: failed >= 0.0 } }\n"
        let load = try await load(Self.suite + profile, ["--shard", "1/1"])
        #expect(load.cases == ["abort": "failed"], "\(load.output)\(load.error)")
        #expect(load.status == .exit(1))
        #expect(load.summary["aborted"] == .bool(true))
    }
}
