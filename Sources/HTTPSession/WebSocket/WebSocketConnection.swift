import Basics
import NIOCore
import NIOSSL
import NIOWebSocket

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The channel handler of an open WebSocket's client side: frames, pings and the closing handshake.
///
/// It implements RFC 6455, sections 5 to 7, and is used only on its event loop.
final class WebSocketConnection: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The request that errors of the connection refer to.
    struct Location: Sendable {
        var method: HTTPMethod
        var url: String
    }

    private struct Ping {
        var payload: [UInt8]
        var started: UInt64
        var reply: SingleReply<Duration>
        var timer: Scheduled<Void>?
    }

    private let inbox: WebSocketInbox
    private let options: WebSocketOptions
    private let random: SessionRandom
    private let location: Location
    private let lifetime: SessionLifetime
    private var assembler: WebSocketAssembler
    private var context: ChannelHandlerContext?

    private var hasSentClose = false
    private var hasReceivedClose = false
    /// Whether incoming frames are ignored.
    private var isDeaf = false
    private var isGone = false
    private var failure: (any Error)?
    /// The protocol error that ended the reading; nil while there is none.
    private var violation: SessionError?
    private var closers: [SingleReply<Void>] = []
    private var pings: [Ping] = []
    private var pingCount: UInt64 = 0
    private var isReadHeld = false
    private var wasHeard = false
    private var isProbing = false
    private var closeTimer: Scheduled<Void>?
    private var keepAlive: Scheduled<Void>?

    init(
        inbox: WebSocketInbox, options: WebSocketOptions, random: SessionRandom, location: Location,
        lifetime: SessionLifetime
    ) {
        self.inbox = inbox
        self.options = options
        self.random = random
        self.location = location
        self.lifetime = lifetime
        assembler = WebSocketAssembler(limit: options.maximumMessageBytes)
    }

    // MARK: Sending

    /// Sends a message; the reply resumes when it has been handed to the network.
    func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8], _ reply: SingleReply<Void>) {
        guard let context, !hasSentClose, !hasReceivedClose, !isGone else {
            return reply.resume(.failure(closedError))
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenComplete { result in
            switch result {
            case .success: reply.resume(.success(()))
            case .failure(let failure):
                reply.resume(
                    .failure(self.error(.connectionClosed, "cannot send the message: \(failure)", .send)))
            }
        }
        write(opcode, ByteBuffer(bytes: bytes), context, promise)
    }

    /// The error of a send on a closed connection.
    private var closedError: SessionError {
        let detail: MessageText = violation.map { ": \($0.message)" } ?? ""
        return error(.connectionClosed, "the WebSocket is closed\(detail)", .send)
    }

    /// Sends a ping; the reply is the time until its pong.
    func ping(_ payload: [UInt8]?, timeout: Duration, _ reply: SingleReply<Duration>) {
        guard let context, !hasSentClose, !hasReceivedClose, !isGone else {
            return reply.resume(.failure(closedError))
        }
        let payload = payload ?? nextPayload()
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.amount(timeout)) {
            self.pings.removeAll { $0.reply === reply }
            let message: MessageText = "no pong within \(TransportExchange.seconds(timeout))"
            reply.resume(.failure(self.error(.timedOut(.idle, timeout), message, .receive)))
        }
        pings.append(Ping(payload: payload, started: MonotonicClock.now(), reply: reply, timer: timer))
        write(.ping, ByteBuffer(bytes: payload), context, nil)
    }

    /// Returns a payload that no other ping of the connection has.
    private func nextPayload() -> [UInt8] {
        pingCount += 1
        return withUnsafeBytes(of: pingCount.bigEndian) { Array($0) }
    }

    /// Starts or joins the closing handshake; the reply resumes when the connection is closed.
    func close(_ code: WebSocketCloseCode?, _ reason: String, _ reply: SingleReply<Void>) {
        guard let context, !isGone else { return reply.resume(.success(())) }
        closers.append(reply)
        guard !hasSentClose, !hasReceivedClose else { return }
        sendClose(code, reason, context)
        startCloseTimer(context)
        release()
    }

    /// Closes the connection without waiting for the server, after the socket's last reference is released.
    func abandon() {
        guard let context, !isGone else { return }
        isDeaf = true
        guard !hasSentClose else { return context.close(promise: nil) }
        sendClose(.goingAway, "", context)
        startCloseTimer(context)
        context.close(promise: nil)
    }

    private func sendClose(_ code: WebSocketCloseCode?, _ reason: String, _ context: ChannelHandlerContext) {
        hasSentClose = true
        var payload = ByteBuffer()
        if let code, code != .noStatus {
            payload.writeInteger(code.rawValue)
            payload.writeString(Self.shortened(reason))
        }
        write(.connectionClose, payload, context, nil)
    }

    /// Truncates a reason to the maximum length in a close frame, at a character boundary.
    private static func shortened(_ reason: String) -> String {
        guard reason.utf8.count > 123 else { return reason }
        var short = ""
        var count = 0
        for scalar in reason.unicodeScalars {
            count += UTF8.width(scalar)
            guard count <= 123 else { break }
            short.unicodeScalars.append(scalar)
        }
        return short
    }

    private func write(
        _ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let frame = WebSocketFrame(
            fin: true, opcode: opcode, maskKey: WebSocketMaskingKey(random.bytes(4)), data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    // MARK: Receiving

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        startKeepAlive(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        wasHeard = true
        guard !isDeaf, !hasReceivedClose else { return }
        do throws(WebSocketAssembler.Violation) {
            try take(frame, context)
        } catch {
            fail(error, context)
        }
    }

    private func take(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) throws(WebSocketAssembler.Violation) {
        guard frame.maskKey == nil else {
            throw .init(code: .protocolError, message: "the server sent a masked frame")
        }
        guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            let bits = [(frame.rsv1, "RSV1"), (frame.rsv2, "RSV2"), (frame.rsv3, "RSV3")].filter(\.0).map(\.1)
            throw .init(
                code: .protocolError,
                message: "the server sent a frame with \(bits.joined(separator: " and ")) set,"
                    + " but no extension was negotiated")
        }
        switch frame.opcode {
        case .continuation: try receive(nil, frame)
        case .text: try receive(.text, frame)
        case .binary: try receive(.binary, frame)
        case .ping: if !hasSentClose { write(.pong, frame.data, context, nil) }
        case .pong: answered(frame.data)
        case .connectionClose: try receiveClose(frame.data, context)
        default:
            let opcode = UInt8(webSocketOpcode: frame.opcode)
            throw .init(code: .protocolError, message: "the server sent a frame with the reserved opcode \(opcode)")
        }
    }

    private func receive(
        _ kind: WebSocketAssembler.Kind?, _ frame: WebSocketFrame
    ) throws(WebSocketAssembler.Violation) {
        var caught: WebSocketAssembler.Violation?
        let message: WebSocketMessage? = frame.data.withUnsafeReadableBytes { bytes in
            do throws(WebSocketAssembler.Violation) {
                return try assembler.take(kind, isFinal: frame.fin, bytes)
            } catch {
                caught = error
                return nil
            }
        }
        if let caught { throw caught }
        guard let message else { return }
        // A connection that is being closed is read to its end, whether there is a reader or not.
        if hasSentClose, inbox.isFull { return }
        _ = inbox.push(message)
    }

    private func answered(_ data: ByteBuffer) {
        let payload = Array(data.readableBytesView)
        // A pong may respond only to the newest of several pings (RFC 6455, section 5.5.3).
        guard let index = pings.firstIndex(where: { $0.payload == payload }) else { return }
        let now = MonotonicClock.now()
        for ping in pings[...index] {
            ping.timer?.cancel()
            ping.reply.resume(.success(MonotonicClock.duration(ping.started, now)))
        }
        pings.removeFirst(index + 1)
    }

    private func receiveClose(
        _ data: ByteBuffer, _ context: ChannelHandlerContext
    ) throws(WebSocketAssembler.Violation) {
        var caught: WebSocketAssembler.Violation?
        let closure: (code: WebSocketCloseCode, reason: String)? = data.withUnsafeReadableBytes { bytes in
            do throws(WebSocketAssembler.Violation) {
                return try WebSocketAssembler.closure(bytes)
            } catch {
                caught = error
                return nil
            }
        }
        if let caught { throw caught }
        guard let closure else { return }
        hasReceivedClose = true
        let isByServer = !hasSentClose
        if isByServer { sendClose(closure.code, "", context) }
        inbox.finish(
            .success(()),
            WebSocketClosure(code: closure.code, reason: closure.reason, isClean: true, isByServer: isByServer))
        // The server closes the connection first, so its port is the one to stay in TIME_WAIT.
        startCloseTimer(context)
        release()
    }

    // MARK: Back-pressure

    func read(context: ChannelHandlerContext) {
        if inbox.isFull, !hasSentClose, !isDeaf {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    /// Resumes reading after the reader has caught up or is no longer awaited.
    func release() {
        guard isReadHeld, let context else { return }
        isReadHeld = false
        context.read()
    }

    // MARK: Keep-alive

    private func startKeepAlive(_ context: ChannelHandlerContext) {
        guard let interval = options.pingInterval, interval > .zero else { return }
        keepAlive = context.eventLoop.assumeIsolated().scheduleTask(in: Self.amount(interval)) {
            self.checkAlive(interval)
        }
    }

    private func checkAlive(_ interval: Duration) {
        guard let context, !isGone, !hasSentClose, !isDeaf else { return }
        // While reading is paused for a slow reader, pongs are not read either.
        if wasHeard || isReadHeld {
            isProbing = false
        } else if isProbing {
            let message: MessageText = "the server was silent for \(TransportExchange.seconds(interval)) after a ping"
            finish(error(.timedOut(.idle, interval), message, .receive), code: .abnormal, reason: "")
            return context.close(promise: nil)
        } else {
            isProbing = true
            write(.ping, ByteBuffer(bytes: nextPayload()), context, nil)
        }
        wasHeard = false
        startKeepAlive(context)
    }

    // MARK: Closing

    private func startCloseTimer(_ context: ChannelHandlerContext) {
        guard closeTimer == nil else { return }
        closeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.amount(options.closeTimeout)) {
            self.context?.close(promise: nil)
        }
    }

    /// Fails the connection after a protocol violation by the server (RFC 6455, section 7.1.7).
    private func fail(_ violation: WebSocketAssembler.Violation, _ context: ChannelHandlerContext) {
        let reason: SessionError.Reason =
            violation.isTooLarge ? .limitExceeded(.messageBytes, assembler.limit) : .invalidResponse
        finish(error(reason, violation.message, .receive), code: violation.code, reason: violation.message.text)
        if !hasSentClose { sendClose(violation.code, violation.message.text, context) }
        startCloseTimer(context)
        release()
    }

    private func finish(_ error: SessionError, code: WebSocketCloseCode, reason: String) {
        isDeaf = true
        violation = error
        inbox.finish(
            .failure(error), WebSocketClosure(code: code, reason: reason, isClean: false, isByServer: false))
        // Frames that arrive later do not count as their pongs.
        failPings(error)
    }

    private func failPings(_ error: SessionError) {
        let waiting = pings
        pings = []
        for ping in waiting {
            ping.timer?.cancel()
            ping.reply.resume(.failure(error))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(assembler.tooLarge, context)
        case NIOWebSocketError.fragmentedControlFrame:
            fail(.init(code: .protocolError, message: "the server sent a fragmented control frame"), context)
        case NIOWebSocketError.multiByteControlFrameLength:
            fail(
                .init(code: .protocolError, message: "the server sent a control frame of more than 125 bytes"), context)
        default:
            if failure == nil { failure = error }
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard !isGone else { return }
        isGone = true
        closeTimer?.cancel()
        keepAlive?.cancel()
        let lost = lostError()
        let closure = WebSocketClosure(code: .abnormal, isClean: false, isByServer: !hasSentClose)
        // After this side has sent a close frame, a missing close frame from the server is not an error.
        inbox.finish(hasSentClose ? .success(()) : .failure(lost), closure)
        failPings(lost)
        for closer in closers { closer.resume(.success(())) }
        closers = []
        context.fireChannelInactive()
    }

    private func lostError() -> SessionError {
        if lifetime.isEnded { return error(.sessionClosed, "the session was closed", .receive) }
        if let number = (failure as? IOError)?.errnoCode, number == ECONNRESET {
            return error(.connectionReset, "the server reset the connection", .receive)
        }
        if let words = failure.flatMap({ TLSAlert.words($0) }) {
            return error(.tlsFailed, "the server \(words)", .receive)
        }
        var detail = failure.map { " (\($0))" } ?? ""
        if case .uncleanShutdown? = failure as? NIOSSLError { detail = "" }
        return error(.connectionClosed, "the connection was closed without a close frame\(detail)", .receive)
    }

    private func error(
        _ reason: SessionError.Reason, _ message: MessageText, _ phase: SessionError.Phase
    ) -> SessionError {
        SessionError(phase: phase, reason: reason, message: message, method: location.method, url: location.url)
    }

    private static func amount(_ duration: Duration) -> TimeAmount {
        .nanoseconds(Int64(clamping: MonotonicClock.nanoseconds(duration)))
    }
}
