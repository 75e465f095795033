import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HTTPSession

/// Tests of exchanges over real sockets, with a server scripted by each test.
@Suite("Exchanges")
struct ExchangeTests {
    static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Runs a test with a server and a session, and closes both afterwards.
    static func with<Result>(
        _ server: FaultyServer?, _ configuration: SessionConfiguration = .init(), transport: NIOTransport? = nil,
        _ body: (FaultyServer, Session) async throws -> Result
    ) async throws -> Result {
        let server = try #require(server)
        defer { server.shutDown() }
        return try await withSession(configuration, transport: transport ?? ConnectionTests.oneLoop()) { session in
            try await body(server, session)
        }
    }

    static func failure(_ body: () async throws -> some Any) async -> SessionError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? SessionError
        }
    }

    // MARK: Requests on the wire

    @Test("The request's header fields override the session's, which override the library's")
    func header() async throws {
        var configuration = SessionConfiguration(
            headers: ["X-Session": "s", "accept": "text/plain"], userAgent: "test/1")
        try await Self.with(FaultyServer([.receive, .send(Self.ok)]), configuration) { server, session in
            var request = Request(
                .get, url: server.url + "a?b", headers: ["x-SESSION": "own", "X-Two": "1", "X-Two": "2"])
            request.decompress = false
            let response = try await session.send(request)
            #expect(
                server.requestTexts == [
                    "GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nx-SESSION: own\r\nX-Two: 1\r\nX-Two: 2\r\n"
                        + "accept: text/plain\r\nUser-Agent: test/1\r\n\r\n"
                ])
            #expect(response.body == Array("ok".utf8))
            #expect(response.text == "ok")
            var other = response
            other.body = [0x41, 0xE9, 0x42]
            #expect(other.text == "A\u{FFFD}B")
            other.head.headers["Content-Type"] = "text/plain; charset=ISO-8859-1"
            #expect(other.text == "A\u{E9}B")
            #expect(response.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(response.request.headers["user-agent"] == "test/1")
            #expect(response.tls == nil)
        }
        configuration.baseURL = "nonsense"
        let session = Session(configuration: configuration)
        let error = await Self.failure { try await session.get("x").response() }
        #expect(error?.reason == .invalidURL)
        await session.close()
    }

    /// Method, body, header, the end of the request, and whether it declares a length.
    static let framings: [(HTTPMethod, RequestBody, HTTPHeaders, String, Bool)] = [
        (.get, .empty, [:], "X: y\r\n\r\n", false),
        (.post, .empty, [:], "Content-Length: 0\r\n\r\n", true),
        (.delete, .empty, [:], "X: y\r\n\r\n", false),
        (.post, .text("hi"), [:], "Content-Length: 2\r\n\r\nhi", true),
        (.get, .text("hi"), [:], "Content-Length: 2\r\n\r\nhi", true),
        (.put, .bytes([]), [:], "Content-Length: 0\r\n\r\n", true),
        (.put, .text("hi"), ["Content-Length": "2"], "Content-Length: 2\r\nX: y\r\n\r\nhi", true),
        (
            .put, .text("hello"), ["transfer-encoding": "chunked"],
            "transfer-encoding: chunked\r\nX: y\r\n\r\n5\r\nhello\r\n0\r\n\r\n", false
        ),
    ]

    @Test("Bodies are framed according to the method and header", arguments: framings)
    func framing(
        method: HTTPMethod, body: RequestBody, headers: HTTPHeaders, end: String, hasLength: Bool
    ) async throws {
        let configuration = SessionConfiguration(headers: ["Accept": "*/*", "X": "y"], userAgent: nil)
        try await Self.with(FaultyServer([.receive, .send(Self.ok)]), configuration) { server, session in
            var request = Request(method, url: server.url, headers: headers, body: body)
            request.headers.append(name: "X", value: "y")
            request.headers.set(name: "Accept", value: "*/*")
            request.decompress = false
            _ = try await session.send(request)
            let text = (server.requestTexts.first ?? "").replacing("Accept: */*\r\n", with: "")
            #expect(text.hasSuffix(end), "\(text)")
            #expect(text.contains("Content-Length") == hasLength)
        }
    }

    @Test("Long bodies and file contents are sent completely", arguments: [false, true], [false, true])
    func longBodies(isFile: Bool, isChunked: Bool) async throws {
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let path = try TemporaryFile(bytes)
        try await Self.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            let headers: HTTPHeaders = isChunked ? ["Transfer-Encoding": "chunked"] : [:]
            let body: RequestBody = isFile ? .file(path: path.path) : .bytes(bytes)
            let response = try await session.post(server.url, headers: headers, body: body).response()
            let sent = try #require(server.requests.first)
            #expect(response.metrics.bytesSent == sent.count)
            if isChunked {
                #expect(sent.suffix(5).elementsEqual("0\r\n\r\n".utf8))
                #expect(sent.count > bytes.count)
            } else {
                #expect(sent.suffix(bytes.count).elementsEqual(bytes))
            }
        }
    }

    @Test("Invalid requests are rejected before anything is sent")
    func refusals() async throws {
        try await Self.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            let cases: [(Request, SessionError.Reason, String)] = [
                (Request("GE T", url: server.url), .invalidMethod, "\"GE T\""),
                (Request("", url: server.url), .invalidMethod, "method"),
                (Request(.get, url: server.url, headers: ["A\r\nB": "c"]), .invalidHeader, "A\\r\\nB"),
                (Request(.get, url: server.url, headers: ["": "c"]), .invalidHeader, "name"),
                (Request(.get, url: server.url, headers: ["A": "b\r\nC: d"]), .invalidHeader, "line break"),
                (Request(.get, url: server.url, headers: ["A": "b\0"]), .invalidHeader, "NUL"),
                (
                    Request(.get, url: server.url, headers: ["A": "\n" + String(repeating: "c", count: 80)]),
                    .invalidHeader, "ccc…\""
                ),
                (Request(.get, url: server.url + "\r\n"), .invalidURL, "carriage return"),
                (Request(.get, url: "books/1"), .invalidURL, "relative"),
                (Request(.get, url: server.url, headers: ["Content-Length": "5"]), .invalidHeader, "has 0 bytes"),
                (
                    Request(.post, url: server.url, headers: ["Content-Length": "5"], body: .text("hi")),
                    .invalidHeader,
                    "has 2 bytes"
                ),
                (
                    Request(.post, url: server.url, headers: ["Transfer-Encoding": "gzip"], body: .text("hi")),
                    .invalidHeader, "chunked"
                ),
                (
                    Request(.post, url: server.url, body: .file(path: "/does/not/exist")), .unreadableBody,
                    "No such file"
                ),
                (Request(.post, url: server.url, body: .file(path: "/tmp")), .unreadableBody, "directory"),
            ]
            for (request, reason, words) in cases {
                let error = await Self.failure { try await session.send(request) }
                #expect(error?.reason == reason)
                #expect(error?.phase == .request)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            }
            #expect(server.connections == 0)
        }
    }

    @Test(
        "The error for an invalid credential field does not reveal its value",
        arguments: ["authorization", "Cookie", "Proxy-Authorization", "X-Key"])
    func refusedCredentials(_ name: String) async throws {
        try await Self.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            var request = Request(.get, url: server.url, headers: [name: "hunter22\n"])
            request.credentialFields = ["x-key"]
            let refused = request
            let error = await Self.failure { try await session.send(refused) }
            #expect(error?.reason == .invalidHeader)
            #expect(error?.message == "the value of the header \(name) contains a line break or NUL")
        }
    }

    @Test("A malformed request is sent unchanged if the request allows it")
    func malformed() async throws {
        try await Self.with(FaultyServer([.receiveHeader, .send(Self.ok)])) { server, session in
            var request = Request(
                "GE T", url: server.url + "a b/../\"", headers: ["A": "b\nC: d", "Content-Length": "9"])
            request.allowMalformed = true
            _ = try await session.send(request)
            let text = server.requestTexts.first ?? ""
            #expect(text.hasPrefix("GE T /a b/../\" HTTP/1.1\r\n"))
            #expect(text.contains("A: b\nC: d\r\nContent-Length: 9\r\n"))
        }
    }

    @Test("User information in a URL is sent as Basic credentials")
    func userInfo() async throws {
        try await Self.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            _ = try await session.get("http://me:p%40ss@127.0.0.1:\(server.port)/").response()
            #expect(server.requestTexts.first?.contains("Authorization: Basic bWU6cEBzcw==\r\n") == true)
        }
    }

    @Test("User information without a colon has an empty password")
    func userWithoutPassword() async throws {
        try await Self.with(FaultyServer([.receive, .send(Self.ok)])) { server, session in
            _ = try await session.get("http://ada@127.0.0.1:\(server.port)/").response()
            #expect(server.requestTexts.first?.contains("Authorization: Basic YWRhOg==\r\n") == true)
        }
    }

    @Test("A range request has no Accept-Encoding field, and the partial body is not decoded")
    func rangesAreNotCoded() async throws {
        let part =
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/9\r\nContent-Encoding: gzip\r\n"
            + "Content-Length: 2\r\n\r\nab"
        try await Self.with(FaultyServer([.receive, .send(part)])) { server, session in
            let response = try await session.get(server.url, headers: ["range": "bytes=0-1"]).response()
            #expect(response.status == 206)
            #expect(response.text == "ab")
            #expect(server.requestTexts.first?.lowercased().contains("accept-encoding") == false)
        }
    }

    // MARK: Verbs and validation

    @Test("A pending exchange is sent each time it is used, and validation errors include the body")
    func pending() async throws {
        let missing = "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone"
        let server = FaultyServer([.receive, .send(Self.ok), .receive, .send(Self.ok), .receive, .send(missing)])
        try await Self.with(server) { server, session in
            let exchange = session.get(server.url).validate()
            #expect(server.connections == 0)
            let value1 = try await exchange.string()
            #expect(value1 == "ok")
            let value2 = try await exchange.data()
            #expect(value2 == Array("ok".utf8))
            let error = await Self.failure {
                try await exchange.validate(Validator { $0.body.count == 2 ? nil : "not two bytes" }).response()
            }
            #expect(error?.reason == .unacceptableResponse)
            #expect(error?.message == "expected a status from 200 to 299, got 404 Not Found; not two bytes")
            #expect(error?.head?.status == 404)
            #expect(error?.partialBody == Array("gone".utf8))
        }
    }

    // MARK: Decoding

    @Test("Compressed bodies are decoded, and decoding errors are reported")
    func decoding() async throws {
        func response(_ coding: String, _ body: [UInt8]) -> [UInt8] {
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        }
        let gzip = CompressedSamples.gzip
        let server = FaultyServer([
            .receive, .send(response("gzip", gzip)), .receive, .send(response("deflate", CompressedSamples.stored)),
            .receive, .send(response("compress", [1, 2])), .receive, .send(response("gzip", gzip)),
            .receive, .send(response("gzip", Array(gzip.dropLast(9)))),
        ])
        try await Self.with(server) { server, session in
            let first = try await session.get(server.url).response()
            #expect(first.text == CompressedSamples.text)
            #expect(first.metrics.bodyBytesReceived == gzip.count)
            #expect(server.requestTexts.first?.contains("Accept-Encoding: gzip, deflate\r\n") == true)
            let value3 = try await session.get(server.url).string()
            #expect(value3 == CompressedSamples.text)
            let value4 = try await session.get(server.url).data()
            #expect(value4 == [1, 2])
            var request = Request(.get, url: server.url)
            request.decompress = false
            let value5 = try await session.send(request).body
            #expect(value5 == gzip)
            let error = await Self.failure { try await session.get(server.url).response() }
            #expect(error?.reason == .invalidContentCoding)
            #expect(error?.phase == .decode)
            #expect(error?.message == "the gzip body is incomplete")
            #expect(server.connections == 1)
        }
    }

    // MARK: Threads

    @Test("A task that runs on one of the transport's event loops stays on it")
    func eventLoops() async throws {
        let transport = NIOTransport()
        let executor = try #require(transport.executors.first)
        try await Self.with(FaultyServer([.receive, .send(Self.ok)]), transport: transport) { server, session in
            let url = server.url
            let stayed = try await Task(executorPreference: executor) {
                let before = executor.eventLoop.inEventLoop
                _ = try await session.get(url).response()
                return before && executor.eventLoop.inEventLoop
            }.value
            #expect(stayed)
        }
    }

    @Test("Concurrent exchanges on all event loops all succeed")
    func concurrency() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let transport = NIOTransport(group: group, settings: .init(connectionsPerOrigin: 3))
        var script: [FaultyServer.Step] = []
        for _ in 0..<100 { script += [.receive, .send(Self.ok)] }
        let scripts = script
        try await Self.with(FaultyServer(scripts), transport: transport) { server, session in
            let url = server.url
            let executors = transport.executors
            try await withThrowingTaskGroup(of: Int.self) { tasks in
                for number in 0..<60 {
                    tasks.addTask(executorPreference: number % 3 == 0 ? nil : executors[number % 2]) {
                        try await session.get(url).response().status
                    }
                }
                for try await status in tasks { #expect(status == 200) }
            }
            #expect(server.requests.count == 60)
            #expect(server.connections <= 6)
        }
        try await group.shutdownGracefully()
    }
}
