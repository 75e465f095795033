import HTTPSession
import TestSupport
import Testing

/// A WebSocket with a scripted server. All random numbers are 0, so masking does not change the data.
enum WebSocketScript {
    typealias Step = FaultyServer.Step

    static let accept = "ICX+Yqv66kxgM0FcWaLWlFLwTAI="

    /// Returns the server's part of a handshake.
    static func handshake(_ fields: String = "") -> String {
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: \(accept)\r\n\(fields)\r\n"
    }

    /// Returns a frame sent by a server.
    ///
    /// - Parameters:
    ///   - first: The first byte: final bit, reserved bits and opcode.
    ///   - payload: The data.
    static func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        let count = payload.count
        if count < 126 { return [first, UInt8(count)] + payload }
        if count < 65536 { return [first, 126, UInt8(count >> 8), UInt8(count & 255)] + payload }
        return [first, 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + payload
    }

    /// Returns a text frame.
    static func frame(_ first: UInt8, _ text: String) -> [UInt8] { frame(first, Array(text.utf8)) }

    /// Returns the payload of a close frame.
    static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
        [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8)
    }

    /// Returns a frame sent by a client with an all-zero mask.
    static func masked(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [first, UInt8(payload.count) | 0x80, 0, 0, 0, 0] + payload
    }

    static func configuration() -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.random = SessionRandom { 0 }
        return configuration
    }

    /// Opens a socket to a server, and closes both after a test.
    static func open(
        _ steps: [Step], fields: String = "", protocols: [String] = [],
        options: WebSocketOptions = .init(closeTimeout: .seconds(30)),
        _ body: (WebSocket, FaultyServer, Session) async throws -> Void
    ) async throws {
        let server = try #require(FaultyServer([.receive, .send(handshake(fields))] + steps))
        defer { server.shutDown() }
        try await withSession(configuration(), transport: ConnectionTests.oneLoop()) { session in
            let socket = try await session.webSocket(
                "ws://127.0.0.1:\(server.port)/chat", protocols: protocols, options: options)
            try await body(socket, server, session)
        }
    }

    /// Returns all messages up to the end, and the error that ends the connection.
    static func messages(_ socket: WebSocket) async -> ([WebSocketMessage], SessionError?) {
        var messages: [WebSocketMessage] = []
        do throws(SessionError) {
            for try await message in socket.messages { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, error)
        }
    }
}
