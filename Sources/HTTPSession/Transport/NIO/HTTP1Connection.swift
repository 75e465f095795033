import NIOCore
import NIOPosix
import NIOSSL

/// One connection to a server: the state machine of HTTP/1.1's client side, as the only handler after TLS.
///
/// It carries one exchange at a time. Used on its event loop only.
final class HTTP1Connection: ChannelInboundHandler, ServerConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connections: OriginConnections
    private var context: ChannelHandlerContext?
    private(set) var channel: (any Channel)?
    private let remoteAddress: String?
    /// What is known of the TLS session; nil over plain TCP.
    private let tls: TLSDetails?
    private let form: HTTP1RequestEncoder.Form
    private(set) var idleSince: UInt64 = 0

    private var exchange: TransportExchange?
    private var parser: HTTP1ResponseParser?
    private var unread: ByteBuffer?
    private var isOpen = true
    private var isPooled = true
    private var wasUsed = false
    private var failure: (any Error)?

    /// Creates a connection, to be put at the end of a channel's pipeline.
    /// - Parameters:
    ///   - connections: Those it belongs to.
    ///   - remoteAddress: The server's address and port.
    ///   - tls: The TLS session; nil over plain TCP.
    ///   - usesAbsoluteForm: Whether requests name the whole URL, as for a proxy that forwards them.
    ///   - proxyAuthorization: The credentials for such a proxy.
    init(
        connections: OriginConnections, remoteAddress: String?, tls: TLSDetails?, usesAbsoluteForm: Bool = false,
        proxyAuthorization: String? = nil
    ) {
        self.connections = connections
        self.remoteAddress = remoteAddress
        self.tls = tls
        form = HTTP1RequestEncoder.Form(
            isAbsolute: usesAbsoluteForm, proxyAuthorization: proxyAuthorization,
            isVersion10: connections.origin.options.version == .http10)
    }

    private var pool: ConnectionPool { connections.pool }

    /// Whether the exchange is the one that this connection carries.
    func isCarrying(_ exchange: TransportExchange) -> Bool { self.exchange === exchange }

    func received(for exchange: TransportExchange) -> ReceivedPart? {
        guard self.exchange === exchange, let parser else { return nil }
        return ReceivedPart(head: parser.head, body: parser.body, expectedLength: parser.expectedLength)
    }

    // MARK: Being ready

    /// Closes the connection; an exchange on it must have been ended.
    func close() {
        isOpen = false
        channel?.close(promise: nil)
    }

    /// Leaves an exchange that has ended before its response was complete.
    func abandon(_ exchange: TransportExchange) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        parser = nil
        close()
    }

    // MARK: Sending

    /// Sends a request and gives the exchange its response, or its failure.
    func run(_ exchange: TransportExchange) {
        self.exchange = exchange
        exchange.connection = self
        exchange.attempt = nil
        exchange.isReused = wasUsed
        exchange.metrics.attempts += 1
        if wasUsed {
            exchange.metrics.dns = nil
            exchange.metrics.connect = nil
            exchange.metrics.tls = nil
            exchange.request.observer?(.connected(address: remoteAddress ?? "", isReused: true, duration: nil))
        }
        exchange.readyAt = MonotonicClock.now()
        if exchange.step == .queued {
            exchange.metrics.queued += MonotonicClock.duration(exchange.stepStarted, exchange.readyAt)
        }
        exchange.step = .sending
        exchange.lastActivity = exchange.readyAt
        guard isOpen, let context, context.channel.isActive else {
            return connectionLost(nothingSent: true)
        }
        parser = HTTP1ResponseParser(method: exchange.request.method, limits: exchange.request.limits)
        wasUsed = true
        send(exchange, context)
    }

    private func send(_ exchange: TransportExchange, _ context: ChannelHandlerContext) {
        let bytes: [UInt8]
        if case .bytes(let content) = exchange.request.body { bytes = content } else { bytes = [] }
        let isSmall = exchange.file == nil && bytes.count <= HTTP1RequestEncoder.inlineBodyBytes
        var buffer = HTTP1RequestEncoder.head(
            of: exchange.request, form: form, framing: exchange.framing, bodyLength: isSmall ? bytes.count + 16 : 0,
            allocator: context.channel.allocator)
        let isChunked = exchange.request.headers.tokens("Transfer-Encoding").last == "chunked"
        if isSmall {
            if isChunked, !exchange.request.allowMalformed || exchange.framing == .chunked {
                if !bytes.isEmpty {
                    buffer.writeString(HTTP1RequestEncoder.chunkStart(bytes.count))
                    buffer.writeBytes(bytes)
                    buffer.writeStaticString("\r\n")
                }
                buffer.writeStaticString("0\r\n\r\n")
            } else {
                buffer.writeBytes(bytes)
            }
            exchange.metrics.bytesSent = buffer.readableBytes
            context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
            requestSent(exchange)
            return
        }
        exchange.metrics.bytesSent = buffer.readableBytes
        context.write(wrapOutboundOut(buffer), promise: nil)
        let body = RequestBodyWriter(
            connection: self, exchange: exchange, context: context, isChunked: exchange.framing == .chunked)
        pool.ensureTick(by: exchange.nextDeadline().time)
        if exchange.file != nil { body.sendFile() } else { body.send(bytes) }
    }

    /// Takes note that the last byte of the request was handed to the network.
    func requestSent(_ exchange: TransportExchange) {
        guard self.exchange === exchange, !exchange.isRequestSent else { return }
        exchange.isRequestSent = true
        exchange.sentAt = MonotonicClock.now()
        guard exchange.step == .sending else { return }
        exchange.step = .waiting
        pool.ensureTick(by: MonotonicClock.deadline(exchange.limits.firstByte, after: exchange.sentAt))
    }

    /// Ends an exchange whose body cannot be read.
    func bodyUnreadable(_ exchange: TransportExchange, _ message: String) {
        guard self.exchange === exchange else { return }
        pool.fail(exchange, exchange.error(.unreadableBody, message, phase: .send))
    }

    // MARK: Receiving

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        channel = context.channel
        if !isOpen { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let arrived = unwrapInboundIn(data)
        guard let exchange else {
            // Nothing was asked for: whatever this is, it must not become the next request's response.
            close()
            return
        }
        exchange.metrics.bytesReceived += arrived.readableBytes
        let now = MonotonicClock.now()
        exchange.lastActivity = now
        if exchange.firstByteAt == 0 { exchange.firstByteAt = now }
        if exchange.step != .receiving {
            exchange.step = .receiving
        }
        var buffer: ByteBuffer
        if var earlier = unread {
            unread = nil
            earlier.writeImmutableBuffer(arrived)
            buffer = earlier
        } else {
            buffer = arrived
        }
        do {
            let count = try buffer.withUnsafeReadableBytes { bytes in
                try bytes.withMemoryRebound(to: UInt8.self) { try parser?.consume($0) ?? 0 }
            }
            buffer.moveReaderIndex(forwardBy: count)
        } catch {
            return broken(exchange, error)
        }
        if parser?.isComplete ?? false {
            complete(exchange, at: now, bytesAfter: buffer.readableBytes)
        } else {
            if buffer.readableBytes > 0 { unread = buffer }
            pool.ensureTick(by: MonotonicClock.deadline(exchange.limits.idle, after: now))
        }
    }

    private func broken(_ exchange: TransportExchange, _ error: any Error) {
        guard let failure = error as? HTTP1ParseFailure else {
            return pool.fail(exchange, exchange.error(.invalidResponse, "the response is not valid: \(error)"))
        }
        pool.fail(exchange, exchange.error(failure.reason, failure.message))
    }

    private func complete(_ exchange: TransportExchange, at end: UInt64, bytesAfter: Int) {
        guard var parser, let head = parser.head else { return }
        let canStay = parser.framingAllowsReuse && exchange.isRequestSent && bytesAfter == 0 && isOpen
        exchange.metrics.bytesAfterResponse = bytesAfter
        exchange.metrics.bodyBytesReceived = parser.body.count
        exchange.settleMetrics(at: end)
        self.parser = nil
        let response = TransportResponse(
            head: head, body: parser.takeBody(), trailers: parser.trailers, metrics: exchange.metrics,
            remoteAddress: remoteAddress, tls: tls)
        self.exchange = nil
        let stays = canStay && Self.persists(head, exchange.request.headers)
        pool.succeed(exchange, response)
        if stays {
            idleSince = end
            connections.release(self)
        } else {
            close()
        }
    }

    /// Whether both sides leave the connection open (RFC 9112 section 9.3).
    private static func persists(_ head: ResponseHead, _ request: HTTPHeaders) -> Bool {
        if request.contains("Connection") {
            let options = request.tokens("Connection")
            if options.contains("close") || options.contains("upgrade") { return false }
        }
        guard head.headers.contains("Connection") else { return head.version >= .http11 }
        let options = head.headers.tokens("Connection")
        if options.contains("close") { return false }
        return head.version >= .http11 || options.contains("keep-alive")
    }

    // MARK: The end of the connection

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if failure == nil { failure = error }
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOpen = false
        if exchange != nil { connectionLost(nothingSent: false) }
        if isPooled {
            isPooled = false
            connections.closed(self)
        }
        context.fireChannelInactive()
    }

    private func connectionLost(nothingSent: Bool) {
        guard let exchange else { return }
        let target = exchange.target
        let wasCut = if case .uncleanShutdown? = failure as? NIOSSLError { true } else { false }
        let missing = parser?.end() ?? "before it sent a response"
        if parser?.isComplete ?? false {
            if !wasCut { return complete(exchange, at: MonotonicClock.now(), bytesAfter: 0) }
            let message = "\(target) cut the TLS connection without closing it: the body may be incomplete"
            return pool.fail(exchange, exchange.error(.connectionClosed, message))
        }
        let isStale = exchange.isReused && exchange.metrics.bytesReceived == 0
        if isStale, exchange.metrics.staleRetries == 0, nothingSent || exchange.request.method.isIdempotent {
            self.exchange = nil
            parser = nil
            return pool.retryStale(exchange)
        }
        // RFC 9110 section 9.2.2: only idempotent requests are sent again without being asked to.
        let method = exchange.request.method
        let note =
            isStale && !method.isIdempotent
            ? "; the connection was a reused one, and a \(method) is not sent again, as it may have been acted on" : ""
        if let words = failure.flatMap({ TLSAlert.words($0) }) {
            return pool.fail(exchange, exchange.error(.tlsFailed, "\(target) \(words)", phase: .tls))
        }
        let number = (failure as? IOError)?.errnoCode
        if let number, number == ECONNRESET || number == EPIPE {
            let message = "\(target) reset the connection \(missing)\(note)"
            return pool.fail(exchange, exchange.error(.connectionReset, message))
        }
        let detail = if let failure, !wasCut { " (\(failure))" } else { "" }
        let message = "\(target) closed the connection \(missing)\(detail)\(note)"
        pool.fail(exchange, exchange.error(.connectionClosed, message))
    }
}
