import NIOCore
import NIOWebSocket
import Synchronization

extension Session {
    /// Opens a WebSocket.
    /// - Parameters:
    ///   - url: An absolute URL, with the scheme `ws`, `wss`, `http` or `https`, or a reference that is resolved against
    ///     the base URL.
    ///   - protocols: The subprotocols that are offered, best first.
    ///   - headers: The header of the handshake.
    ///   - options: Bounds and times.
    /// - Throws: As ``PendingExchange/webSocket(protocols:options:)``.
    public func webSocket(
        _ url: some URLConvertible, protocols: [String] = [], headers: HTTPHeaders = .init(),
        options: WebSocketOptions = .init()
    ) async throws(SessionError) -> WebSocket {
        try await get(url, headers: headers).webSocket(protocols: protocols, options: options)
    }
}

extension PendingExchange {
    /// Opens a WebSocket with this request as its handshake (RFC 6455 section 4).
    ///
    /// The handshake goes through adapters, retriers, cookies, redirects and proxies as any other request; its validators
    /// are not asked. The fields of the handshake are set in its header.
    /// - Parameters:
    ///   - protocols: The subprotocols that are offered, best first.
    ///   - options: Bounds and times.
    /// - Throws: ``SessionError``; its reason is ``SessionError/Reason/upgradeRefused`` if the server answers with another
    ///   status than 101, and it then has the response, and if the server's handshake is not valid.
    public func webSocket(
        protocols: [String] = [], options: WebSocketOptions = .init()
    ) async throws(SessionError) -> WebSocket {
        let random = session.configuration.random
        let handshake = WebSocketHandshake(protocols: protocols, random: random)
        var request = request
        try handshake.apply(to: &request)
        guard let transport = session.transport as? any UpgradingTransport else {
            throw SessionError(
                .request, .upgradeRefused, "the session's transport cannot change protocols", request: request)
        }
        let opened = Mutex<WebSocketLink?>(nil)
        let lifetime = session.lifetime
        var pipeline = ExchangePipeline(
            session: session, request: request, adapters: adapters, retriers: retriers,
            failure: failure)
        pipeline.transmit = { pending throws(SessionError) in
            let place = WebSocketConnection.Place(method: pending.method, url: pending.url.description)
            let result = try await transport.upgrade(pending) { channel, head in
                try WebSocketLink(
                    channel, subprotocol: try handshake.check(head),
                    { inbox in
                        WebSocketConnection(
                            inbox: inbox, options: options, random: random, place: place, lifetime: lifetime)
                    }, maximumFrame: options.maximumMessageBytes)
            }
            switch result {
            case .refused(let response): return response
            case .upgraded(let response, let link):
                opened.withLock { $0 = link }
                return response
            }
        }
        let response = try await pipeline.run()
        guard let link = opened.withLock({ $0 }) else {
            let reason = response.reason.isEmpty ? "" : " " + response.reason
            throw SessionError(
                .validate, .upgradeRefused,
                "the server answers with status \(response.status)\(reason) and opens no WebSocket", response: response)
        }
        return WebSocket(response: response, link: link)
    }
}

/// An open WebSocket as other threads see it.
final class WebSocketLink: Sendable {
    let inbox: WebSocketInbox
    let subprotocol: String?
    private let eventLoop: any EventLoop
    private let connection: NIOLoopBound<WebSocketConnection>

    /// Adds the handlers of a WebSocket to a channel; on its event loop.
    init(
        _ channel: any Channel, subprotocol: String?, _ makeConnection: (WebSocketInbox) -> WebSocketConnection,
        maximumFrame: Int
    ) throws {
        inbox = WebSocketInbox()
        self.subprotocol = subprotocol
        eventLoop = channel.eventLoop
        let connection = makeConnection(inbox)
        self.connection = NIOLoopBound(connection, eventLoop: eventLoop)
        // Small frames are looked at as a whole, to tell what is wrong with them; the decoder takes limits of 32 bits.
        let frame = min(max(maximumFrame, 65535), Int(UInt32.max))
        try channel.pipeline.syncOperations.addHandlers([
            WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: frame)), connection,
        ])
    }

    /// Does something on the event loop.
    func perform(_ body: @escaping @Sendable (WebSocketConnection) -> Void) {
        let connection = connection
        eventLoop.execute { body(connection.value) }
    }
}
