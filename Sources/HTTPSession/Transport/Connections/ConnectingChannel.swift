import Basics
import NIOCore
import NIOSSL
import NIOTLS

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The last handler of a channel during connection setup; replaced by a ``ServerConnection`` handler.
final class ConnectingChannel: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The attempt that waits for the channel; nil after it was abandoned.
    weak var attempt: ConnectAttempt?
    private(set) var channel: (any Channel)?
    private var context: ChannelHandlerContext?
    private var isClosed = false

    init(attempt: ConnectAttempt) {
        self.attempt = attempt
    }

    /// Closes the channel of an abandoned attempt.
    func close() {
        attempt = nil
        isClosed = true
        channel?.close(promise: nil)
    }

    /// Sends bytes, for example to a proxy.
    func send(_ bytes: [UInt8]) {
        guard let context else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Starts TLS on top of the current connection.
    func add(_ handler: NIOSSLClientHandler) {
        guard let context else { return }
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .before(self))
        } catch {
            lost(error)
            close()
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        channel = context.channel
        if isClosed { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiated)? = event as? TLSUserEvent {
            attempt?.secured(self, negotiatedProtocol: negotiated)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        attempt?.received(self, unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        lost(error)
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost(nil)
        context.fireChannelInactive()
    }

    private func lost(_ error: (any Error)?) {
        guard let attempt else { return }
        self.attempt = nil
        attempt.lost(self, error)
    }
}

/// Describes why no address of a host could be connected to.
enum ConnectFailure {
    static func describe(
        _ failures: [(SocketAddress, any Error)], target: String
    ) -> (SessionError.Reason, MessageText) {
        let numbers = failures.map { ($0.1 as? IOError)?.errnoCode }
        let tried = failures.compactMap { $0.0.pathname == nil ? $0.0.text : nil }
        let isNamed = tried.count == 1 && tried.allSatisfy { target.hasSuffix($0) }
        let addresses: MessageText =
            isNamed || tried.isEmpty ? "" : " (tried \(tried.joined(separator: ", ")))"
        // A refused connection is more informative than the common "no IPv6 here".
        if numbers.contains(ECONNREFUSED) {
            return (.connectionRefused, "connection refused: \(target)\(addresses)")
        }
        var details: [MessageText] = []
        for (number, failure) in zip(numbers, failures) {
            let detail = number.map { MessageText(words: String(cString: strerror($0))) } ?? "\(failure.1)"
            if !details.contains(detail) { details.append(detail) }
        }
        return (.connectionFailed, "cannot connect to \(target)\(addresses): \(details.joined(separator: "; "))")
    }
}

/// The route to a server.
enum ConnectRoute {
    case direct
    case unixSocket(String)
    /// Requests are sent to the proxy, which forwards them.
    case forwarding(Proxy)
    /// The proxy connects to the server and relays bytes.
    case tunnel(Proxy)

    /// Creates the route for requests to an origin.
    /// - Parameters:
    ///   - url: A URL of the origin.
    ///   - options: The connection options.
    ///   - isExclusive: Whether the connection will carry something other than HTTP/1 requests, which a proxy cannot
    ///     forward.
    init(to url: HTTPURL, options: ConnectionOptions, isExclusive: Bool) {
        if let path = options.unixSocket {
            self = .unixSocket(path)
        } else if let proxy = options.proxy.proxy(for: url) {
            let isHTTP = proxy.scheme == .http || proxy.scheme == .https
            self = isHTTP && !url.isSecure && !isExclusive ? .forwarding(proxy) : .tunnel(proxy)
        } else {
            self = .direct
        }
    }

    /// The proxy, if any.
    var proxy: Proxy? {
        switch self {
        case .direct, .unixSocket: nil
        case .forwarding(let proxy), .tunnel(let proxy): proxy
        }
    }

    /// Whether HTTP/1 requests use the absolute form of the URL.
    var usesAbsoluteForm: Bool { if case .forwarding = self { true } else { false } }
}
