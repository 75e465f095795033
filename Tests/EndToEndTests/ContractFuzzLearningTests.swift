import Testing

/// Facts that a search learns about a server, and reports.
@Suite(.serialized)
struct ContractFuzzLearningTests {
    private static func run(
        _ server: FuzzedServer, _ arguments: [String] = [], cases: Int = 20
    ) async throws -> (run: (ending: ProgramRun.Ending, output: String, error: String), requests: [String]) {
        let log = server.directory.path + "/port.requests"
        let before = (TestFiles.text(log) ?? "").utf8.count
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", server.url, "--seed", "1", "--cases", "\(cases)",
                "--report", "json=record.jsonl",
            ] + arguments, in: server.directory.path)
        let requests = String((TestFiles.text(log) ?? "").dropFirst(before)).split(separator: "\n").map(String.init)
        return (run, requests)
    }

    // MARK: Resources

    @Test(
        "Bodies are tested at the path of a resource that exists, even if no request creates it",
        arguments: [
            ("none", []), ("fails-without-seats", ["PATCH /rooms/{number} › server-error"]),
            ("fails-with-text", ["PUT /rooms/{number}/lights › server-error"]),
        ])
    func existingResources(_ fault: String, _ findings: [String]) async throws {
        let server = try await FuzzedServer("rooms", faults: [fault])
        defer { server.stop() }
        let (run, _) = try await Self.run(server, ["-o", "found"])
        #expect(run.ending == .exit(findings.isEmpty ? 0 : 1), "\(run.output)\(run.error)")
        #expect(
            try FuzzedServer.failedTests(server.directory.path + "/record.jsonl") == findings,
            "\(run.output)\(run.error)")
        guard !findings.isEmpty else { return }
        let replay = try await Program.run(["found"], in: server.directory.path)
        #expect(replay.ending == .exit(1) && replay.output.contains("/rooms/1"), "\(replay.output)\(replay.error)")
    }

    // MARK: Credentials

    private static let missing = "operations seem to require credentials that were not given"

    @Test("An operation that requires undocumented credentials is named, and gets no random requests")
    func undocumentedCredentials() async throws {
        let server = try await FuzzedServer("shelves", faults: ["requires-key"])
        defer { server.stop() }
        let (without, refused) = try await Self.run(server)
        #expect(without.error.contains(Self.missing), "\(without.error)")
        let words = "; the description requires no credentials; use --header or --auth"
        #expect(without.error.contains("POST /shelves: status 401 for all"), "\(without.error)")
        #expect(without.error.contains(words), "\(without.error)")
        // The description lacks the status, and nothing else is wrong.
        let failed = try FuzzedServer.failedTests(server.directory.path + "/record.jsonl")
        #expect(!failed.isEmpty && failed.allSatisfy { $0.hasSuffix(" › undocumented-status") }, "\(failed)")
        let (literal, all) = try await Self.run(server, ["--no-learning"])
        #expect(literal.ending == .exit(1) && !literal.error.contains(Self.missing))
        // Each operation gets 20 random requests.
        #expect(refused.count { $0.hasPrefix("POST") } + 20 <= all.count { $0.hasPrefix("POST") })
        let (with, _) = try await Self.run(server, ["--header", "X-Key: open-sesame"])
        #expect(with.ending == .exit(0), "\(with.output)\(with.error)")
        #expect(!with.error.contains(Self.missing))
    }

    @Test("The missing credentials of a security scheme are named with their environment variable")
    func documentedCredentials() async throws {
        let shop = try await FuzzedServer(faults: [])
        defer { shop.stop() }
        let (run, _) = try await Self.run(shop)
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        #expect(run.error.contains(Self.missing), "\(run.error)")
        #expect(run.error.contains("valid requests; set OWNER_TOKEN, or use --header or --auth"), "\(run.error)")
    }

    // MARK: Operations without responses

    @Test("An operation that does not respond is named, and gets no more requests")
    func deadOperations() async throws {
        let server = try await FuzzedServer("shelves", faults: ["closes-connections"])
        defer { server.stop() }
        let (run, requests) = try await Self.run(server)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(run.error.contains("operations did not respond, and got no more requests"), "\(run.error)")
        #expect(run.error.contains("PATCH /shelves/{name}: no response to"), "\(run.error)")
        #expect(!run.error.contains("GET /shelves/{name}: no response"), "\(run.error)")
        #expect(
            try FuzzedServer.failedTests(server.directory.path + "/record.jsonl")
                == ["PATCH /shelves/{name} › no-response"], "\(run.output)")
        #expect(requests.count { $0.hasPrefix("PATCH") } < 60, "\(requests.count)")
        let (literal, all) = try await Self.run(server, ["--no-learning"])
        #expect(!literal.error.contains("did not respond"), "\(literal.error)")
        #expect(requests.count { $0.hasPrefix("PATCH") } + 20 <= all.count { $0.hasPrefix("PATCH") })
    }

    @Test("A server that closes connections after its responses has no other fault for this reason")
    func closedConnections() async throws {
        let server = try await FuzzedServer("shelves", faults: ["hangs-up-after-failures"])
        defer { server.stop() }
        let (run, _) = try await Self.run(server)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(!run.error.contains("did not respond"), "\(run.error)")
        #expect(!run.error.contains("did not occur again"), "\(run.error)")
        #expect(
            try FuzzedServer.failedTests(server.directory.path + "/record.jsonl")
                == ["PATCH /shelves/{name} › server-error"], "\(run.output)")
    }

    @Test("An operation whose random requests fail each time is named, and gets no more of them")
    func failingOperations() async throws {
        let server = try await FuzzedServer("shelves", faults: ["fails-at-changes"])
        defer { server.stop() }
        let note = "random requests of operations failed, and no more of them were sent"
        let (run, requests) = try await Self.run(server, cases: 100)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        #expect(run.error.contains(note) && run.error.contains("[failing-operation]"), "\(run.error)")
        #expect(run.error.contains("PATCH /shelves/{name}: 20 failed in a row"), "\(run.error)")
        #expect(!run.error.contains("POST /shelves: 20 failed"), "\(run.error)")
        let (literal, all) = try await Self.run(server, ["--no-learning"], cases: 100)
        #expect(!literal.error.contains(note), "\(literal.error)")
        #expect(requests.count { $0.hasPrefix("PATCH") } + 60 <= all.count { $0.hasPrefix("PATCH") })
    }
}
