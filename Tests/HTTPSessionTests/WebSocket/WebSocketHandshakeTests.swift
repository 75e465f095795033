import HTTPSession
import TestSupport
import Testing

@testable import struct HTTPSession.WebSocketHandshake

@Suite("WebSocket handshake")
struct WebSocketHandshakeTests {
    typealias Script = WebSocketScript

    @Test("The accept value matches the example in RFC 6455")
    func accept() {
        #expect(WebSocketHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    static let urls = [
        ("ws://a/b", "http://a/b"), ("wss://a:1/b?c", "https://a:1/b?c"), ("WSS://a", "https://a"),
        ("http://a", "http://a"),
        ("chat", "chat"), ("/ws:", "/ws:"),
    ]

    @Test("WebSocket URL schemes are mapped to HTTP schemes", arguments: urls)
    func scheme(url: String, expected: String) {
        #expect(WebSocketHandshake.httpURL(url) == expected)
    }

    /// An adapter that sets a field, like an authenticator.
    private struct Signer: RequestAdapter {
        func adapt(_ request: Request, context: AttemptContext) async throws -> Request {
            var request = request
            request.headers.set(name: "Authorization", value: "Bearer \(context.attempt)")
            return request
        }
    }

    @Test("The request has the handshake fields and those of the session, the caller, cookies, and adapters")
    func request() async throws {
        let server = try #require(
            FaultyServer([
                .receive, .send(Script.handshake("Sec-WebSocket-Protocol: b\r\nSet-Cookie: x=2\r\n")), .waitForClose,
            ]))
        defer { server.shutDown() }
        let jar = CookieJar()
        var configuration = Script.configuration()
        configuration.cookies = jar
        configuration.headers = ["X-Session": "s"]
        configuration.baseURL = server.url
        configuration.adapters = [Signer()]
        jar.store(["Set-Cookie": "x=1"], from: try HTTPURL(server.url))
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            let socket = try await session.webSocket(
                "chat?room=1", protocols: ["a", "b"], headers: ["Origin": "http://o"])
            #expect(socket.subprotocol == "b")
            #expect(socket.response.status == 101)
            let lines = server.requestTexts.first?.split(separator: "\r\n").map(String.init) ?? []
            #expect(lines.first == "GET /chat?room=1 HTTP/1.1")
            for line in [
                "Host: 127.0.0.1:\(server.port)", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Protocol: a, b", "Origin: http://o",
                "X-Session: s", "Cookie: x=1", "Authorization: Bearer 1",
            ] {
                #expect(lines.contains(line), "\(line)")
            }
            #expect(!lines.contains { $0.hasPrefix("Accept-Encoding") || $0.hasPrefix("Content-Length") })
            #expect(jar.header(for: try HTTPURL(server.url), own: nil) == "x=2")
        }
    }

    static func failure(_ answer: String, protocols: [String] = []) async throws -> (SessionError?, FaultyServer) {
        let server = try #require(FaultyServer([.receive, .send(answer), .waitForClose]))
        defer { server.shutDown() }
        let session = Session(configuration: Script.configuration(), transport: ConnectionTests.oneLoop())
        let error = await WebSocketTests.failure { () throws(SessionError) in
            try await session.webSocket(server.url, protocols: protocols)
        }
        await session.close()
        return (error, server)
    }

    static let refusals: [(String, Int)] = [
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 4\r\n\r\nwho?", 401),
        ("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwho?", 200),
        ("HTTP/1.1 426 Upgrade Required\r\nSec-WebSocket-Version: 14\r\nContent-Length: 4\r\n\r\nwho?", 426),
    ]

    @Test("A status other than 101 is an error that includes the response", arguments: refusals)
    func refusal(answer: String, status: Int) async throws {
        let (error, _) = try await Self.failure(answer)
        #expect(error?.reason == .upgradeRefused)
        #expect(error?.response?.status == status)
        #expect(error?.response?.text == "who?")
        #expect(error?.message.hasPrefix("the server refused to open a WebSocket: status \(status)") == true)
    }

    static let invalid: [(String, String)] = [
        (
            "Upgrade: websocket\r\nConnection: Upgrade\r\n",
            "the Sec-WebSocket-Accept header of the response does not match the key"
        ),
        (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: icx+Yqv66kxgM0FcWaLWlFLwTAI=\r\n",
            "the Sec-WebSocket-Accept header of the response does not match the key"
        ),
        (
            "Connection: Upgrade\r\nSec-WebSocket-Accept: \(Script.accept)\r\n",
            "the Upgrade header of the response is not \"websocket\""
        ),
        (
            "Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(Script.accept)\r\n",
            "the Upgrade header of the response is not \"websocket\""
        ),
        (
            "Upgrade: websocket\r\nSec-WebSocket-Accept: \(Script.accept)\r\n",
            "the Connection header of the response is not \"Upgrade\""
        ),
        (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(Script.accept)\r\nSec-WebSocket-Extensions: permessage-deflate\r\n",
            "the server uses an extension that was not requested"
        ),
        (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(Script.accept)\r\nSec-WebSocket-Protocol: c\r\n",
            "the server chose a subprotocol that was not offered: c"
        ),
        (
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(Script.accept)\r\nSec-WebSocket-Protocol: A\r\n",
            "the server chose a subprotocol that was not offered: A"
        ),
    ]

    @Test("Invalid handshake responses are rejected", arguments: invalid)
    func invalidAnswer(fields: String, message: String) async throws {
        let (error, server) = try await Self.failure(
            "HTTP/1.1 101 Switching Protocols\r\n" + fields + "\r\n", protocols: ["a", "b"])
        #expect(error?.reason == .upgradeRefused)
        #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
        #expect(server.connections == 1)
    }

    @Test("The response may use any case and list several values")
    func lenient() async throws {
        let answer =
            "HTTP/1.1 101\r\nupgrade: WebSocket\r\nconnection: keep-alive, UPGRADE\r\nsec-websocket-accept: \(Script.accept)\r\n\r\n"
        let (error, _) = try await Self.failure(answer)
        #expect(error == nil)
    }

    @Test("An invalid subprotocol name is rejected")
    func invalidProtocol() async throws {
        let session = Session(transport: ConnectionTests.oneLoop())
        let error = await WebSocketTests.failure { () throws(SessionError) in
            try await session.webSocket("ws://127.0.0.1:1/", protocols: ["a b"])
        }
        #expect(error?.reason == .invalidHeader)
        await session.close()
    }

    @Test("A transport that does not support upgrades is reported")
    func otherTransport() async throws {
        let session = Session(transport: BodyTransport { _, _ throws(SessionError) in BodyTransport.response() })
        let error = await WebSocketTests.failure { () throws(SessionError) in try await session.webSocket("ws://a/") }
        #expect(error?.reason == .upgradeRefused)
    }

    @Test("Redirects are followed")
    func redirect() async throws {
        let server = try #require(
            FaultyServer(
                [
                    .receive,
                    .send("HTTP/1.1 307 X\r\nLocation: /there\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
                ],
                [.receive, .send(Script.handshake()), .send(Script.frame(0x81, "hello")), .waitForClose]))
        defer { server.shutDown() }
        try await withSession(Script.configuration(), transport: ConnectionTests.oneLoop()) { session in
            let socket = try await session.webSocket(server.url)
            #expect(try await socket.receive() == .text("hello"))
            #expect(socket.response.url.description == server.url + "there")
            #expect(socket.response.history.count == 1)
        }
    }
}
