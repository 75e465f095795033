import Glibc
import TestSupport
import Testing

/// Tests of `apitest record`: a proxy in front of a real server, requests through it, and the suite that it writes.
@Suite(.serialized)
struct RecordingTests {
    /// A server that runs until it is interrupted, and its URL.
    private struct Server {
        let run: ProgramRun
        let url: String

        init(_ arguments: [String], in directory: String, name: String) async throws {
            let run = try ProgramRun(
                [Program.path] + arguments + ["--port", "0"], environment: Program.environment(home: directory),
                directory: directory, output: "\(directory)/\(name)")
            var url = ""
            let isServing = try await Poll.until(within: .seconds(30)) {
                url = run.standardError.matches(of: /at (http:\/\/127\.0\.0\.1:\d+)/).first.map { String($0.1) } ?? ""
                return !url.isEmpty
            }
            try #require(isServing, "\(run.standardError)")
            self.run = run
            self.url = url
        }
    }

    /// A recording of the WebSockets of an echo server, and a suite that visits it through the proxy.
    private struct WebSocketRecording {
        let directory: TemporaryDirectory
        let server: WebSocketEchoServer
        let proxy: ProgramRun

        /// Starts the server and the proxy, and writes `visit.yaml` with the given tests.
        init(visit tests: String) async throws {
            directory = try TemporaryDirectory()
            server = try #require(await WebSocketEchoServer.start(nil))
            let proxy = try await Server(
                ["record", "--to", "http://127.0.0.1:\(server.port)", "-o", "a.apitest.yaml"], in: directory.path,
                name: "record")
            self.proxy = proxy.run
            TestFiles.write(
                Array("baseURL: \(proxy.url)\ntests:\n\(tests)\n".utf8), to: directory.path + "/visit.yaml")
        }

        /// Ends the recording, and returns the suite that it wrote.
        func suite() async throws -> String {
            proxy.send(SIGINT)
            #expect(try await proxy.wait() == .exit(0), "\(proxy.standardError)")
            return try #require(TestFiles.text(directory.path + "/a.apitest.yaml"))
        }
    }

    private static let mock = """
        collections: { books: { path: /books, seed: [{ id: 1, title: Dune }] } }
        routes:
          - request: POST /login
            respond: { json: { token: 3f9a5c1e7b2d4860, user: ada } }
          - request: GET /account
            when: { headers: { Authorization: Bearer 3f9a5c1e7b2d4860 } }
            respond: { json: { user: ada, since: 2026-01-05T09:00:00Z } }
          - request: GET /classics
            respond: { status: 302, headers: { Location: /books?title=Dune } }
        """

    private static let visit = """
        baseURL: ${env("PROXY")}
        mode: serial
        tests:
          - request: { method: POST, url: /login, form: { user: ada, password: sesame } }
            name: login
            capture: { token: $.token }
          - name: account
            request: { url: /account, headers: { Authorization: "Bearer ${token}" } }
          - name: add
            request: { method: POST, url: /books, json: { title: Emma } }
            capture: { id: $.id }
          - name: read
            request: GET /books/${id}
          - name: classics
            request: GET /classics
        """

    @Test("A suite of the requests that passed is written, with captures, and passes against the server")
    func records() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Array(Self.mock.utf8), to: directory.path + "/books.mock.yaml")
        TestFiles.write(Array(Self.visit.utf8), to: directory.path + "/visit.yaml")
        let server = try await Server(["mock", "books.mock.yaml"], in: directory.path, name: "mock")
        defer { server.run.killSession() }
        let proxy = try await Server(
            ["record", "--to", server.url, "-o", "recorded.apitest.yaml"], in: directory.path, name: "record")
        defer { proxy.run.killSession() }
        let visit = try await Program.run(["visit.yaml"], in: directory.path, environment: ["PROXY": proxy.url])
        #expect(visit.ending == .exit(0), "\(visit.output)\(visit.error)")
        proxy.run.send(SIGINT)
        #expect(try await proxy.run.wait() == .exit(0), "\(proxy.run.standardError)")
        #expect(proxy.run.survivors.isEmpty)
        #expect(proxy.run.standardOutput.contains("POST /books → 201"), "\(proxy.run.standardOutput)")
        let suite = try #require(TestFiles.text(directory.path + "/recorded.apitest.yaml"))
        #expect(suite.contains("baseURL: \(server.url)"), "\(suite)")
        #expect(suite.split(separator: "capture:").count > 2, "\(suite)")
        #expect(!suite.contains("3f9a5c1e7b2d4860") && !suite.contains("sesame"), "\(suite)")
        #expect(proxy.run.standardError.contains("set PASSWORD before you run it"), "\(proxy.run.standardError)")
        for command in [["lint", "--strict"], ["fmt", "--check"], []] {
            let check = try await Program.run(
                command + ["recorded.apitest.yaml"], in: directory.path, environment: ["PASSWORD": "sesame"])
            #expect(check.ending == .exit(0), "\(command) \(check.output)\(check.error)\n\(suite)")
        }
    }

    @Test("With --contract, exchanges that violate the description are reported, and the exit status is 1")
    func contract() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Array(Self.mock.utf8), to: directory.path + "/books.mock.yaml")
        TestFiles.write(
            Array(
                """
                openapi: 3.0.3
                info: { title: Books, version: "1" }
                paths:
                  /books/{id}:
                    get:
                      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
                      responses:
                        "200":
                          description: a book
                          content: { application/json: { schema: { properties: { title: { type: integer } } } } }
                """.utf8), to: directory.path + "/openapi.yaml")
        let server = try await Server(["mock", "books.mock.yaml"], in: directory.path, name: "mock")
        defer { server.run.killSession() }
        let proxy = try await Server(
            ["record", "--to", server.url, "-o", "a.apitest.yaml", "--contract", "openapi.yaml", "--only", "/books*"],
            in: directory.path,
            name: "record")
        defer { proxy.run.killSession() }
        TestFiles.write(
            Array("baseURL: \(proxy.url)\ntests: [{ name: a, request: GET /books/1 }]\n".utf8),
            to: directory.path + "/visit.yaml")
        let visit = try await Program.run(["visit.yaml"], in: directory.path)
        #expect(visit.ending == .exit(0), "\(visit.output)\(visit.error)")
        let isReported = try await Poll.until { proxy.run.standardError.contains("[response-body]") }
        #expect(isReported, "\(proxy.run.standardError)")
        proxy.run.send(SIGINT)
        #expect(try await proxy.run.wait() == .exit(1))
        #expect(TestFiles.exists(directory.path + "/a.apitest.yaml"))
    }

    @Test("A server that cannot be reached is answered with 502, and nothing is written")
    func unreachable() async throws {
        let directory = try TemporaryDirectory()
        let proxy = try await Server(
            ["record", "--to", "http://127.0.0.1:1", "-o", "a.apitest.yaml", "--for", "20s"], in: directory.path,
            name: "record")
        defer { proxy.run.killSession() }
        TestFiles.write(
            Array("baseURL: \(proxy.url)\ntests: [{ name: a, request: GET /, expect: 502 }]\n".utf8),
            to: directory.path + "/visit.yaml")
        let visit = try await Program.run(["visit.yaml"], in: directory.path)
        #expect(visit.ending == .exit(0), "\(visit.output)\(visit.error)")
        proxy.run.send(SIGINT)
        #expect(try await proxy.run.wait() == .exit(2))
        #expect(proxy.run.standardError.contains("nothing was written"), "\(proxy.run.standardError)")
        #expect(!TestFiles.exists(directory.path + "/a.apitest.yaml"))
    }

    @Test(
        "An upgrade that a server may ignore is not sent, and secrets in URLs are not shown",
        .enabled(if: Program.isInstalled("curl"), "curl is not installed"))
    func ignoredUpgrade() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Array(Self.mock.utf8), to: directory.path + "/books.mock.yaml")
        let server = try await Server(["mock", "books.mock.yaml"], in: directory.path, name: "mock")
        defer { server.run.killSession() }
        let proxy = try await Server(
            ["record", "--to", server.url, "-o", "a.apitest.yaml"], in: directory.path, name: "record")
        defer { proxy.run.killSession() }
        func status(_ arguments: [String]) async throws -> String {
            let curl = try ProgramRun(
                ["/usr/bin/env", "curl", "-s", "-o", "body", "-w", "%{http_code}"] + arguments,
                environment: Program.environment(home: directory.path), directory: directory.path,
                output: directory.path + "/curl")
            _ = try await curl.wait()
            return curl.standardOutput
        }
        #expect(try await status(["--http2", "\(proxy.url)/books?api_key=Zx81kQ77"]) == "200")
        // The server refuses the upgrade.
        let webSocket = ["-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "\(proxy.url)/books"]
        #expect(try await status(webSocket) == "200")
        proxy.run.send(SIGINT)
        #expect(try await proxy.run.wait() == .exit(0), "\(proxy.run.standardError)")
        let output = proxy.run.standardOutput
        #expect(output.contains("GET /books?api_key=*** → 200"), "\(output)")
        #expect(!output.contains("Zx81kQ77"), "\(output)")
    }

    @Test(
        "A WebSocket passes with its messages, which are recorded",
        .enabled(if: WebSocketEchoServer.isAvailable, "Python's websockets is required"))
    func webSocket() async throws {
        let recording = try await WebSocketRecording(
            visit: """
                  - name: all kinds of messages
                    request: { url: /chat, headers: { Sec-WebSocket-Protocol: "other, chat" } }
                    expect: { headers: { Sec-WebSocket-Protocol: chat } }
                    websocket:
                      - send: { json: { say: hello } }
                      - receive: { json: { $.say: hello } }
                      - send: fragments
                      - receive: abc
                      - send: { base64: AAEC/w== }
                      - receive: { type: binary, base64: AAEC/w== }
                      - ping: true
                      - send: ping
                      - receive: ponged
                      - send: close
                      - receive: { close: { code: 4001, reason: asked } }
                """)
        defer { recording.proxy.killSession() }
        let visit = try await Program.run(["visit.yaml"], in: recording.directory.path)
        #expect(visit.ending == .exit(0), "\(visit.output)\(visit.error)\(recording.proxy.standardOutput)")
        let suite = try await recording.suite()
        #expect(
            recording.proxy.standardOutput.contains("GET /chat → 101"), "\(recording.proxy.standardOutput)")
        for line in [
            "- send: { json: { say: hello } }", "- receive: { json: { $.say: hello } }", "- receive: { body: abc }",
            "- receive: { type: binary, base64: AAEC/w== }", "- receive: { close: 4001 }",
        ] {
            #expect(suite.contains(line), "\(suite)")
        }
        for command in [["lint", "--strict"], ["fmt", "--check"], []] {
            let check = try await Program.run(command + ["a.apitest.yaml"], in: recording.directory.path)
            #expect(check.ending == .exit(0), "\(command) \(check.output)\(check.error)\n\(suite)")
        }
        withExtendedLifetime(recording) {}
    }

    @Test("A WebSocket that is open when the recording ends is recorded", .enabled(if: WebSocketEchoServer.isAvailable))
    func openWebSocket() async throws {
        let recording = try await WebSocketRecording(
            visit: """
                  - name: chat
                    request: { url: /chat, headers: { Sec-WebSocket-Protocol: chat } }
                    websocket: [{ send: hello }, { receive: hello }, { wait: 60s }]
                """)
        defer { recording.proxy.killSession() }
        let directory = recording.directory.path
        let visit = try ProgramRun(
            [Program.path, "visit.yaml"], environment: Program.environment(home: directory), directory: directory,
            output: directory + "/visit")
        defer { visit.killSession() }
        let isOpen = try await Poll.until { recording.proxy.standardOutput.contains("GET /chat → 101") }
        #expect(isOpen)
        let suite = try await recording.suite()
        #expect(suite.contains("websocket:"), "\(suite)")
        withExtendedLifetime(recording) {}
    }

    @Test("A suite that exists is not overwritten, and the proxy does not start")
    func existing() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Array("a".utf8), to: directory.path + "/a.apitest.yaml")
        let run = try await Program.run(
            ["record", "--to", "http://127.0.0.1:1", "-o", "a.apitest.yaml"], in: directory.path)
        #expect(run.ending == .exit(2))
        #expect(run.error.contains("--force"), "\(run.error)")
    }
}
