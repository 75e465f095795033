import TestSupport
import Testing

@testable import HTTPSession

/// Tests with an independent implementation of the protocol.
@Suite(
    "WebSocket with Python's websockets",
    .enabled(
        if: WebSocketEchoServer.isAvailable && TestCertificates.isAvailable,
        "requires Python's websockets package and openssl"))
struct WebSocketEchoTests {
    static let certificates = TestCertificates()

    static func open(
        isSecure: Bool, _ body: (WebSocket) async throws -> Void
    ) async throws {
        let certificates = try #require(Self.certificates)
        let server = try #require(await WebSocketEchoServer.start(isSecure ? certificates.valid : nil))
        let configuration = SessionConfiguration(trust: .authorities([certificates.authority.certificate]))
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            let url = isSecure ? "wss://localhost:\(server.port)/" : "ws://127.0.0.1:\(server.port)/"
            try await body(try await session.webSocket(url, protocols: ["other", "chat"]))
        }
        withExtendedLifetime(server) {}
    }

    @Test("Messages of all types and sizes are echoed, and pings are answered", arguments: [false, true])
    func echo(isSecure: Bool) async throws {
        try await Self.open(isSecure: isSecure) { socket in
            #expect(socket.subprotocol == "chat")
            #expect((socket.response.tls != nil) == isSecure)
            for message in [
                WebSocketMessage.text(""), .text("grün 😀"), .binary([]),
                .binary((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
                .text(String(repeating: "ä", count: 70_000)),
            ] {
                try await socket.send(message)
                let echoed = try await socket.receive()
                #expect(echoed == message)
            }
            let time = try await socket.ping()
            #expect(time > .zero)
            try await socket.send("ping")
            let ponged = try await socket.receive()
            #expect(ponged == .text("ponged"))
            try await socket.send("fragments")
            let whole = try await socket.receive()
            #expect(whole == .text("abc"))
            let closure = await socket.close(code: .init(rawValue: 4000), reason: "done")
            #expect(
                closure
                    == WebSocketClosure(code: .init(rawValue: 4000), reason: "done", isClean: true, isByServer: false))
        }
    }

    @Test("The close code and reason from the server are reported", arguments: [false, true])
    func closedByServer(isSecure: Bool) async throws {
        try await Self.open(isSecure: isSecure) { socket in
            try await socket.send("last")
            try await socket.send("close")
            let (messages, error) = await WebSocketScript.messages(socket)
            #expect(messages == [.text("last")])
            #expect(error == nil)
            #expect(
                socket.closure
                    == WebSocketClosure(code: .init(rawValue: 4001), reason: "asked", isClean: true, isByServer: true))
        }
    }

    @Test("Many concurrent messages in both directions keep their order")
    func many() async throws {
        try await Self.open(isSecure: false) { socket in
            async let sending: Void = {
                for number in 0..<2000 { try await socket.send("message \(number)") }
            }()
            for number in 0..<2000 {
                let message = try await socket.receive()
                #expect(message == .text("message \(number)"))
            }
            try await sending
        }
    }
}
