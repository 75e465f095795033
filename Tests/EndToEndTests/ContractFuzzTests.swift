import JSON
import Testing

/// Searches a server that conforms to its description, except for planted faults.
@Suite(.serialized)
struct ContractFuzzTests {
    /// The faults of the server, and the findings that they cause.
    private static let faults: [(faults: [String], findings: Set<String>)] = [
        ([], []),
        (
            ["accepts-negative-price"],
            [
                "POST /books › invalid-request-accepted", "PUT /books/{id} › invalid-request-accepted",
                "GET /books › response-body", "POST /books › response-body", "PUT /books/{id} › response-body",
            ]
        ),
        (
            ["ignores-credentials"],
            [
                "GET /books › ignored-credentials", "POST /books › ignored-credentials",
                "GET /books/{id} › ignored-credentials", "PUT /books/{id} › ignored-credentials",
                "DELETE /books/{id} › ignored-credentials",
            ]
        ),
        (["keeps-deleted"], ["GET /books/{id} › use-after-delete"]),
        (["forgets"], ["GET /books/{id} › created-not-found"]),
        (["no-allow"], ["GET /books › unsupported-method", "GET /books/{id} › unsupported-method"]),
        (["price-as-string"], ["POST /books › response-body"]),
        (["wrong-status"], ["GET /books › undocumented-status"]),
        (["wrong-media-type"], ["GET /books › undocumented-content-type"]),
        (["no-count"], ["GET /books › missing-response-header"]),
        (
            ["fails-without-note", "stack-trace"],
            [
                "POST /books › server-error", "PUT /books/{id} › server-error", "POST /books › leaked-details",
                "PUT /books/{id} › leaked-details",
            ]
        ),
        (["fails-at-links"], ["GET /books/{id} › server-error"]),
        (["fails-behind-rule"], ["POST /books › server-error", "POST /books › valid-request-refused"]),
    ]

    private static let credentials = ["--header", "Authorization: Bearer token-of-the-owner"]

    @Test("Exactly the planted faults are found, and the suites of the findings fail", arguments: faults)
    func plantedFaults(_ faults: [String], _ findings: Set<String>) async throws {
        let shop = try await Shop(faults: faults)
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "1", "--cases", "20", "-o", "found",
                "--report", "json=record.jsonl",
            ] + Self.credentials, in: shop.directory.path)
        #expect(run.ending == .exit(findings.isEmpty ? 0 : 1), "\(run.output)\(run.error)")
        let failed = try Self.failedTests(shop.directory.path + "/record.jsonl")
        #expect(Set(failed) == findings, "\(run.output)\(run.error)")
        // Nothing is sent to the credentials' place in the suites.
        let suites = TestFiles.names(in: shop.directory.path + "/found").sorted()
        #expect(suites.count == findings.count)
        for suite in suites {
            let path = "found/\(suite)"
            let text = try #require(TestFiles.text(shop.directory.path + "/" + path))
            #expect(!text.contains("token-of-the-owner"), "\(text)")
            #expect(try await Program.run(["fmt", "--check", path], in: shop.directory.path).ending == .exit(0))
            let lint = try await Program.run(["lint", path], in: shop.directory.path)
            #expect(lint.ending == .exit(0), "\(lint.output)\(lint.error)\(text)")
            let replay = try await Program.run(
                [path], in: shop.directory.path, environment: ["AUTHORIZATION": "Bearer token-of-the-owner"])
            // A deletion cannot be repeated.
            #expect(replay.ending == .exit(1), "\(replay.output)\(replay.error)\(text)")
        }
        // Without the faults, the same suites pass.
        guard !faults.isEmpty else { return }
        let sound = try await Shop(faults: [])
        defer { sound.stop() }
        let fixed = try await Program.run(
            ["found"], in: shop.directory.path,
            environment: ["AUTHORIZATION": "Bearer token-of-the-owner", "BASE_URL": sound.url])
        #expect(fixed.ending == .exit(0), "\(fixed.output)\(fixed.error)")
    }

    @Test("Rules that only error messages state are learned, unless an option turns it off")
    func learning() async throws {
        let rule = #"POST /books: the member "note" must match [A-Z]{3}-[0-9]{2}"#
        for (arguments, isLearned) in [([], true), (["--no-learning"], false)] {
            let shop = try await Shop(faults: ["fails-behind-rule"])
            defer { shop.stop() }
            let run = try await Program.run(
                [
                    "contract", "fuzz", "openapi.json", "--url", shop.url, "--phases", "examples,coverage", "--report",
                    "json=record.jsonl",
                ] + Self.credentials + arguments, in: shop.directory.path)
            #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
            let failed = try Self.failedTests(shop.directory.path + "/record.jsonl")
            #expect(failed.contains("POST /books › server-error") == isLearned, "\(failed)")
            #expect(failed.contains("POST /books › valid-request-refused"))
            #expect((run.output + run.error).contains(rule) == isLearned, "\(run.output)\(run.error)")
        }
    }

    @Test("Every request can be recorded, with its intent and what was proved about it")
    func requests() async throws {
        let shop = try await Shop(faults: [])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "1", "--phases", "examples,coverage",
                "--requests", "requests.jsonl",
            ] + Self.credentials, in: shop.directory.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        let text = try #require(TestFiles.text(shop.directory.path + "/requests.jsonl"))
        #expect(!text.contains("token-of-the-owner"))
        let har = try await Program.run(
            ["report", "convert", "requests.jsonl", "--report", "har=requests.har"], in: shop.directory.path)
        #expect(har.ending == .exit(0), "\(har.output)\(har.error)")
        var proofs: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            let event = try JSONParser().parse(Array(line.utf8))
            guard let tags = event["test"]?["tags"]?.arrayValue?.compactMap(\.stringValue), tags.count == 3 else {
                continue
            }
            proofs[tags[1], default: []].insert(tags[2])
            let isViolated = event["steps"]?.arrayValue?.last?["printed"] != nil
            #expect(isViolated == (tags[2] == "proved-invalid"), "\(line)")
        }
        #expect(proofs["valid"] == ["proved-valid"])
        #expect(proofs["invalid"] == ["proved-invalid"])
        #expect(proofs["without-credentials"] != nil)
    }

    @Test("A server that does not respond is an error")
    func noServer() async throws {
        let shop = try await Shop(faults: [])
        defer { shop.stop() }
        let run = try await Program.run(
            ["contract", "fuzz", "openapi.json", "--url", "http://127.0.0.1:1"], in: shop.directory.path)
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("connection refused"))
        #expect(run.output.contains("5 errored"))
    }

    @Test("A short key in a header is masked")
    func shortKey() async throws {
        let shop = try await Shop(faults: [])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", "http://127.0.0.1:1", "--phases", "examples", "--header",
                "X-Key: ab12cd",
            ], in: shop.directory.path)
        #expect(run.output.contains("X-Key: ***"), "\(run.output)")
        #expect(!run.output.contains("ab12cd") && !run.error.contains("ab12cd"))
    }

    @Test("The same seed sends the same requests")
    func seed() async throws {
        var requests: [[String]] = []
        for _ in 0..<2 {
            let shop = try await Shop(faults: ["fails-without-note"])
            defer { shop.stop() }
            let run = try await Program.run(
                [
                    "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "7", "--cases", "10",
                    "--operation",
                    "POST /books", "--report", "json=record.jsonl",
                ] + Self.credentials, in: shop.directory.path)
            #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
            let lines = try #require(TestFiles.text(shop.directory.path + "/record.jsonl")).split(separator: "\n")
            requests.append(
                lines.compactMap { try? JSONParser().parse(Array($0.utf8)) }
                    .filter { $0["event"]?.stringValue == "test" }
                    .map {
                        "\($0["name"] ?? .null) \($0["steps"]?.arrayValue?.first?["exchange"]?["request"]?["body"] ?? .null)"
                    })
        }
        #expect(requests[0] == requests[1])
    }

    @Test("A user must not see the objects of another one", arguments: [false, true])
    func identities(isShared: Bool) async throws {
        let shop = try await Shop(faults: isShared ? ["shares-books"] : [])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--phases", "examples", "-o", "found",
                "--identity", "ada=Authorization: Bearer token-of-the-owner", "--identity",
                "bob=Authorization: Bearer token-of-another",
            ], in: shop.directory.path)
        #expect(run.ending == .exit(isShared ? 1 : 0), "\(run.output)\(run.error)")
        #expect(run.output.contains("GET /books/{id} › foreign-object") == isShared)
        guard isShared else { return }
        let path = "found/get-books-id-foreign-object.apitest.yaml"
        let text = try #require(TestFiles.text(shop.directory.path + "/" + path))
        #expect(!text.contains("token-of"), "\(text)")
        let replay = try await Program.run(
            [path], in: shop.directory.path,
            environment: [
                "AUTHORIZATION": "Bearer token-of-the-owner", "BOB_AUTHORIZATION": "Bearer token-of-another",
            ])
        #expect(replay.ending == .exit(1) && replay.output.contains("expected 401, 403 or 404, got 200"), "\(replay)")
    }

    @Test("A response that takes too long is a finding")
    func slowResponses() async throws {
        let shop = try await Shop(faults: ["slow"])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--phases", "examples", "--max-response-time",
                "200ms",
            ] + Self.credentials, in: shop.directory.path)
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("GET /books/{id} › too-slow"), "\(run.output)\(run.error)")
    }

    @Test("A suite with a contract and a server is enough")
    func suite() async throws {
        let directory = try TemporaryDirectory()
        for name in ["app.py", "openapi.yaml"] {
            let bytes = try #require(TestFiles.bytes("\(TestFiles.package)/examples/fuzzing/\(name)"))
            TestFiles.write(bytes, to: "\(directory.path)/\(name)")
        }
        TestFiles.write(
            """
            contract: openapi.yaml
            serve: { command: [python3, app.py, "${port}"] }
            tests:
              - { name: one, request: { method: POST, url: /quotes, json: { copies: 1 } } }
            """.utf8, to: directory.path + "/quotes.apitest.yaml")
        let run = try await Program.run(
            ["contract", "fuzz", "quotes.apitest.yaml", "--phases", "coverage"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(run.output.contains("Compute a price with null as code"))
        #expect(run.output.contains("1 test in 1 suite: 1 failed"))
    }

    @Test("A finding that is excluded is not reported")
    func excludedChecks() async throws {
        let shop = try await Shop(faults: ["no-allow", "no-count"])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--exclude-checks",
                "unsupported-method,missing-response-header", "--phases", "examples,coverage",
            ] + Self.credentials,
            in: shop.directory.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
    }

    /// Returns the names of the failed tests of a record, without what distinguishes several findings of one check.
    private static func failedTests(_ path: String) throws -> [String] {
        try #require(TestFiles.text(path)).split(separator: "\n").compactMap { line in
            let event = try JSONParser().parse(Array(line.utf8))
            guard event["event"]?.stringValue == "test", event["outcome"]?.stringValue == "failed",
                let name = event["name"]?.stringValue
            else { return nil }
            return name
        }
    }
}

/// A running shop and the directory with its description.
private struct Shop {
    let directory: TemporaryDirectory
    let url: String
    private let process: ProgramRun

    init(faults: [String]) async throws {
        let python = Program.environmentVariable("APITEST_PYTHON") ?? "/usr/bin/python3"
        guard Program.isInstalled("python3") || Program.environmentVariable("APITEST_PYTHON") != nil else {
            try Test.cancel("Python is not installed")
        }
        directory = try TemporaryDirectory()
        let script = TestFiles.target + "/Contracts/shop.py"
        let described = try ProgramRun(
            [python, script, "--openapi"], environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/described")
        guard try await described.wait() == .exit(0) else {
            throw ProgramRun.Failure(description: "no description: \(described.standardError)")
        }
        TestFiles.write(described.standardOutput.utf8, to: directory.path + "/openapi.json")
        let portFile = directory.path + "/port"
        process = try ProgramRun(
            [python, script, portFile] + faults, environment: Program.environment(home: directory.path),
            directory: directory.path, output: directory.path + "/shop")
        var port = ""
        let isReady = try await Poll.until {
            port = (TestFiles.text(portFile) ?? "").filter(\.isNumber)
            return !port.isEmpty
        }
        guard isReady else { throw ProgramRun.Failure(description: "the shop did not start: \(process.standardError)") }
        url = "http://127.0.0.1:\(port)"
    }

    /// Ends the server.
    func stop() { process.killSession() }
}
