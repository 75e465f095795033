import Testing

/// Searches a server whose clients choose the names of resources, for faults that values in paths and sequences show.
@Suite(.serialized)
struct ContractFuzzSequenceTests {
    private typealias Ran = (ending: ProgramRun.Ending, output: String, error: String)

    /// Searches a server, and returns the run with the names of its findings.
    private static func run(
        _ server: FuzzedServer, _ arguments: [String] = []
    ) async throws -> (run: Ran, findings: Set<String>) {
        let run = try await Program.run(
            [
                "contract", "fuzz", "openapi.json", "--url", server.url, "--seed", "1", "-o", "found", "--report",
                "json=record.jsonl",
            ] + arguments, in: server.directory.path)
        return (run, Set(try FuzzedServer.failedTests(server.directory.path + "/record.jsonl")))
    }

    /// The requests that a server has received, each with its method and path.
    private static func requests(_ server: FuzzedServer) throws -> [Substring] {
        try #require(TestFiles.text(server.directory.path + "/port.requests")).split(separator: "\n")
    }

    /// The faults of the server, and the findings that they cause.
    private static let faults: [(fault: String, findings: Set<String>)] = [
        ("none", []),
        ("fails-at-quotes", ["GET /shelves/{name} › server-error", "PATCH /shelves/{name} › server-error"]),
        ("responds-with-a-list", ["GET /shelves/{name} › response-body", "PATCH /shelves/{name} › response-body"]),
        ("changes-deleted", ["PATCH /shelves/{name} › use-after-delete"]),
        ("fails-after-two-changes", ["DELETE /shelves/{name} › server-error"]),
    ]

    @Test("Exactly the planted faults are found, and the suites of the findings fail", arguments: faults)
    func plantedFaults(_ fault: String, _ findings: Set<String>) async throws {
        let server = try await FuzzedServer("shelves", faults: [fault])
        defer { server.stop() }
        let (run, found) = try await Self.run(server)
        #expect(run.ending == .exit(findings.isEmpty ? 0 : 1), "\(run.output)\(run.error)")
        #expect(found == findings, "\(run.output)\(run.error)")
        #expect(!run.error.contains("did not occur again"), "\(run.error)")
        let suites = TestFiles.names(in: server.directory.path + "/found").sorted()
        #expect(suites.count == findings.count)
        for suite in suites {
            let text = try #require(TestFiles.text("\(server.directory.path)/found/\(suite)"))
            for arguments in [["fmt", "--check"], ["lint"]] {
                let check = try await Program.run(arguments + ["found/\(suite)"], in: server.directory.path)
                #expect(check.ending == .exit(0), "\(check.output)\(check.error)\(text)")
            }
            // The names differ in each run, so the suites can be repeated.
            for _ in 0..<2 {
                let replay = try await Program.run(["found/\(suite)"], in: server.directory.path)
                #expect(replay.ending == .exit(1), "\(replay.output)\(replay.error)\(text)")
            }
        }
        guard !findings.isEmpty else { return }
        let sound = try await FuzzedServer("shelves", faults: [])
        defer { sound.stop() }
        for _ in 0..<2 {
            let fixed = try await Program.run(
                ["found"], in: server.directory.path, environment: ["BASE_URL": sound.url])
            #expect(fixed.ending == .exit(0), "\(fixed.output)\(fixed.error)")
        }
    }

    @Test("A sequence has no request that the fault does not need")
    func shrunkSequence() async throws {
        let server = try await FuzzedServer("shelves", faults: ["fails-after-two-changes"])
        defer { server.stop() }
        let (run, _) = try await Self.run(server, ["--phases", "stateful"])
        let path = "\(server.directory.path)/found/delete-shelves-name-server-error.apitest.yaml"
        let text = try #require(TestFiles.text(path), "\(run.output)\(run.error)")
        let methods = text.split(separator: "\n").compactMap { line in
            ["POST", "GET", "PATCH", "DELETE"].first {
                line.contains("method: \($0),") || line.contains("request: \($0) ")
            }
        }
        #expect(methods == ["POST", "PATCH", "PATCH", "DELETE"], "\(text)")
    }

    @Test("Values in paths are sent in one segment, and only if the description allows them")
    func valuesInPaths() async throws {
        let server = try await FuzzedServer("shelves", faults: [])
        defer { server.stop() }
        let (run, _) = try await Self.run(
            server, ["--requests", "requests.jsonl", "--phases", "examples,coverage,random"])
        #expect(run.ending == .exit(0), "\(run.output)\(run.error)")
        let requests = try Self.requests(server)
        for value in ["a%2Fb", "%27", "%00", "%F0%9F%98%80", "..%2F..%2F..%2Fetc%2Fpasswd", "%3Fa%3Db%23c"] {
            #expect(requests.contains("GET /shelves/\(value)"), "\(value)")
        }
        // The longest name has 400 characters.
        #expect(requests.contains("GET /shelves/\(String(repeating: "a", count: 256))"))
        #expect(!requests.contains { $0.count > 1_500 })
        let record = try #require(TestFiles.text(server.directory.path + "/requests.jsonl"))
        let proofs = record.split(separator: "\n").filter { $0.contains("with a slash as name") }
        #expect(!proofs.isEmpty && proofs.allSatisfy { $0.contains("proved-valid") }, "\(proofs)")
    }

    @Test("A server that stops responding ends the search with one finding")
    func crash() async throws {
        let server = try await FuzzedServer("shelves", faults: ["crashes", "fails-at-top-floor"])
        defer { server.stop() }
        let (run, found) = try await Self.run(server)
        #expect(run.ending == .exit(1))
        #expect(found == ["GET /shelves/{name} › no-response"], "\(run.output)\(run.error)")
        #expect(run.output.contains("an emoji as name"), "\(run.output)")
        #expect(run.error.contains("the search ended early: the server no longer responds"), "\(run.error)")
        #expect(run.error.contains("the search ended before these faults were confirmed"), "\(run.error)")
        // Other requests that only read may be in flight beside the one that stops the server.
        let last = try Self.requests(server).drop { !$0.contains("%F0%9F%98%80") }
        #expect(!last.isEmpty && last.allSatisfy { $0.hasPrefix("GET ") }, "\(last)")
        let suite = try #require(
            TestFiles.text("\(server.directory.path)/found/get-shelves-name-no-response.apitest.yaml"))
        #expect(suite.contains("%F0%9F%98%80") || suite.contains("\u{1F600}"), "\(suite)")
    }

    @Test("A secret with the text of a path or of an operation masks neither", arguments: ["shelves", "name"])
    func secretInPath(secret: String) async throws {
        let server = try await FuzzedServer("shelves", faults: ["fails-at-quotes"])
        defer { server.stop() }
        let (run, found) = try await Self.run(
            server, ["--header", "X-Key: \(secret)", "--phases", "examples,coverage", "--report", "junit=junit.xml"])
        #expect(found == ["GET /shelves/{name} › server-error", "PATCH /shelves/{name} › server-error"])
        #expect(run.output.contains("GET /shelves/{name} › server-error"), "\(run.output)")
        #expect(run.output.contains("request: GET /shelves/{name} with "), "\(run.output)")
        #expect(run.output.contains("X-Key: ***"), "\(run.output)")
        let junit = try #require(TestFiles.text(server.directory.path + "/junit.xml"))
        #expect(junit.contains("GET /shelves/{name} › server-error"), "\(junit)")
    }

    @Test("Requests that are sent one after another share a connection, also those that confirm findings")
    func sharedConnections() async throws {
        let server = try await FuzzedServer("shelves", faults: ["fails-at-quotes"])
        defer { server.stop() }
        let (run, found) = try await Self.run(server, ["--phases", "coverage,stateful"])
        #expect(run.ending == .exit(1) && !found.isEmpty, "\(run.output)\(run.error)")
        let clients = try #require(TestFiles.text(server.directory.path + "/port.clients")).split(separator: "\n")
        // The server closes some connections after it has refused a request.
        #expect(clients.count > 100 && Set(clients).count * 10 < clients.count, "\(Set(clients).count)")
    }

    @Test("A server that serves one connection at a time has no fault for this reason")
    func oneConnection() async throws {
        let server = try await FuzzedServer("shelves", faults: ["one-connection"])
        defer { server.stop() }
        let (run, found) = try await Self.run(server, ["--cases", "5"])
        #expect(run.ending == .exit(0) && found.isEmpty, "\(run.output)\(run.error)")
        #expect(!run.error.contains("did not respond"), "\(run.error)")
    }
}
