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
        (["keeps-deleted"], ["GET /books/{id} › use-after-delete", "PUT /books/{id} › use-after-delete"]),
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
        let shop = try await FuzzedServer(faults: faults)
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "1", "--cases", "20", "-o", "found",
                "--report", "json=record.jsonl",
            ] + Self.credentials, in: shop.directory.path)
        #expect(run.ending == .exit(findings.isEmpty ? 0 : 1), "\(run.output)\(run.error)")
        let failed = try FuzzedServer.failedTests(shop.directory.path + "/record.jsonl")
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
        let sound = try await FuzzedServer(faults: [])
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
            let shop = try await FuzzedServer(faults: ["fails-behind-rule"])
            defer { shop.stop() }
            let run = try await Program.run(
                [
                    "contract", "fuzz", "openapi.json", "--url", shop.url, "--phases", "examples,coverage", "--report",
                    "json=record.jsonl",
                ] + Self.credentials + arguments, in: shop.directory.path)
            #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
            let failed = try FuzzedServer.failedTests(shop.directory.path + "/record.jsonl")
            #expect(failed.contains("POST /books › server-error") == isLearned, "\(failed)")
            #expect(failed.contains("POST /books › valid-request-refused"))
            #expect((run.output + run.error).contains(rule) == isLearned, "\(run.output)\(run.error)")
        }
    }

    @Test("Every request can be recorded, with its intent and what was proved about it")
    func requests() async throws {
        let shop = try await FuzzedServer(faults: [])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "1", "--phases", "examples,coverage",
                "--requests", "requests.jsonl",
            ] + Self.credentials, in: shop.directory.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        let text = try #require(TestFiles.text(shop.directory.path + "/requests.jsonl"))
        #expect(!text.contains("token-of-the-owner"))
        let description = TestFiles.text(shop.directory.path + "/openapi.json")
        let overwriting = try await Program.run(
            ["contract", "fuzz", "openapi.json", "--url", shop.url, "--requests", "openapi.json"],
            in: shop.directory.path)
        #expect(overwriting.ending == .exit(2), "\(overwriting.output)\(overwriting.error)")
        #expect(TestFiles.text(shop.directory.path + "/openapi.json") == description)
        let har = try await Program.run(
            ["report", "convert", "requests.jsonl", "--report", "har=requests.har"], in: shop.directory.path)
        #expect(har.ending == .exit(0), "\(har.output)\(har.error)")
        var proofs: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            let event = try JSONParser().parse(Array(line.utf8))
            guard event["event"]?.stringValue == "test",
                let tags = event["tags"]?.arrayValue?.compactMap(\.stringValue), tags.count == 3
            else { continue }
            proofs[tags[1], default: []].insert(tags[2])
            let isViolated = event["steps"]?.arrayValue?.last?["printed"] != nil
            #expect(isViolated == (tags[2] == "proved-invalid"), "\(line)")
        }
        #expect(proofs["valid"] == ["proved-valid"])
        #expect(proofs["invalid"] == ["proved-invalid"])
        #expect(proofs["without-credentials"] == ["unproved"])
    }

    @Test("A server that does not respond is an error")
    func noServer() async throws {
        let shop = try await FuzzedServer(faults: [])
        defer { shop.stop() }
        let run = try await Program.run(
            ["contract", "fuzz", "openapi.json", "--url", "http://127.0.0.1:1"], in: shop.directory.path)
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("connection refused"))
        #expect(run.output.contains("5 errored"))
    }

    @Test("A short key in a header is masked")
    func shortKey() async throws {
        let shop = try await FuzzedServer(faults: [])
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
            let shop = try await FuzzedServer(faults: ["fails-without-note"])
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
        let shop = try await FuzzedServer(faults: isShared ? ["shares-books"] : [])
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

    @Test("The user of a login has objects that another user must not see", arguments: [false, true])
    func identityBesideLogin(isShared: Bool) async throws {
        let shop = try await FuzzedServer(faults: isShared ? ["shares-books"] : [])
        defer { shop.stop() }
        let other = ["--identity", "bob=Authorization: Bearer token-of-another", "-o", "found"]
        let run = try await Self.run(shop, auth: "accounts.yaml#login", other)
        #expect(run.ending == .exit(isShared ? 1 : 0), "\(run.output)\(run.error)")
        let failed = try FuzzedServer.failedTests(shop.directory.path + "/record.jsonl")
        #expect(failed == (isShared ? ["GET /books/{id} › foreign-object"] : []), "\(run.output)")
        #expect(!run.output.contains("token-of-another"))
        guard isShared else { return }
        let path = "found/get-books-id-foreign-object.apitest.yaml"
        let replay = try await Program.run(
            [path], in: shop.directory.path, environment: ["BOB_AUTHORIZATION": "Bearer token-of-another"])
        let text = TestFiles.text(shop.directory.path + "/" + path) ?? ""
        #expect(
            replay.ending == .exit(1) && replay.output.contains("expected 401, 403 or 404, got 200"),
            "\(replay)\(text)")
        let two = try await Self.run(shop, auth: "accounts.yaml#login", other + ["--identity", "eve=Authorization: x"])
        #expect(two.ending == .exit(2) && two.error.contains("give only the second one"), "\(two.error)")
    }

    @Test("A response that takes too long is a finding")
    func slowResponses() async throws {
        let shop = try await FuzzedServer(faults: ["slow"])
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
            ["contract", "fuzz", "quotes.apitest.yaml", "--phases", "coverage", "-o", "found"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(run.output.contains("Compute a price with null as code"))
        #expect(run.output.contains("1 test in 1 suite: 1 failed"))
        // The suite of the finding starts the server by itself, from any directory.
        let path = "found/post-quotes-server-error.apitest.yaml"
        let text = try #require(TestFiles.text(directory.path + "/" + path))
        #expect(text.split(separator: "\n").count <= 15 && !text.contains("BASE_URL"), "\(text)")
        for arguments in [["fmt", "--check", path], ["lint", path]] {
            let check = try await Program.run(arguments, in: directory.path)
            #expect(check.ending == .exit(0), "\(check.output)\(check.error)\(text)")
        }
        let replay = try await Program.run(["found"], in: directory.path)
        #expect(replay.ending == .exit(1), "\(replay.output)\(replay.error)\(text)")
        #expect(replay.output.contains("expected 2xx, 3xx or 4xx, got 500"), "\(replay.output)\(replay.error)")
        let server = try #require(TestFiles.text(directory.path + "/app.py"))
        TestFiles.write(
            server.replacing("code.upper()", with: "(code or \"\").upper()").utf8, to: directory.path + "/app.py")
        let fixed = try await Program.run(["found"], in: directory.path)
        #expect(fixed.ending == .exit(0), "\(fixed.output)\(fixed.error)")
    }

    @Test("Each check of the documentation is explained")
    func explanations() async throws {
        let directory = try TemporaryDirectory()
        let page = try #require(TestFiles.text("\(TestFiles.package)/Documentation/fuzz-a-contract.md"))
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.count { $0 == "|" } == 4 }
        let names = rows.flatMap { row in
            row.split(separator: "|")[0].split(separator: ",").map { String($0.filter { $0 != "`" && $0 != " " }) }
        }
        #expect(names.count == 18)
        let run = try await Program.run(["explain"] + names, in: directory.path)
        #expect(run.ending == .exit(0), "\(run.error)")
        for name in names { #expect(run.output.contains("\(name)  Contracts\n"), "\(name)") }
    }

    @Test("A finding that is excluded is not reported")
    func excludedChecks() async throws {
        let shop = try await FuzzedServer(faults: ["no-allow", "no-count"])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--exclude-checks",
                "unsupported-method,missing-response-header", "--phases", "examples,coverage",
            ] + Self.credentials,
            in: shop.directory.path)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
    }

    // MARK: Login

    private typealias Ran = (ending: ProgramRun.Ending, output: String, error: String)

    private static let accounts = """
        fragments:
          login:
            outputs: [token]
            steps:
              - request: { method: POST, url: /login, json: { user: ada, password: open-sesame } }
                expect: 200
                capture: { token: $.token }
        """
    private static let suiteWithLogin = """
        name: Shop
        baseURL: http://127.0.0.1:1
        variables: { password: open-sesame, unused: 1 }
        defaults: { headers: { Accept: application/json } }
        use: { shared: accounts.yaml }
        setup:
          - { call: shared.login }
        tests:
          - name: log in
            request: { method: POST, url: /login, json: { user: ada, password: "${password}" } }
            expect: 200
            capture: { owner: $.token }
          - name: wrong password
            request: { method: POST, url: /login, json: { user: ada, password: wrong } }
            expect: 200
            capture: { owner: $.token }
          - { name: no credential, request: GET /books, expect: 401 }
        """

    private static func write(_ text: String, to name: String, of shop: FuzzedServer) {
        TestFiles.write((text + "\n").utf8, to: "\(shop.directory.path)/\(name)")
    }

    /// Searches a shop, with the login that `--auth` names.
    private static func run(_ shop: FuzzedServer, auth: String, _ arguments: [String] = []) async throws -> Ran {
        write(accounts, to: "accounts.yaml", of: shop)
        write(suiteWithLogin, to: "shop.apitest.yaml", of: shop)
        return try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--auth", auth, "--seed", "1", "--phases",
                "examples,coverage", "--report", "json=record.jsonl",
            ] + arguments, in: shop.directory.path)
    }

    @Test(
        "A test or a fragment logs in, also in the suites of the findings",
        arguments: [
            ("accounts.yaml#login", "use: ../accounts.yaml", "login", 1),
            // The setup of the suite comes before its test.
            ("shop.apitest.yaml#log in", "use: login.yaml", "fuzzLogin", 2),
            ("shop.apitest.yaml#setup", "use: login.yaml", "fuzzLogin", 1),
        ])
    func login(_ auth: String, _ use: String, _ fragment: String, _ logins: Int) async throws {
        let shop = try await FuzzedServer(faults: ["accepts-negative-price"])
        defer { shop.stop() }
        let run = try await Self.run(shop, auth: auth, ["-o", "found"])
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let record = shop.directory.path + "/record.jsonl"
        #expect(
            try FuzzedServer.failedTests(record).contains("POST /books › invalid-request-accepted"), "\(run.output)")
        #expect(try FuzzedServer.failedTests(record).allSatisfy { !$0.hasPrefix("DELETE") })
        #expect(TestFiles.text(shop.directory.path + "/port.logins")?.split(separator: "\n").count == logins)
        let shown = run.output + run.error + (TestFiles.text(record) ?? "")
        #expect(!shown.contains("-of-ada"), "\(shown)")
        #expect(shown.contains("Authorization: Bearer ***"))
        let path = "found/post-books-invalid-request-accepted.apitest.yaml"
        let text = try #require(TestFiles.text(shop.directory.path + "/" + path))
        #expect(text.contains(use) && text.contains("setup: [{ call: \(fragment), once: run }]"), "\(text)")
        #expect(text.split(separator: "\n").count <= 15, "\(text)")
        for arguments in [["fmt", "--check", "found"], ["lint", "found"]] {
            let check = try await Program.run(arguments, in: shop.directory.path)
            #expect(check.ending == .exit(0), "\(check.output)\(check.error)\(text)")
        }
        let replay = try await Program.run(["found"], in: shop.directory.path)
        #expect(replay.ending == .exit(1) && replay.output.contains("expected 4xx, got 201"), "\(replay.output)")
        let sound = try await FuzzedServer(faults: [])
        defer { sound.stop() }
        let fixed = try await Program.run(["found"], in: shop.directory.path, environment: ["BASE_URL": sound.url])
        #expect(fixed.ending == .exit(0), "\(fixed.output)\(fixed.error)")
    }

    @Test("When the credentials expire, the login is repeated")
    func expiredCredentials() async throws {
        let shop = try await FuzzedServer(faults: ["expires", "no-count"])
        defer { shop.stop() }
        let run = try await Self.run(shop, auth: "accounts.yaml#login")
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let failed = try FuzzedServer.failedTests(shop.directory.path + "/record.jsonl")
        #expect(failed == ["GET /books › missing-response-header"], "\(run.output)\(run.error)")
        #expect(TestFiles.text(shop.directory.path + "/port.logins") == "login\nlogin\n")
        #expect((run.output + run.error).contains("credentials expired, and the login was repeated once"))
    }

    @Test("A failed login ends the search")
    func failedLogin() async throws {
        let shop = try await FuzzedServer(faults: ["no-count"])
        defer { shop.stop() }
        let run = try await Self.run(shop, auth: "shop.apitest.yaml#wrong password")
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("wrong password"), "\(run.output)\(run.error)")
        #expect(run.output.contains("shop.apitest.yaml:15") && run.output.contains("expected 200, got 403"))
        #expect(try FuzzedServer.failedTests(shop.directory.path + "/record.jsonl") == ["wrong password"])
    }

    @Test(
        "An unknown login is an error with a suggestion",
        arguments: [
            ("shop.apitest.yaml#log inn", "shop.apitest.yaml has no test \"log inn\"", "did you mean \"log in\"?"),
            ("accounts.yaml#logn", "accounts.yaml has no fragment \"logn\"", "did you mean \"login\"?"),
            ("acounts.yaml#login", "\"acounts.yaml\" is not a file", "did you mean \"accounts.yaml\"?"),
            (
                "shop.apitest.yaml#no credential", "the login captures no credential: expected \"owner\", got nothing",
                ""
            ),
        ])
    func unknownLogin(_ auth: String, _ message: String, _ suggestion: String) async throws {
        let shop = try await FuzzedServer(faults: [])
        defer { shop.stop() }
        let run = try await Self.run(shop, auth: auth)
        #expect(run.ending == .exit(2), "\(run.output)")
        #expect(run.error.contains(message) && run.error.contains(suggestion), "\(run.error)")
        #expect(run.error.contains("--auth:1:") && run.output.isEmpty)
    }

    // MARK: Known findings

    /// Searches a shop with faults for known and new findings.
    private static func run(
        _ faults: [String], seed: Int, baseline: [UInt8]?, _ arguments: [String]
    ) async throws -> (run: Ran, baseline: [UInt8]?) {
        let shop = try await FuzzedServer(faults: faults)
        defer { shop.stop() }
        if let baseline { TestFiles.write(baseline, to: shop.directory.path + "/known.json") }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", String(seed), "--cases", "10",
            ] + credentials + arguments, in: shop.directory.path)
        return (run, TestFiles.bytes(shop.directory.path + "/known.json"))
    }

    @Test("Known findings do not fail the search, whatever its seed, and those that are gone are named")
    func baseline() async throws {
        let faults = ["accepts-negative-price", "no-count"]
        let first = try await Self.run(faults, seed: 1, baseline: nil, ["--write-baseline", "known.json"])
        #expect(first.run.ending == .exit(1), "\(first.run.output)\(first.run.error)")
        #expect(first.run.error.contains("known.json written, 6 findings"), "\(first.run.error)")
        let second = try await Self.run(faults, seed: 2, baseline: first.baseline, ["--baseline", "known.json"])
        #expect(second.run.ending == .exit(0), "\(second.run.output)\(second.run.error)")
        #expect(second.run.output.contains("6 known"), "\(second.run.output)")
        #expect(!second.run.error.contains("no longer"), "\(second.run.error)")
        let third = try await Self.run(
            ["no-count", "no-allow"], seed: 3, baseline: first.baseline, ["--baseline", "known.json"])
        #expect(third.run.ending == .exit(1))
        #expect(third.run.output.contains("GET /books › unsupported-method"), "\(third.run.output)")
        #expect(third.run.output.contains("3 passed, 1 known, 2 failed"))
        let shown = third.run.output + third.run.error
        #expect(shown.contains("5 known findings no longer occur"), "\(shown)")
        #expect(shown.contains("POST /books › invalid-request-accepted: a request that violates the description"))
    }

    @Test("Only the operations that did not pass are tested again")
    func failedOperations() async throws {
        let shop = try await FuzzedServer(faults: ["price-as-string"])
        defer { shop.stop() }
        let arguments =
            ["contract", "fuzz", "openapi.json", "--url", shop.url, "--phases", "examples", "--seed", "1"]
            + Self.credentials
        let first = try await Program.run(arguments + ["--report", "json=first.jsonl"], in: shop.directory.path)
        #expect(first.output.contains("5 tests in 1 suite: 4 passed, 1 failed"), "\(first.output)\(first.error)")
        let second = try await Program.run(
            arguments + ["--failed", "first.jsonl", "--report", "json=second.jsonl"], in: shop.directory.path)
        #expect(second.ending == .exit(1))
        #expect(second.output.contains("1 test in 1 suite: 1 failed"), "\(second.output)\(second.error)")
        let sound = try await FuzzedServer(faults: [])
        defer { sound.stop() }
        let fixed = try await Program.run(
            arguments.map { $0 == shop.url ? sound.url : $0 } + [
                "--failed", "second.jsonl", "--report", "json=third.jsonl",
            ],
            in: shop.directory.path)
        #expect(fixed.ending == .exit(0) && fixed.output.contains("1 test in 1 suite: 1 passed"), "\(fixed.output)")
        let nothing = try await Program.run(arguments + ["--failed", "third.jsonl"], in: shop.directory.path)
        #expect(nothing.ending == .exit(0) && nothing.error.contains("nothing failed in third.jsonl"))
    }

    // MARK: Masking

    @Test("A secret does not mask the words of the program", arguments: ["server-error", "invalid", "POST"])
    func wordsOfTheProgram(secret: String) async throws {
        let shop = try await FuzzedServer(faults: ["fails-without-note"])
        defer { shop.stop() }
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", shop.url, "--seed", "1", "--phases", "examples,coverage",
                "--header", "X-Key: \(secret)", "--report", "json=record.jsonl", "--report", "junit=junit.xml",
            ] + Self.credentials, in: shop.directory.path)
        #expect(run.ending == .exit(1))
        #expect(run.output.contains("POST /books › server-error"), "\(run.output)")
        #expect(run.output.contains("X-Key: ***"), "\(run.output)")
        #expect(
            try FuzzedServer.failedTests(shop.directory.path + "/record.jsonl").sorted()
                == ["POST /books › server-error", "PUT /books/{id} › server-error"])
        let junit = try #require(TestFiles.text(shop.directory.path + "/junit.xml"))
        #expect(junit.contains("POST /books › server-error"), "\(junit)")
    }
}
