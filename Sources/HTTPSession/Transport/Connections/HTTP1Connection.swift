import Basics
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A client connection of HTTP/1.1, implemented as the only channel handler after TLS.
///
/// It carries one exchange at a time. Used on its event loop only.
final class HTTP1Connection: ChannelInboundHandler, RemovableChannelHandler, ServerConnection {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connections: OriginConnections
    private var context: ChannelHandlerContext?
    private(set) var channel: (any Channel)?
    private(set) lazy var socket = channel?.findSocket()
    let remoteAddress: String?
    /// The details of the TLS session; nil over plain TCP.
    let tls: TLSDetails?
    private let form: HTTP1RequestEncoder.Form
    private(set) var idleSince: UInt64 = 0
    /// The last time, in nanoseconds, at which the socket was known to have no unsolicited data.
    var quietSince: UInt64 = 0
    private(set) var announcedLife = UInt64.max

    private var exchange: TransportExchange?
    private var parser: HTTP1ResponseParser?
    private var unread: ByteBuffer?
    private var isOpen = true
    private var isPooled = true
    private var wasUsed = false
    /// Whether reading is paused, because the reader of a streamed body applies back-pressure.
    private var isPaused = false
    private var failure: (any Error)?

    /// Creates a connection, which must be added at the end of a channel's pipeline.
    /// - Parameters:
    ///   - connections: The connections of the origin.
    ///   - remoteAddress: The server's address and port.
    ///   - tls: The TLS session; nil over plain TCP.
    ///   - usesAbsoluteForm: Whether requests contain the absolute URL, as for a forwarding proxy.
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

    // MARK: State

    /// Closes the connection; its exchange must have been ended before.
    func close() {
        isOpen = false
        channel?.close(promise: nil)
    }

    /// Whether the socket has unsolicited data: bytes, or the end of the connection.
    ///
    /// The data is not read: over TLS, the raw bytes reveal nothing.
    var hasUnasked: Bool {
        guard isOpen, let context, context.channel.isActive else { return true }
        guard let socket else { return false }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, CInt(MSG_PEEK) | CInt(MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    }

    /// The socket of a usable connection; nil if it is closed or has none.
    var openSocket: CInt? {
        guard isOpen, let context, context.channel.isActive else { return nil }
        return socket
    }

    /// Closes a connection that can no longer carry a request.
    func discard() {
        cut()
    }

    /// Abandons an exchange that has ended before its response was complete.
    func abandon(_ exchange: TransportExchange) {
        guard self.exchange === exchange else { return }
        self.exchange = nil
        parser = nil
        unread = nil
        cut()
        leavePool()
    }

    /// Closes the connection immediately, without a TLS closing handshake, so nothing more is read from the server.
    private func cut() {
        isOpen = false
        guard tls != nil, let channel,
            let security = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLHandler.self)
        else {
            channel?.close(promise: nil)
            return
        }
        security.close(promise: nil)
    }

    /// Removes the connection from the pool, once.
    private func leavePool() {
        guard isPooled else { return }
        isPooled = false
        connections.closed(self)
    }

    // MARK: Sending

    /// Sends a request and completes the exchange with its response or failure.
    func run(_ exchange: TransportExchange) {
        self.exchange = exchange
        exchange.begins(on: self, isReused: wasUsed)
        guard isOpen, let context, context.channel.isActive else {
            return connectionLost(nothingSent: true)
        }
        parser = HTTP1ResponseParser(
            method: exchange.request.method, headerLimit: exchange.request.limits.headerBytes,
            bodyLimit: exchange.bodyLimit, memory: connections.headerCache)
        wasUsed = true
        send(exchange, context)
    }

    /// Sends a request in a single write if its body is in memory and small, otherwise in pieces.
    private func send(_ exchange: TransportExchange, _ context: ChannelHandlerContext) {
        switch exchange.request.body {
        case .empty: sendAtOnce([], exchange, context)
        case .bytes(let bytes)
        where bytes.count <= HTTP1RequestEncoder.inlineBodyBytes && exchange.request.bytesPerSecond == nil
            && exchange.consentTime == nil:
            sendAtOnce(bytes, exchange, context)
        case .bytes, .file, .stream: sendInPieces(exchange, context)
        }
    }

    /// Sends the head and body in one buffer.
    private func sendAtOnce(_ body: [UInt8], _ exchange: TransportExchange, _ context: ChannelHandlerContext) {
        // Reuse the buffer of the last request, unless it is still waiting to be sent.
        var buffer = pool.spare.take() ?? context.channel.allocator.buffer(capacity: 512)
        HTTP1RequestEncoder.writeHead(
            of: exchange.request, form: form, framing: exchange.framing, bodyLength: body.count + 20,
            authority: connections.authority(of: exchange.request.url), into: &buffer)
        if exchange.framing == .chunked {
            if !body.isEmpty {
                buffer.writeString(HTTP1RequestEncoder.chunkStart(body.count))
                buffer.writeBytes(body)
                buffer.writeStaticString("\r\n")
            }
            buffer.writeStaticString("0\r\n\r\n")
        } else {
            buffer.writeBytes(body)
        }
        exchange.metrics.bytesSent = buffer.readableBytes
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
        if body.count < 1 << 10 { pool.spare = buffer }
        // A write that fails immediately closes the connection, and the exchange has moved to another one.
        guard self.exchange === exchange else { return }
        if !body.isEmpty, let uploadProgress = exchange.request.uploadProgress {
            uploadProgress(TransferProgress(completed: body.count, total: body.count))
        }
        exchange.requestSent()
    }

    /// Sends the head, and the body in pieces paced by the network.
    private func sendInPieces(_ exchange: TransportExchange, _ context: ChannelHandlerContext) {
        let consentTime = exchange.consentTime
        var form = form
        form.expectsContinue = consentTime != nil
        var head = context.channel.allocator.buffer(capacity: 512)
        HTTP1RequestEncoder.writeHead(
            of: exchange.request, form: form, framing: exchange.framing, bodyLength: 0,
            authority: connections.authority(of: exchange.request.url), into: &head)
        exchange.metrics.bytesSent = head.readableBytes
        context.write(wrapOutboundOut(head), promise: nil)
        let body = RequestBodyWriter(
            exchange, sink: self, isChunked: exchange.framing == .chunked, eventLoop: context.eventLoop)
        exchange.bodyWriter = body
        if let consentTime {
            context.flush()
            guard self.exchange === exchange else { return }
            body.start(afterConsentWithin: consentTime)
        } else {
            if case .stream = exchange.request.body { context.flush() }
            guard self.exchange === exchange else { return }
            body.start()
        }
        pool.ensureTick(by: exchange.nextDeadline().time)
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
            // No request is in flight: these bytes must not become the next request's response.
            if isOpen { connections.wasClosed(self) }
            close()
            return
        }
        exchange.metrics.bytesReceived += arrived.readableBytes
        let now = MonotonicClock.now()
        exchange.lastActivity = now
        if exchange.firstByteAt == 0 { exchange.firstByteAt = now }
        exchange.step = .receiving
        var buffer: ByteBuffer
        if var previous = unread {
            unread = nil
            previous.writeImmutableBuffer(arrived)
            buffer = previous
        } else {
            buffer = arrived
        }
        let taken: Taken
        do {
            taken = try buffer.withUnsafeReadableBytes { bytes in
                try bytes.withMemoryRebound(to: UInt8.self) { try take($0, exchange) }
            }
        } catch {
            return broken(exchange, error)
        }
        buffer.moveReaderIndex(forwardBy: taken.count)
        if taken.isComplete {
            if let upgrade = exchange.upgrade, exchange.head?.status == 101 {
                return switchProtocols(exchange, upgrade, context, rest: buffer)
            }
            return complete(exchange, at: now, bytesAfter: buffer.readableBytes)
        }
        if buffer.readableBytes > 0 {
            unread = buffer
            exchange.step = .receiving
        }
        if !taken.goesOn { setReading(false) }
        pool.ensureTick(by: exchange.nextDeadline().time)
    }

    /// The result of processing received bytes.
    private struct Taken {
        var count = 0
        var isComplete = false
        var goesOn = true
    }

    /// Parses received bytes and passes the parts of the response to the exchange.
    private func take(
        _ bytes: UnsafeBufferPointer<UInt8>, _ exchange: TransportExchange
    ) throws(HTTP1ParseFailure) -> Taken {
        var taken = Taken()
        while let part = try parser?.next(bytes, &taken.count) {
            switch part {
            case .informational:
                if let head = parser?.informational { try exchange.receivedInformational(head) }
            case .head:
                guard let head = parser?.head else { continue }
                if head.status == 101, exchange.upgrade == nil, !exchange.request.headers.contains("Upgrade") {
                    throw HTTP1ParseFailure("the server switched protocols without a request to upgrade")
                }
                exchange.receivedHead(head, expectedLength: parser?.expectedLength)
            case .body(let range):
                if !exchange.receivedBody(UnsafeBufferPointer(rebasing: bytes[range])) { taken.goesOn = false }
            case .complete:
                taken.isComplete = true
                return taken
            }
        }
        return taken
    }

    /// Resumes reading, or leaves the data in the socket buffer, which slows down the server.
    private func setReading(_ reads: Bool) {
        guard isPaused == reads else { return }
        isPaused = !reads
        try? channel?.syncOptions?.setOption(.autoRead, value: reads)
    }

    func resumeReading(for exchange: TransportExchange) {
        guard self.exchange === exchange else { return }
        setReading(true)
    }

    /// Fails an exchange whose response is invalid or too large.
    private func broken(_ exchange: TransportExchange, _ error: any Error) {
        if exchange.head == nil {
            exchange.head = parser?.head
            exchange.expectedLength = parser?.expectedLength
        }
        exchange.step = .receiving
        guard let failure = error as? HTTP1ParseFailure else {
            return pool.fail(exchange, exchange.error(.invalidResponse, "the response is not valid: \(error)"))
        }
        pool.fail(exchange, exchange.error(failure.reason, failure.message))
    }

    /// Completes an exchange, and reuses or closes the connection.
    private func complete(_ exchange: TransportExchange, at end: UInt64, bytesAfter: Int) {
        guard let head = exchange.head else { return }
        let framingAllowsReuse = parser?.framingAllowsReuse ?? false
        let trailers = parser?.trailers ?? HTTPHeaders()
        parser = nil
        self.exchange = nil
        exchange.metrics.bytesAfterResponse = bytesAfter
        let canStay = framingAllowsReuse && exchange.isRequestSent && bytesAfter == 0 && isOpen
        let stays = canStay && persists(head, exchange.request.headers)
        pool.complete(exchange, trailers: trailers, at: end)
        if stays {
            setReading(true)
            idleSince = end
            quietSince = end
            if let field = head.headers["Keep-Alive"] { announcedLife = IdleTimeouts.announced(field) }
            connections.release(self)
        } else {
            close()
        }
    }

    /// Hands the channel over to another protocol (RFC 9110, section 7.8), together with the bytes already received.
    private func switchProtocols(
        _ exchange: TransportExchange, _ upgrade: TransportExchange.Upgrade, _ context: ChannelHandlerContext,
        rest: ByteBuffer
    ) {
        guard let head = exchange.head else { return }
        self.exchange = nil
        parser = nil
        do {
            try upgrade(context.channel, head)
        } catch {
            let failure = exchange.error(
                .upgradeRefused, "cannot start the new protocol: \(error)", underlying: error)
            pool.fail(exchange, failure)
            cut()
            return leavePool()
        }
        leavePool()
        pool.adopt(context.channel)
        exchange.finishMetrics(at: MonotonicClock.now())
        pool.succeed(exchange, exchange.response(head))
        if rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    /// Returns whether both peers keep the connection open (RFC 9112, section 9.3).
    private func persists(_ head: ResponseHead, _ request: HTTPHeaders) -> Bool {
        let byDefault = head.version >= .http11 && !form.isVersion10
        if request.contains("Connection") {
            let options = request.tokens("Connection")
            if options.contains("close") || options.contains("upgrade") { return false }
        }
        guard let value = head.headers["Connection"] else { return byDefault }
        // This is the usual value; only another field of the same name could add options.
        if byDefault, ASCII.equalIgnoringCase(value, "keep-alive"), !head.headers.hasSeveral("Connection") {
            return true
        }
        let options = head.headers.tokens("Connection")
        if options.contains("close") { return false }
        return byDefault || options.contains("keep-alive")
    }

    // MARK: Closing

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if failure == nil { failure = error }
        if isOpen, exchange == nil { connections.wasClosed(self) }
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isOpen, exchange == nil { connections.wasClosed(self) }
        isOpen = false
        if exchange != nil { connectionLost(nothingSent: false) }
        leavePool()
        context.fireChannelInactive()
    }

    /// Handles the loss of the connection: completes, retries or fails its exchange.
    private func connectionLost(nothingSent: Bool) {
        guard let exchange else { return }
        let target = exchange.target
        let wasCut = if case .uncleanShutdown? = failure as? NIOSSLError { true } else { false }
        let missing = parser?.end() ?? "before it sent a response"
        if parser?.isComplete ?? false {
            if !wasCut { return complete(exchange, at: MonotonicClock.now(), bytesAfter: 0) }
            let message: MessageText =
                "\(target) ended the TLS connection without a close_notify alert: the body may be incomplete"
            return pool.fail(exchange, exchange.error(.connectionClosed, message))
        }
        let isStale = exchange.isReused && exchange.metrics.bytesReceived == 0
        let method = exchange.request.method
        if isStale { connections.wasClosed(self, at: exchange.readyAt) }
        if isStale, pool.repeats(exchange, nothingSent: nothingSent) {
            self.exchange = nil
            parser = nil
            return pool.retryStale(exchange)
        }
        // RFC 9110, section 9.2.2: only idempotent requests are retried automatically.
        let note: MessageText =
            if isStale, !method.isIdempotent {
                "; the connection was reused, and a \(method) is not retried because the server may have processed it:"
                    + " allow a retry if a duplicate request does no harm"
            } else if isStale, !exchange.canBeSentAgain {
                "; the connection was reused, and the body can be read only once"
            } else {
                ""
            }
        if let words = failure.flatMap({ TLSAlert.words($0) }) {
            return pool.fail(exchange, exchange.error(.tlsFailed, "\(target) \(words)", phase: .tls))
        }
        let number = (failure as? IOError)?.errnoCode
        if let number, number == ECONNRESET || number == EPIPE {
            let message: MessageText = "\(target) reset the connection \(missing)\(note)"
            return pool.fail(exchange, exchange.error(.connectionReset, message))
        }
        let detail: MessageText = if let failure, !wasCut { " (\(failure))" } else { "" }
        let message: MessageText = "\(target) closed the connection \(missing)\(detail)\(note)"
        pool.fail(exchange, exchange.error(.connectionClosed, message))
    }
}

extension HTTP1Connection: RequestBodySink {
    var allocator: ByteBufferAllocator { channel?.allocator ?? ByteBufferAllocator() }

    func writeBody(_ piece: ByteBuffer, of exchange: TransportExchange, promise: EventLoopPromise<Void>) {
        guard self.exchange === exchange, let context else { return promise.fail(ChannelError.ioOnClosedChannel) }
        context.writeAndFlush(wrapOutboundOut(piece), promise: promise)
    }

    func endBody(_ last: ByteBuffer?, of exchange: TransportExchange) {
        guard self.exchange === exchange, let context else { return }
        if let last { context.write(wrapOutboundOut(last), promise: nil) }
        context.flush()
    }
}
