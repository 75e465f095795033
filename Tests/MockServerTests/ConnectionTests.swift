import Basics
import MockServer
import NIOPosix
import Synchronization
import Testing

@Suite struct ConnectionTests {
    private static let yaml = """
        routes:
          - { request: GET /, respond: { text: hello } }
          - { request: GET /slow, respond: { delay: 1h, text: late } }
          - { request: GET /dropped, respond: { close: true } }
          - { request: GET /half, respond: { close: body, text: 0123456789 } }
          - { request: GET /chunked, respond: { headers: { Transfer-Encoding: chunked }, text: hello } }
          - { request: POST /size, respond: { text: "${size(request.text)}" } }
        """

    @Test func keepsConnectionsOpen() async throws {
        try await MockRun.connected(Self.yaml) { connection throws in
            for _ in 0..<20 { #expect(try connection.send("GET", "/").body == "hello") }
        }
    }

    @Test(arguments: ["close", "Close", "keep-alive, close"])
    func closesWhenAsked(_ value: String) async throws {
        try await MockRun.connected(Self.yaml) { connection throws in
            let response = try connection.send("GET", "/", headers: [("Connection", value)])
            #expect(response.body == "hello")
            #expect(response.header("connection") == "close")
            #expect(connection.readToEnd().isEmpty)
        }
    }

    /// Connections may arrive at any time, even while the server stops. None of them remains open.
    @Test func connectionsThatComeWhileItStopsAreClosed() async throws {
        let definition = try MockRun.definition(Self.yaml)
        for round in 0..<100 {
            let server = try await MockServer.start(definition, group: MultiThreadedEventLoopGroup.singleton)
            let connections = try (0..<16).map { _ in try TestConnection(port: server.port) }
            if round % 2 == 0 { connections[0].write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") }
            await server.stop()
            for connection in connections { #expect(connection.readToEnd().isEmpty) }
        }
    }

    @Test func answersPipelinedRequests() async throws {
        try await MockRun.connected(Self.yaml) { connection throws in
            connection.write(String(repeating: "GET / HTTP/1.1\r\nHost: x\r\n\r\n", count: 3))
            for _ in 0..<3 { #expect(try connection.readResponse(to: "GET").body == "hello") }
        }
    }

    @Test func waitsForDelays() async throws {
        let waited = Mutex<[Duration]>([])
        let options = MockServerOptions(sleep: { duration in waited.withLock { $0.append(duration) } })
        try await MockRun.connected(Self.yaml, options: options) { connection throws in
            #expect(try connection.send("GET", "/slow").body == "late")
            #expect(try connection.send("GET", "/").body == "hello")
        }
        #expect(waited.withLock { $0 } == [.seconds(3600)])
    }

    @Test func dropsConnections() async throws {
        try await MockRun.with(Self.yaml) { server async throws in
            #expect(throws: TestConnection.Failure.self) {
                try TestConnection(port: server.port).send("GET", "/dropped")
            }
            let half = try TestConnection(port: server.port)
            half.write("GET /half HTTP/1.1\r\nHost: x\r\n\r\n")
            let received = half.readToEnd()
            #expect(received.contains("Content-Length: 10\r\n"))
            #expect(received.hasSuffix("\r\n\r\n01234"))
            #expect(try TestConnection(port: server.port).send("GET", "/").status == 200)
        }
    }

    @Test func sendsChunksWhenAsked() async throws {
        try await MockRun.connected(Self.yaml) { connection in
            connection.write("GET /chunked HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let received = connection.readToEnd()
            #expect(received.hasSuffix("\r\n\r\n5\r\nhello\r\n0\r\n\r\n"))
            #expect(!received.lowercased().contains("content-length"))
        }
    }

    @Test func limitsBodies() async throws {
        let options = MockServerOptions(maximumBodySize: 1000)
        try await MockRun.with(Self.yaml, options: options) { server async throws in
            let connection = try TestConnection(port: server.port)
            #expect(try connection.send("POST", "/size", body: String(repeating: "x", count: 1000)).body == "1000")
            let refused = try connection.send("POST", "/size", body: String(repeating: "x", count: 1001))
            #expect(refused.status == 413)
            #expect(refused.detail.contains("1000 bytes"))
        }
    }

    @Test func takesChunkedBodiesAndContinues() async throws {
        try await MockRun.connected(Self.yaml) { connection throws in
            connection.write("POST /size HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.write("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
            #expect(try connection.readResponse(to: "POST").body == "5")
            connection.write("POST /size HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
            #expect(try connection.readResponse(to: "POST").status == 100)
            connection.write("ab")
            #expect(try connection.readResponse(to: "POST").body == "2")
        }
    }

    @Test func refusesWhatIsNotHTTP() async throws {
        try await MockRun.connected(Self.yaml) { connection throws in
            connection.write("this is not HTTP\r\n\r\n")
            #expect(connection.readToEnd().hasPrefix("HTTP/1.1 400 "))
        }
    }

    @Test func stopClosesEverythingAtOnce() async throws {
        let server = try await MockServer.start(
            try MockRun.definition(Self.yaml), group: MultiThreadedEventLoopGroup.singleton)
        let idle = try TestConnection(port: server.port)
        #expect(try idle.send("GET", "/").status == 200)
        let waiting = try TestConnection(port: server.port)
        waiting.write("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
        await server.stop()
        // If the shutdown had waited for the slow response, it would be here.
        #expect(idle.readToEnd().isEmpty)
        #expect(waiting.readToEnd().isEmpty)
        #expect(throws: TestConnection.Failure.self) { try TestConnection(port: server.port) }
        await server.stop()
    }

    @Test func portsInUseAreReported() async throws {
        try await MockRun.with(Self.yaml) { server async throws in
            await #expect {
                try await MockServer.start(
                    try MockRun.definition(Self.yaml), port: server.port, group: MultiThreadedEventLoopGroup.singleton)
            } throws: { error in
                guard let error = error as? MockServerError else { return false }
                return error.message
                    == "the mock server cannot listen on 127.0.0.1:\(server.port): Address already in use"
            }
        }
    }

    @Test func logsRequests() async throws {
        let entries = Mutex<[String]>([])
        let options = MockServerOptions(log: { entry in entries.withLock { $0.append(entry.description) } })
        try await MockRun.with(Self.yaml + "\ncollections: { notes: { path: /notes } }", options: options) {
            server async throws in
            #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
            let connection = try TestConnection(port: server.port)
            _ = try connection.send("GET", "/?a=1")
            _ = try connection.send("POST", "/notes", json: "{}")
            _ = try connection.send("GET", "/x")
            #expect(throws: TestConnection.Failure.self) { try connection.send("GET", "/dropped") }
        }
        #expect(
            entries.withLock { $0 } == [
                "GET /?a=1 → 200 (GET /)", "POST /notes → 201 (collection notes)", "GET /x → 404 (no route)",
                "GET /dropped → connection dropped (GET /dropped)",
            ])
    }
}
