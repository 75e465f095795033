import JSON
import Testing

/// Tests against an independent server implementation that violates its own description in known ways.
@Suite(.serialized)
struct ContractServerTests {
    /// The tests of the suite: the request, other keys, and the checks that report violations as errors or warnings.
    private static let tests: [(name: String, request: String, rest: String, errors: [String], warnings: [String])] = [
        ("list", "GET /books?limit=1", "", [], []),
        ("read", "GET /books/7", "", [], []),
        (
            "add", "{ method: POST, url: /books, auth: { bearer: x }, json: { title: Emma, price: 7 } }", "", [], []
        ),
        ("refused", "GET /books/seven", "expect: { status: 422, contract: { request: false } }", [], []),
        ("not meant", "GET /books/seven", "expect: 422", ["request-parameters"], []),
        ("wrong type", "GET /books/wrong-type", "", ["response-body", "response-body", "response-body"], []),
        ("missing member", "GET /books/missing-member", "", ["response-body"], []),
        ("out of bounds", "GET /books/out-of-bounds", "", ["response-body", "response-body"], []),
        ("page", "GET /books/page", "", ["undocumented-content-type"], []),
        ("created", "GET /books/created", "", ["undocumented-status"], []),
        ("gone", "GET /books/gone", "expect: 410", [], ["undocumented-status"]),
        ("broken", "GET /books/broken", "expect: 500", ["server-error"], []),
        ("counted", "GET /books/counted?total=3", "", [], []),
        ("not counted", "GET /books/counted", "", ["missing-response-header"], []),
        ("counted in words", "GET /books/counted?total=three", "", ["response-headers"], []),
        ("old", "GET /books/old", "", [], ["deprecated-operation"]),
        ("hidden", "GET /books/hidden", "", [], []),
        ("unknown", "PUT /books", "expect: 405", ["undocumented-operation"], []),
        ("misspelt parameter", "GET /books?limt=1", "", [], ["request-parameters"]),
        (
            "wrong body", "{ method: POST, url: /books, auth: { bearer: x }, json: { title: Emma, price: free } }",
            "expect: 422", ["request-body"], []
        ),
        (
            "wrong media type", "{ method: POST, url: /books, auth: { bearer: x }, text: Emma }", "expect: 422",
            ["request-content-type"], []
        ),
        (
            "no credentials", "{ method: POST, url: /books, json: { title: Emma, price: 7 } }", "",
            ["missing-security"], []
        ),
    ]

    @Test("Exactly the planted violations are found")
    func plantedViolations() async throws {
        guard let python = Program.environmentVariable("APITEST_PYTHON") else {
            try Test.cancel("APITEST_PYTHON must name a Python with FastAPI")
        }
        let directory = try TemporaryDirectory()
        let script = TestFiles.target + "/Contracts/library.py"
        let described = try ProgramRun(
            [python, script, "--openapi"], environment: Program.environment(home: directory.path),
            directory: directory.path,
            output: directory.path + "/described")
        guard try await described.wait() == .exit(0) else {
            try Test.cancel("FastAPI is not installed: \(described.standardError.suffix(200))")
        }
        TestFiles.write(described.standardOutput.utf8, to: directory.path + "/openapi.json")
        let lines = Self.tests.map { test in
            "  - { name: \(test.name), request: \(test.request)\(test.rest.isEmpty ? "" : ", \(test.rest)") }"
        }
        // In the description, a hidden route matches /books/{book_id}, and its parameter is not an integer.
        TestFiles.write(
            """
            serve: { command: ["\(python)", "\(script)", "${port}"], ready: GET /openapi.json, within: 30s }
            contract: { file: openapi.json, format: assert }
            tests:
            \(lines.joined(separator: "\n"))
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "json=run.jsonl"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        var found: [String: [String]] = [:]
        var warnings: [String] = []
        for line in record.split(separator: "\n") {
            let event = try JSONValue(parsing: Array(line.utf8))
            if event["event"] == "test", let name = event["name"]?.stringValue {
                let findings = event["steps"]?[0]?["findings"]?.arrayValue ?? []
                found[name] = findings.compactMap { $0["type"]?.stringValue }
            }
            if event["event"] == "notice", let id = event["id"]?.stringValue { warnings.append(id) }
        }
        for test in Self.tests {
            let expected = test.name == "hidden" ? ["request-parameters"] : test.errors
            #expect(found[test.name]?.sorted() == expected.sorted(), "\(test.name)\n\(run.output)")
        }
        #expect(Set(warnings) == Set(Self.tests.flatMap(\.warnings)), "\(run.error)")
    }

    /// The tests of httpbin, and the checks that report violations.
    private static let httpbin: [(name: String, request: String, rest: String, errors: [String])] = [
        ("get", "GET /get?a=1", "", []),
        ("base64", "GET /base64/aGVsbG8=", "", []),
        ("documented status", "GET /status/400", "expect: 400", []),
        ("other status", "GET /status/201", "expect: 201", ["undocumented-status"]),
        ("not a number", "GET /delay/x", "expect: 500", ["server-error"]),
        ("wrong method", "DELETE /get", "expect: 405", ["undocumented-operation"]),
    ]

    @Test("A real server is checked against its Swagger 2.0 document despite mistakes in it")
    func swagger2() async throws {
        guard let python = Program.environmentVariable("APITEST_PYTHON") else {
            try Test.cancel("APITEST_PYTHON must name a Python with httpbin")
        }
        let directory = try TemporaryDirectory()
        // httpbin provides a description only with flasgger.
        let code = """
            import flasgger
            from httpbin import app
            print(app.test_client().get('/spec.json').get_data(as_text=True))
            """
        let described = try ProgramRun(
            [python, "-c", code], environment: Program.environment(home: directory.path), directory: directory.path,
            output: directory.path + "/described")
        guard try await described.wait() == .exit(0) else {
            try Test.cancel("httpbin or flasgger is not installed: \(described.standardError.suffix(200))")
        }
        TestFiles.write(described.standardOutput.utf8, to: directory.path + "/spec.json")
        let lines = Self.httpbin.map { test in
            "  - { name: \(test.name), request: \(test.request)\(test.rest.isEmpty ? "" : ", \(test.rest)") }"
        }
        let command = #"["\#(python)", -m, flask, --app, httpbin, run, --port, "${port}"]"#
        TestFiles.write(
            """
            serve: { command: \(command), ready: GET /status/200, within: 30s }
            contract: spec.json
            tests:
            \(lines.joined(separator: "\n"))
            """.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "json=run.jsonl"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        var found: [String: [String]] = [:]
        for line in record.split(separator: "\n") {
            let event = try JSONValue(parsing: Array(line.utf8))
            guard event["event"] == "test", let name = event["name"]?.stringValue else { continue }
            found[name] = (event["steps"]?[0]?["findings"]?.arrayValue ?? []).compactMap { $0["type"]?.stringValue }
        }
        for test in Self.httpbin { #expect(found[test.name] == test.errors, "\(test.name)\n\(run.output)") }
    }

    /// The tests of Kinto's generated suite that fail because of a defect in the description or the server.
    private static let kinto: [String: String] = [
        "create account": "the document does not say that an account needs an id",
        "create account with a string as data": "the server answers 500",
        "create account with an array as body": "the server answers 500",
        "batch with an array as body": "the server answers 500",
        "batch without requests[0].path": "the server takes a request without a path",
        "version": "the server answers 500 without a file that names its version",
        "delete bucket, and it is gone": "the server hides what is not there behind 403",
        "delete user data": "the document does not say that this is forbidden to all but one user",
        "delete user data with If-Match in the wrong format": "the same",
        "delete user data with If-None-Match in the wrong format": "the same",
    ]

    @Test("A generated suite passes against a real server, apart from known defects")
    func generatedSuite() async throws {
        guard let python = Program.environmentVariable("APITEST_PYTHON") else {
            try Test.cancel("APITEST_PYTHON must name a Python with Kinto")
        }
        let directory = try TemporaryDirectory()
        let settings = TestFiles.target + "/Contracts/kinto.ini"
        let code = """
            from paste.deploy import loadapp
            from webob import Request
            app = loadapp('config:\(settings)', global_conf={'http_port': '0'})
            print(Request.blank('/v1/__api__').get_response(app).text)
            """
        let described = try ProgramRun(
            [python, "-W", "ignore", "-c", code], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/described")
        guard try await described.wait() == .exit(0) else {
            try Test.cancel("Kinto is not installed: \(described.standardError.suffix(200))")
        }
        TestFiles.write(described.standardOutput.utf8, to: directory.path + "/swagger.json")
        let made = try await Program.run(
            ["contract", "generate", "swagger.json", "--output", "suite.yaml"], in: directory.path)
        #expect(
            made.ending == .exit(0) && made.error.contains("note: no security scheme is documented"), "\(made.error)")
        // A user adds the server's start command, an account, and its credentials.
        let start = #"["\#(python)", -W, ignore, -c, "from kinto.__main__ import main; main()", start"#
        let serve = #"{ command: \#(start), --ini, "\#(settings)", --port, "${port}"], ready: GET /v1/, within: 60s }"#
        let account = "{ method: PUT, url: /accounts/admin, json: { data: { password: sesame } }, auth: none }"
        let generated = try #require(TestFiles.text(directory.path + "/suite.yaml"))
        let suite = generated.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if line.hasPrefix("baseURL: ") {
                return "serve: \(serve)\nbaseURL: http://127.0.0.1:${port}/v1\n"
                    + "setup: [{ request: \(account), expect: { status: 201, contract: false } }]"
            }
            return line == "defaults:"
                ? "\(line)\n  auth: { basic: { username: admin, password: sesame } }" : String(line)
        }.joined(separator: "\n")
        TestFiles.write(suite.utf8, to: directory.path + "/suite.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "json=run.jsonl"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let record = try #require(TestFiles.text(directory.path + "/run.jsonl"))
        var outcomes: [String: [String]] = [:]
        for line in record.split(separator: "\n") {
            let event = try JSONValue(parsing: Array(line.utf8))
            guard event["event"] == "test", let name = event["name"]?.stringValue,
                let outcome = event["outcome"]?.stringValue
            else { continue }
            outcomes[outcome, default: []].append(name)
        }
        #expect(outcomes["failed"]?.sorted() == Self.kinto.keys.sorted(), "\(run.output)")
        #expect(outcomes["passed"]?.count ?? 0 > 400 && outcomes["errored"] == nil && outcomes["blocked"] == nil)
    }
}
