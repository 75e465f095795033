import HTTPSession
import TestSupport
import Testing

@testable import struct HTTPSession.WebSocketHandshake

@Suite("WebSocket")
struct WebSocketTests {
    typealias Script = WebSocketScript

    static func failure(_ body: () async throws(SessionError) -> some Any) async -> SessionError? {
        do throws(SessionError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Messages

    @Test("Messages are exchanged in masked frames, and both sides close the socket")
    func conversation() async throws {
        let steps: [FaultyServer.Step] = [
            .receiveFrame, .receiveFrame, .send(Script.frame(0x81, "grün") + Script.frame(0x82, [0, 255])),
            .receiveFrame,
            .send(Script.frame(0x88, Script.close(1000, "bye"))), .close,
        ]
        try await Script.open(steps) { socket, server, _ in
            try await socket.send("hi")
            try await socket.send([1, 2, 3])
            #expect(try await socket.receive() == .text("grün"))
            #expect(try await socket.receive() == .binary([0, 255]))
            #expect(socket.closure == nil)
            let closure = await socket.close()
            #expect(closure == WebSocketClosure(code: .normal, reason: "bye", isClean: true, isByServer: false))
            #expect(try await socket.receive() == nil)
            #expect(
                server.requests.dropFirst() == [
                    Script.masked(0x81, Array("hi".utf8)), Script.masked(0x82, [1, 2, 3]),
                    Script.masked(0x88, Script.close(1000)),
                ])
            let late1 = await Self.failure { () throws(SessionError) in try await socket.send("late") }
            #expect(late1?.reason == .connectionClosed)
            let late2 = await Self.failure { () throws(SessionError) in try await socket.ping() }
            #expect(late2?.reason == .connectionClosed)
            #expect(await socket.close() == closure)
        }
    }

    @Test("Frames are masked with the session's random numbers")
    func masking() async throws {
        var configuration = SessionConfiguration()
        configuration.random = SessionRandom { 0x0102_0304_0506_0708 }
        let key = WebSocketHandshake(protocols: [], random: configuration.random).key
        let answer = Script.handshake().replacingAccept(WebSocketHandshake.accept(key))
        let masking = try #require(FaultyServer([.receive, .send(answer), .receiveFrame]))
        defer { masking.shutDown() }
        try await withSession(configuration, transport: ConnectionTests.oneLoop()) { session in
            let socket = try await session.webSocket(masking.url)
            try await socket.send([0, 0, 0, 0, 0xFF])
            await masking.waitForRequests(2)
            #expect(masking.requests.last == [0x82, 0x85, 8, 7, 6, 5, 8, 7, 6, 5, 0xF7])
        }
    }

    static let lengths = [0, 1, 125, 126, 65535, 65536, 200_000]

    @Test("Messages of every frame length are sent and received", arguments: lengths)
    func length(_ length: Int) async throws {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        let steps: [FaultyServer.Step] = [.receiveFrame, .send(Script.frame(0x82, bytes)), .waitForClose]
        try await Script.open(steps) { socket, server, _ in
            try await socket.send(bytes)
            #expect(try await socket.receive() == .binary(bytes))
            let sent = try #require(server.requests.last)
            #expect(sent.suffix(length).elementsEqual(bytes))
            #expect(sent.count == Script.frame(0x82, bytes).count + 4)
        }
    }

    static let euro: [UInt8] = [0xE2, 0x82, 0xAC]

    static let fragments: [([[UInt8]], [WebSocketMessage])] = [
        ([Script.frame(0x01, "a"), Script.frame(0x00, "b"), Script.frame(0x80, "c")], [.text("abc")]),
        ([Script.frame(0x02, [1]), Script.frame(0x80, [2])], [.binary([1, 2])]),
        ([Script.frame(0x01), Script.frame(0x00), Script.frame(0x80)], [.text("")]),
        ([Script.frame(0x01, [0xE2]), Script.frame(0x00, [0x82]), Script.frame(0x80, [0xAC])], [.text("€")]),
        (
            [Script.frame(0x01, "a"), Script.frame(0x89, "p"), Script.frame(0x8A, "unasked"), Script.frame(0x80, "b")],
            [.text("ab")]
        ),
        (
            [Script.frame(0x81, "a"), Script.frame(0x81, "b"), Script.frame(0x82, [])],
            [.text("a"), .text("b"), .binary([])]
        ),
    ]

    @Test("Fragments form messages, with control frames in between, however the bytes are split", arguments: fragments)
    func fragmentation(frames: [[UInt8]], messages: [WebSocketMessage]) async throws {
        let end = Script.frame(0x88, Script.close(1000))
        let bytes = frames.flatMap { $0 } + end
        for steps: [FaultyServer.Step] in [[.send(bytes)], [.drip(bytes.map { [$0] }, milliseconds: 0)]] {
            try await Script.open(steps) { socket, _, _ in
                let (received, error) = await Script.messages(socket)
                #expect(received == messages)
                #expect(error == nil)
            }
        }
    }

    @Test("Pings are answered with their payload, even in the middle of a message")
    func automaticPong() async throws {
        let steps: [FaultyServer.Step] = [
            .send(Script.frame(0x01, "a") + Script.frame(0x89, "12") + Script.frame(0x89)), .receiveFrame,
            .receiveFrame,
            .send(Script.frame(0x80, "b")), .waitForClose,
        ]
        try await Script.open(steps) { socket, server, _ in
            let message = try await socket.receive()
            #expect(message == .text("ab"))
            #expect(server.requests.dropFirst() == [Script.masked(0x8A, Array("12".utf8)), Script.masked(0x8A)])
        }
    }

    @Test("A ping is completed by its own pong or a pong for a later ping")
    func ping() async throws {
        let steps: [FaultyServer.Step] = [
            .receiveFrame, .receiveFrame, .send(Script.frame(0x8A, "other") + Script.frame(0x8A, "B")), .waitForClose,
        ]
        try await Script.open(steps) { socket, server, _ in
            async let first = socket.ping(Array("A".utf8), timeout: .seconds(30))
            await server.waitForRequests(2)
            let second = try await socket.ping(Array("B".utf8), timeout: .seconds(30))
            #expect(try await first >= second)
            #expect(
                server.requests.dropFirst() == [
                    Script.masked(0x89, Array("A".utf8)), Script.masked(0x89, Array("B".utf8)),
                ])
        }
    }

    @Test("A ping fails if its pong is late, its payload is too long, or the connection closes")
    func pingFailures() async throws {
        try await Script.open([.receiveFrame, .receiveFrame]) { socket, _, _ in
            let late = await Self.failure { () throws(SessionError) in try await socket.ping(timeout: .milliseconds(1))
            }
            #expect(late?.reason == .timedOut(.idle, .milliseconds(1)))
            #expect(late?.message == "no pong within 1 ms")
            let long = await Self.failure { () throws(SessionError) in
                try await socket.ping([UInt8](repeating: 0, count: 126))
            }
            #expect(long?.reason == .limitExceeded(.messageBytes, 125))
            let closed = await Self.failure { () throws(SessionError) in try await socket.ping(timeout: .seconds(30)) }
            #expect(closed?.reason == .connectionClosed)
        }
    }

    // MARK: Protocol violations

    static let violations: [([UInt8], UInt16, String)] = [
        (Script.frame(0xC1, "a"), 1002, "the server sent a frame with RSV1 set, but no extension was negotiated"),
        (Script.frame(0xA1, "a"), 1002, "the server sent a frame with RSV2 set, but no extension was negotiated"),
        (Script.frame(0x91, "a"), 1002, "the server sent a frame with RSV3 set, but no extension was negotiated"),
        (Script.frame(0xC9, "a"), 1002, "the server sent a frame with RSV1 set, but no extension was negotiated"),
        (Script.frame(0x83), 1002, "the server sent a frame with the reserved opcode 3"),
        (Script.frame(0x87, "a"), 1002, "the server sent a frame with the reserved opcode 7"),
        (Script.frame(0x8B), 1002, "the server sent a frame with the reserved opcode 11"),
        (Script.frame(0x8F, "a"), 1002, "the server sent a frame with the reserved opcode 15"),
        (Script.masked(0x81, [97]), 1002, "the server sent a masked frame"),
        (Script.frame(0x80, "a"), 1002, "a continuation frame has no message to continue"),
        (Script.frame(0x00, "a"), 1002, "a continuation frame has no message to continue"),
        (
            Script.frame(0x01, "a") + Script.frame(0x81, "b"), 1002,
            "a message started before the previous one ended"
        ),
        (
            Script.frame(0x02, "a") + Script.frame(0x02, "b"), 1002,
            "a message started before the previous one ended"
        ),
        (Script.frame(0x09, "a"), 1002, "the server sent a fragmented control frame"),
        (Script.frame(0x08), 1002, "the server sent a fragmented control frame"),
        (
            Script.frame(0x89, [UInt8](repeating: 97, count: 126)), 1002,
            "the server sent a control frame of more than 125 bytes"
        ),
        (Script.frame(0x81, [0xFF]), 1007, "a text message is not UTF-8"),
        (Script.frame(0x81, [0xE2, 0x82]), 1007, "a text message is not UTF-8"),
        (Script.frame(0x81, [0xC0, 0x80]), 1007, "a text message is not UTF-8"),
        (Script.frame(0x81, [0xED, 0xA0, 0x80]), 1007, "a text message is not UTF-8"),
        (Script.frame(0x81, [0xF4, 0x90, 0x80, 0x80]), 1007, "a text message is not UTF-8"),
        (Script.frame(0x01, [0xE2]) + Script.frame(0x80, [0x28]), 1007, "a text message is not UTF-8"),
        // Detected before the message is complete.
        (Script.frame(0x01, [97, 0xFF]), 1007, "a text message is not UTF-8"),
        (Script.frame(0x82, [UInt8](repeating: 0, count: 11)), 1009, "a message is larger than the limit of 10 bytes"),
        (
            Script.frame(0x02, [0, 0, 0, 0, 0, 0]) + Script.frame(0x00, [0, 0, 0, 0, 0]), 1009,
            "a message is larger than the limit of 10 bytes"
        ),
        // Only declared.
        ([0x82, 127, 0, 0, 1, 0, 0, 0, 0, 0], 1009, "a message is larger than the limit of 10 bytes"),
        ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], 1009, "a message is larger than the limit of 10 bytes"),
        (Script.frame(0x88, [3]), 1002, "a close frame has an incomplete code"),
        (Script.frame(0x88, Script.close(1005)), 1002, "a close frame has the code 1005, which must not be sent"),
        (Script.frame(0x88, Script.close(1006)), 1002, "a close frame has the code 1006, which must not be sent"),
        (Script.frame(0x88, Script.close(1015)), 1002, "a close frame has the code 1015, which must not be sent"),
        (Script.frame(0x88, Script.close(999)), 1002, "a close frame has the code 999, which must not be sent"),
        (Script.frame(0x88, Script.close(2999)), 1002, "a close frame has the code 2999, which must not be sent"),
        (Script.frame(0x88, Script.close(5000)), 1002, "a close frame has the code 5000, which must not be sent"),
        (Script.frame(0x88, Script.close(1000) + [0xFF]), 1007, "the reason in a close frame is not UTF-8"),
    ]

    @Test("Protocol violations are reported to the server and end the messages with an error", arguments: violations)
    func violation(bytes: [UInt8], code: UInt16, message: String) async throws {
        let steps: [FaultyServer.Step] = [
            .send(Script.frame(0x81, "before") + bytes), .receiveFrame, .send(Script.frame(0x81, "after")), .close,
        ]
        let options = WebSocketOptions(maximumMessageBytes: 10, closeTimeout: .seconds(30))
        try await Script.open(steps, options: options) { socket, server, _ in
            let (messages, error) = await Script.messages(socket)
            #expect(messages == [.text("before")])
            #expect(error?.message == message)
            #expect(error?.reason == (code == 1009 ? .limitExceeded(.messageBytes, 10) : .invalidResponse))
            #expect(error?.url == server.url + "chat")
            #expect(
                socket.closure
                    == WebSocketClosure(code: .init(rawValue: code), reason: message, isClean: false, isByServer: false)
            )
            await server.waitForRequests(2)
            let close = try #require(server.requests.last)
            #expect(close.first == 0x88)
            #expect(close.dropFirst(6) == (Script.close(code, message))[...])
            let late3 = await Self.failure { () throws(SessionError) in try await socket.send("late") }
            #expect(late3?.reason == .connectionClosed)
            #expect(late3?.message == "the WebSocket is closed: \(message)")
            #expect(socket.failure?.message == message)
        }
    }

    @Test("A message may be as large as the limit", arguments: [[10], [4, 6], [10, 0]])
    func atLimit(parts: [Int]) async throws {
        var bytes: [UInt8] = []
        for (index, count) in parts.enumerated() {
            let isLast = index == parts.count - 1
            bytes += Script.frame((isLast ? 0x80 : 0) | (index == 0 ? 2 : 0), [UInt8](repeating: 7, count: count))
        }
        try await Script.open([.send(bytes), .waitForClose], options: .init(maximumMessageBytes: 10)) { socket, _, _ in
            let message = try await socket.receive()
            #expect(message == .binary([UInt8](repeating: 7, count: 10)))
        }
    }

    // MARK: Closing

    static let codes: [([UInt8], UInt16, String)] = [
        (Script.close(1000), 1000, ""), (Script.close(1001, "away"), 1001, "away"), (Script.close(1011), 1011, ""),
        (Script.close(1014), 1014, ""), (Script.close(3000, "ä"), 3000, "ä"), (Script.close(4999), 4999, ""),
        ([], 1005, ""),
    ]

    @Test("A close frame from the server ends the messages and is answered with the same code", arguments: codes)
    func closedByServer(payload: [UInt8], code: UInt16, reason: String) async throws {
        let steps: [FaultyServer.Step] = [
            .send(Script.frame(0x81, "a") + Script.frame(0x88, payload) + Script.frame(0x81, "b")), .receiveFrame,
            .close,
        ]
        try await Script.open(steps) { socket, server, _ in
            let (messages, error) = await Script.messages(socket)
            #expect(messages == [.text("a")])
            #expect(error == nil)
            let expected = WebSocketClosure(
                code: .init(rawValue: code), reason: reason, isClean: true, isByServer: true)
            #expect(socket.closure == expected)
            #expect(await socket.close() == expected)
            #expect(server.requests.last == Script.masked(0x88, Array(payload.prefix(2))))
        }
    }

    @Test("Messages that arrive while the socket is closing can be read")
    func messagesWhileClosing() async throws {
        let steps: [FaultyServer.Step] = [
            .receiveFrame, .send(Script.frame(0x81, "late") + Script.frame(0x88, Script.close(1000))), .close,
        ]
        try await Script.open(steps) { socket, _, _ in
            let closure = await socket.close(code: .init(rawValue: 4000), reason: "enough")
            #expect(closure.isClean)
            let message = try await socket.receive()
            #expect(message == .text("late"))
            let end = try await socket.receive()
            #expect(end == nil)
        }
    }

    static let closes: [(WebSocketCloseCode?, String, [UInt8])] = [
        (nil, "ignored", []), (.init(rawValue: 4000), "why", Script.close(4000, "why")),
        (.normal, String(repeating: "ä", count: 80), Script.close(1000, String(repeating: "ä", count: 61))),
    ]

    @Test("The close frame has the code and the reason, truncated if it is too long", arguments: closes)
    func closeFrame(code: WebSocketCloseCode?, reason: String, payload: [UInt8]) async throws {
        try await Script.open([.receiveFrame, .close]) { socket, server, _ in
            let closure = await socket.close(code: code, reason: reason)
            #expect(closure == WebSocketClosure(code: .abnormal, isClean: false, isByServer: false))
            #expect(server.requests.last?.dropFirst(6) == payload[...])
        }
    }

    @Test("A close frame that the server does not answer times out")
    func closeTimeout() async throws {
        try await Script.open([.waitForClose], options: .init(closeTimeout: .milliseconds(5))) { socket, server, _ in
            let closure = await socket.close()
            #expect(!closure.isClean)
            #expect(closure.code == .abnormal)
            let message = try await socket.receive()
            #expect(message == nil)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("A lost connection is an error after the received messages", arguments: [false, true])
    func lost(isReset: Bool) async throws {
        try await Script.open([.send(Script.frame(0x81, "a")), .receiveFrame, isReset ? .reset : .close]) {
            socket, _, _ in
            #expect(try await socket.receive() == .text("a"))
            try await socket.send("go")
            let error = await Self.failure { () throws(SessionError) in try await socket.receive() }
            #expect(error?.reason == .connectionClosed || (isReset && error?.reason == .connectionReset))
            #expect(socket.closure == WebSocketClosure(code: .abnormal, isClean: false, isByServer: true))
        }
    }

    @Test("Closing the session closes the socket")
    func sessionClosed() async throws {
        try await Script.open([.waitForClose]) { socket, server, session in
            async let end = Self.failure { () throws(SessionError) in try await socket.receive() }
            await session.close()
            #expect(await end?.reason == .sessionClosed)
            await server.waitForClosedConnections(1)
        }
    }

    @Test("Releasing a socket closes it with code 1001")
    func lettingGo() async throws {
        let server = try #require(FaultyServer([.receive, .send(Script.handshake()), .receiveFrame, .waitForClose]))
        defer { server.shutDown() }
        try await withSession(Script.configuration(), transport: ConnectionTests.oneLoop()) { session in
            _ = try await session.webSocket(server.url)
            await server.waitForClosedConnections(1)
            #expect(server.requests.last == Script.masked(0x88, Script.close(1001)))
        }
    }

    @Test("A canceled reader gets an error, and the next reader gets the message")
    func cancelledReader() async throws {
        try await Script.open([.receiveFrame, .send(Script.frame(0x81, "a")), .waitForClose]) { socket, _, _ in
            let reader = Task { await Self.failure { () throws(SessionError) in try await socket.receive() } }
            reader.cancel()
            #expect(await reader.value?.reason == .cancelled)
            try await socket.send("go")
            #expect(try await socket.receive() == .text("a"))
        }
    }

    @Test("A silent server is pinged, and the connection fails if it stays silent")
    func keepAlive() async throws {
        let options = WebSocketOptions(pingInterval: .milliseconds(250))
        let steps: [FaultyServer.Step] = [.receiveFrame, .send(Script.frame(0x8A, "x")), .receiveFrame, .waitForClose]
        try await Script.open(steps, options: options) { socket, server, _ in
            let error = await Self.failure { () throws(SessionError) in try await socket.receive() }
            #expect(error?.reason == .timedOut(.idle, .milliseconds(250)))
            await server.waitForRequests(3)
            #expect(server.requests.dropFirst().map { $0.first } == [0x89, 0x89])
        }
    }

    @Test("A slow reader receives all messages in order")
    func backPressure() async throws {
        let count = 200
        let steps: [FaultyServer.Step] =
            (0..<count).map { .send(Script.frame(0x82, [UInt8](repeating: UInt8($0), count: 40_000))) }
            + [.send(Script.frame(0x88, Script.close(1000))), .receiveFrame]
        try await Script.open(steps) { socket, _, _ in
            for number in 0..<count {
                guard case .binary(let bytes) = try await socket.receive() else { break }
                #expect(bytes.count == 40_000)
                #expect(bytes.last == UInt8(number))
            }
            #expect(try await socket.receive() == nil)
            #expect(socket.closure?.isClean == true)
        }
    }
}

extension String {
    /// Returns the handshake with a different response to the key.
    fileprivate func replacingAccept(_ accept: String) -> String {
        split(separator: "\r\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("Sec-WebSocket-Accept") ? "Sec-WebSocket-Accept: " + accept : String($0) }
            .joined(separator: "\r\n")
    }
}
