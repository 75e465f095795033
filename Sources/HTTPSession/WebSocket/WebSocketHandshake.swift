import Basics
import Digests

/// The client side of the opening handshake (RFC 6455, section 4.1).
struct WebSocketHandshake: Sendable {
    /// The reason why a server's handshake response was rejected.
    struct Refusal: Error, CustomStringConvertible {
        var description: String
    }

    /// The value of `Sec-WebSocket-Key`.
    let key: String
    /// The offered subprotocols in order of preference.
    let protocols: [String]

    init(protocols: [String], random: SessionRandom) {
        key = Base64.encode(random.bytes(16))
        self.protocols = protocols
    }

    /// Replaces the scheme `ws` or `wss` of a URL with `http` or `https`.
    static func httpURL(_ url: String) -> String {
        for (scheme, replacement) in [("ws:", "http:"), ("wss:", "https:")]
        where ASCII.equalIgnoringCase(String(url.prefix(scheme.count)), scheme) {
            return replacement + url.dropFirst(scheme.count)
        }
        return url
    }

    /// Adds the fields of the handshake to a request.
    func apply(to request: inout Request) throws(SessionError) {
        if let name = protocols.first(where: { !ByteClass.isToken($0) }), !request.allowMalformed {
            throw SessionError(
                .request, .invalidHeader, "the subprotocol \"\(name)\" is not a valid token", request: request)
        }
        request.url = Self.httpURL(request.url)
        request.decompress = false
        request.headers.set(name: "Connection", value: "Upgrade")
        request.headers.set(name: "Upgrade", value: "websocket")
        request.headers.set(name: "Sec-WebSocket-Version", value: "13")
        request.headers.set(name: "Sec-WebSocket-Key", value: key)
        if !protocols.isEmpty {
            request.headers.set(name: "Sec-WebSocket-Protocol", value: protocols.joined(separator: ", "))
        }
    }

    /// Validates a response of status 101.
    /// - Returns: The subprotocol chosen by the server.
    func check(_ head: ResponseHead) throws(Refusal) -> String? {
        guard head.headers.tokens("Upgrade") == ["websocket"] else {
            throw Refusal(description: "the Upgrade header of the response is not \"websocket\"")
        }
        guard head.headers.tokens("Connection").contains("upgrade") else {
            throw Refusal(description: "the Connection header of the response is not \"Upgrade\"")
        }
        guard head.headers.values("Sec-WebSocket-Accept") == [Self.accept(key)] else {
            throw Refusal(description: "the Sec-WebSocket-Accept header of the response does not match the key")
        }
        guard head.headers.tokens("Sec-WebSocket-Extensions").isEmpty else {
            throw Refusal(description: "the server uses an extension that was not requested")
        }
        let chosen = head.headers.values("Sec-WebSocket-Protocol")
        guard let name = chosen.first else { return nil }
        guard chosen.count == 1, protocols.contains(name) else {
            throw Refusal(description: "the server chose a subprotocol that was not offered: \(name)")
        }
        return name
    }

    /// Returns the `Sec-WebSocket-Accept` value for a key.
    static func accept(_ key: String) -> String {
        Base64.encode(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }
}
