import Basics
package import NIOCore
import NIOWebSocket
import Synchronization

extension Session {
    /// Opens a WebSocket.
    /// - Parameters:
    ///   - url: An absolute URL with the scheme `ws`, `wss`, `http` or `https`, or a reference that is resolved against
    ///     the base URL.
    ///   - protocols: The subprotocols to offer, in order of preference.
    ///   - headers: The header fields of the handshake.
    ///   - options: The limits and timeouts.
    /// - Throws: The errors of ``PendingExchange/webSocket(protocols:options:)``.
    public func webSocket(
        _ url: some URLConvertible, protocols: [String] = [], headers: HTTPHeaders = .init(),
        options: WebSocketOptions = .init()
    ) async throws(SessionError) -> WebSocket {
        try await get(url, headers: headers).webSocket(protocols: protocols, options: options)
    }
}

extension PendingExchange {
    /// Opens a WebSocket with this request as its handshake (RFC 6455, section 4).
    ///
    /// The handshake passes through adapters, retriers, cookies, redirects and proxies like any other request, but not
    /// through its validators. The fields of the handshake are added to the request's header.
    /// - Parameters:
    ///   - protocols: The subprotocols to offer, in order of preference.
    ///   - options: The limits and timeouts.
    /// - Throws: ``SessionError``; ``SessionError/Reason/upgradeRefused`` if the server's handshake is invalid or its
    ///   status is not 101. In the latter case the error includes the response.
    public func webSocket(
        protocols: [String] = [], options: WebSocketOptions = .init()
    ) async throws(SessionError) -> WebSocket {
        let random = session.configuration.random
        let handshake = WebSocketHandshake(protocols: protocols, random: random)
        var exchange = self
        try handshake.apply(to: &exchange.request)
        let lifetime = session.lifetime
        let (response, opened) = try await exchange.upgrade { pending, channel, head in
            let location = WebSocketConnection.Location(method: pending.method, url: pending.url.description)
            return try WebSocketLink(
                channel, subprotocol: try handshake.check(head),
                { inbox in
                    WebSocketConnection(
                        inbox: inbox, options: options, random: random, location: location, lifetime: lifetime)
                }, maximumFrame: options.maximumMessageBytes)
        }
        guard let link = opened else {
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            throw SessionError(
                .validate, .upgradeRefused,
                "the server refused to open a WebSocket: status \(response.status)\(reason)", response: response)
        }
        return WebSocket(response: response, link: link)
    }

    /// Requests a protocol upgrade (RFC 9110, section 7.8), with the fields that the request contains.
    /// - Parameter configure: Takes over the channel, on its event loop, after a response of status 101. If it throws,
    ///   the connection is closed.
    /// - Returns: The response, and the result of `configure`; nil if the server does not switch protocols.
    package func upgrade<Value: Sendable>(
        _ configure: @escaping @Sendable (TransportRequest, any Channel, ResponseHead) throws -> Value
    ) async throws(SessionError) -> (response: Response, value: Value?) {
        guard let transport = session.transport as? any UpgradingTransport else {
            throw SessionError(
                .request, .upgradeRefused, "the transport of the session does not support protocol upgrades",
                request: request)
        }
        let opened = Mutex<Value?>(nil)
        let transmit: RequestAttempt.Transmission = { pending throws(SessionError) in
            switch try await transport.upgrade(pending, configure: { try configure(pending, $0, $1) }) {
            case .refused(let response): return response
            case .upgraded(let response, let value):
                opened.withLock { $0 = value }
                return response
            }
        }
        let pipeline = ExchangePipeline(
            session: session, request: request, adapters: adapters, retriers: retriers, transmit: transmit,
            failure: failure)
        let response = try await pipeline.run()
        return (response, opened.withLock { $0 })
    }
}

/// A thread-safe handle to an open WebSocket.
final class WebSocketLink: Sendable {
    let inbox: WebSocketInbox
    let subprotocol: String?
    private let eventLoop: any EventLoop
    private let connection: NIOLoopBound<WebSocketConnection>

    /// Creates a link and adds the handlers of its WebSocket to a channel; must be called on the event loop.
    init(
        _ channel: any Channel, subprotocol: String?, _ makeConnection: (WebSocketInbox) -> WebSocketConnection,
        maximumFrame: Int
    ) throws {
        inbox = WebSocketInbox()
        self.subprotocol = subprotocol
        eventLoop = channel.eventLoop
        let connection = makeConnection(inbox)
        self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
        // Small frames are always accepted whole, so that their errors can be reported precisely; the decoder's limit
        // is 32 bits.
        let frame = min(max(maximumFrame, 65535), Int(UInt32.max))
        try channel.pipeline.syncOperations.addHandlers([
            WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: frame)), connection,
        ])
    }

    /// Runs a function on the event loop.
    func perform(_ body: @escaping @Sendable (WebSocketConnection) -> Void) {
        let connection = connection
        eventLoop.execute { body(connection.value) }
    }
}
