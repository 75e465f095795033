import Basics
import NIOCore
import NIOHPACK
import NIOHTTP2

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An HTTP/2 connection to a server (RFC 9113), which carries many concurrent exchanges.
///
/// It follows SwiftNIO's frame handler in the pipeline and works with frames, without a channel per stream: a stream
/// costs one small object. Used on its event loop only.
final class HTTP2Connection: ChannelInboundHandler, ServerConnection {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The receive windows of a stream and of the connection, in bytes.
    enum Window {
        static let stream = 1 << 20
        static let connection = 16 << 20
        static let standard = 65_535
    }

    let connections: OriginConnections
    let remoteAddress: String?
    let tls: TLSDetails?
    private(set) var context: ChannelHandlerContext?
    private(set) var channel: (any Channel)?
    private(set) lazy var socket = channel?.findSocket()
    private(set) var idleSince: UInt64 = 0

    private(set) var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    private var lastID = -1
    /// The server's limit on concurrent streams; initially the minimum that RFC 9113, section 6.5.2 recommends.
    private(set) var maximumStreams = 100
    /// The number of received body bytes that have not been returned to the connection's window.
    var unacknowledged = 0
    /// The budget of unnecessary frames that the server may send.
    var allowance = HTTP2Allowance()
    /// The server's window for request bodies (RFC 9113, section 6.9): the connection's, and the initial one of a
    /// stream.
    var sendWindow = Window.standard
    var initialSendWindow = Window.standard
    /// The maximum size of the header table; a server may allow 4 GB, and each field is looked up in it.
    private static let maximumTableSize = 1 << 16
    private var isIndexed = true
    private(set) var isOpen = true
    private var isPooled = true
    /// Whether the server accepts no new streams; open ones continue.
    private(set) var isDraining = false
    private(set) var hasSettings = false
    private var wasUsed = false
    private var isReading = false
    private var isFlushScheduled = false
    private var refused: [TransportExchange] = []
    private(set) var failure: (any Error)?
    /// The probe that checks, after an abnormally ended stream, whether the server still responds on the connection.
    var probe = HTTP2Probe()
    /// The handler that holds back the first bytes until there is a request.
    var gate: FlushGate?

    init(connections: OriginConnections, remoteAddress: String?, tls: TLSDetails?) {
        self.connections = connections
        self.remoteAddress = remoteAddress
        self.tls = tls
    }

    private var pool: ConnectionPool { connections.pool }

    /// Whether another exchange can start now.
    var hasRoom: Bool { isOpen && !isDraining && !probe.isUnderWay && streams.count < maximumStreams }

    /// Whether exchanges can start, now or after others have ended.
    var isUsable: Bool { isOpen && !isDraining }

    /// Whether the server has closed the connection, which the event loop may not have noticed yet.
    var isHungUp: Bool {
        guard isOpen, let context, context.channel.isActive else { return true }
        guard let socket else { return false }
        #if os(Linux)
        // POLLRDHUP, which is not imported on every system: the server will send nothing more.
        let end: Int16 = 0x2000
        #else
        let end: Int16 = 0
        #endif
        var descriptor = pollfd(fd: socket, events: end, revents: 0)
        return poll(&descriptor, 1, 0) > 0 && descriptor.revents & (end | Int16(POLLHUP) | Int16(POLLERR)) != 0
    }

    /// Whether there are no open streams.
    var isIdle: Bool { streams.isEmpty }

    /// Returns the open stream of an exchange; nil if there is none.
    func stream(of exchange: TransportExchange) -> HTTP2Stream? {
        guard let stream = streams[HTTP2StreamID(exchange.streamNumber)], stream.exchange === exchange else {
            return nil
        }
        return stream
    }

    func close() {
        isOpen = false
        guard let context, context.channel.isActive else {
            channel?.close(promise: nil)
            return
        }
        let goodbye = HTTP2Frame.FramePayload.goAway(lastStreamID: .rootStream, errorCode: .noError, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: goodbye)), promise: nil)
        context.close(promise: nil)
    }

    func abandon(_ exchange: TransportExchange) {
        guard let stream = stream(of: exchange) else { return }
        remove(stream)
        reset(stream.id, .cancel)
        startProbe()
        connections.hasRoom(self)
        closeIfDrained()
    }

    /// Sends RST_STREAM for a stream.
    private func reset(_ id: HTTP2StreamID, _ code: HTTP2ErrorCode) {
        guard let context, isOpen else { return }
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: .rstStream(code))), promise: nil)
        scheduleFlush()
    }

    /// Removes a stream and returns the data that it has not sent to the connection's window.
    private func remove(_ stream: HTTP2Stream) {
        streams[stream.id] = nil
        stream.exchange.connection = nil
        if stream.sendWindow < 0 { sendWindow -= stream.sendWindow }
        if streams.isEmpty { idleSince = MonotonicClock.now() }
    }

    // MARK: Sending

    func run(_ exchange: TransportExchange) {
        exchange.begins(on: self, isReused: wasUsed)
        wasUsed = true
        lastID += 2
        if lastID >= Int(Int32.max) - 2 { isDraining = true }
        let stream = HTTP2Stream(id: HTTP2StreamID(lastID), exchange: exchange, sendWindow: initialSendWindow)
        exchange.streamNumber = lastID
        streams[stream.id] = stream
        guard isOpen, let context, context.channel.isActive else { return lost(stream, nothingSent: true) }
        send(stream, context)
    }

    private func send(_ stream: HTTP2Stream, _ context: ChannelHandlerContext) {
        let exchange = stream.exchange
        let request = exchange.request
        let consentTime = exchange.consentTime
        let length = exchange.bodyLength ?? (request.method.anticipatesBody && request.body == .empty ? 0 : nil)
        let hasBody = request.body != .empty && length != 0
        var fields = HTTP2RequestHead.fields(of: request, bodyLength: length, isIndexed: isIndexed)
        if consentTime != nil, !fields.contains(name: "expect") { fields.add(name: "expect", value: "100-continue") }
        var size = 9
        for field in fields { size += field.name.utf8.count + field.value.utf8.count + 4 }
        exchange.metrics.bytesSent = size
        let head = HTTP2Frame.FramePayload.headers(.init(headers: fields, endStream: !hasBody))
        allowance.earn()
        context.write(
            wrapOutboundOut(HTTP2Frame(streamID: stream.id, payload: head)), promise: sendingPromise(stream, context))
        if let gate = gate.take() { gate.open() }
        defer { scheduleFlush() }
        guard hasBody else { return exchange.requestSent() }
        if case .bytes(let bytes) = request.body, bytes.count <= HTTP1RequestEncoder.inlineBodyBytes,
            request.bytesPerSecond == nil, consentTime == nil, bytes.count <= min(sendWindow, stream.sendWindow)
        {
            var buffer = context.channel.allocator.buffer(capacity: bytes.count)
            buffer.writeBytes(bytes)
            exchange.metrics.bytesSent += bytes.count
            write(buffer, of: stream, isLast: true, promise: nil)
            if let uploadProgress = request.uploadProgress {
                uploadProgress(TransferProgress(completed: bytes.count, total: bytes.count))
            }
            return exchange.requestSent()
        }
        let body = RequestBodyWriter(exchange, sink: self, isChunked: false, eventLoop: context.eventLoop)
        exchange.bodyWriter = body
        if let consentTime { body.start(afterConsentWithin: consentTime) } else { body.start() }
        pool.ensureTick(by: exchange.nextDeadline().time)
    }

    /// Returns a promise that reports a header that could not be sent, which happens only if the server's limits are
    /// unknown.
    private func sendingPromise(
        _ stream: HTTP2Stream, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void>? {
        if hasSettings, !isDraining, streams.count <= maximumStreams { return nil }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenFailure { self.notSent(stream, $0) }
        return promise
    }

    /// Writes a part of a request's body.
    func write(_ buffer: ByteBuffer, of stream: HTTP2Stream, isLast: Bool, promise: EventLoopPromise<Void>?) {
        stream.sendWindow -= buffer.readableBytes
        sendWindow -= buffer.readableBytes
        let data = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(buffer), endStream: isLast))
        allowance.earn()
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: stream.id, payload: data)), promise: promise)
    }

    /// Schedules a flush: requests of one event loop turn leave in one write, and data written while reading leaves
    /// after it.
    func scheduleFlush() {
        guard !isReading, !isFlushScheduled, let context else { return }
        // With a single stream, there is nothing to wait for.
        guard streams.count > 1 else { return context.flush() }
        isFlushScheduled = true
        context.eventLoop.assumeIsolated().execute {
            self.isFlushScheduled = false
            self.context?.flush()
        }
    }

    private func notSent(_ stream: HTTP2Stream, _ error: any Error) {
        guard streams[stream.id] === stream else { return }
        if error is NIOHTTP2Errors.MaxStreamsViolation || error is NIOHTTP2Errors.CreatedStreamAfterGoaway {
            refuse(stream)
            return
        }
        guard isOpen, context?.channel.isActive ?? false else { return lost(stream, nothingSent: true) }
        remove(stream)
        pool.fail(
            stream.exchange,
            stream.exchange.error(.invalidHeader, "the request cannot be sent over HTTP/2: \(error)", phase: .request))
    }

    // MARK: Receiving

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        channel = context.channel
        guard isOpen else { return context.close(promise: nil) }
        let increment = HTTP2Frame.FramePayload.windowUpdate(
            windowSizeIncrement: Window.connection - Window.standard)
        context.write(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: increment)), promise: nil)
        scheduleFlush()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let frame = unwrapInboundIn(data)
        if probe.isUnderWay, streams[frame.streamID] == nil { probe.unexpectedFrames += 1 }
        switch frame.payload {
        case .headers(let headers):
            guard let stream = arrived(frame.streamID) else { return }
            do {
                try stream.receive(headers.headers)
            } catch {
                return broken(stream, error)
            }
            if headers.endStream { complete(stream) }
        case .data(let data):
            received(data, on: frame.streamID)
        case .settings(.settings(let settings)):
            hasSettings = true
            for setting in settings {
                if setting.parameter == .maxConcurrentStreams {
                    maximumStreams = min(setting.value, Self.maximumOpenStreams)
                }
                if setting.parameter == .initialWindowSize { beginSendWindows(with: setting.value) }
                if setting.parameter == .headerTableSize { isIndexed = setting.value <= Self.maximumTableSize }
            }
            connections.hasRoom(self)
        case .windowUpdate(let increment): growSendWindow(of: frame.streamID, by: increment)
        case .rstStream(let code):
            if let stream = streams[frame.streamID] { wasReset(stream, code) }
        case .ping(let data, ack: true):
            if probe.ends(with: data) { connections.hasRoom(self) }
        case .goAway(let last, _, _):
            drain()
            for stream in streams.values.filter({ $0.id > last }).sorted(by: { $0.id < $1.id }) { refuse(stream) }
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.flush()
        let again = refused
        refused = []
        for exchange in again { retry(exchange) }
        closeIfDrained()
        context.fireChannelReadComplete()
    }

    /// Returns the stream of a frame and updates its timestamps; nil if it is closed.
    private func arrived(_ id: HTTP2StreamID) -> HTTP2Stream? {
        guard let stream = streams[id] else { return nil }
        let exchange = stream.exchange
        let now = MonotonicClock.now()
        exchange.lastActivity = now
        if exchange.firstByteAt == 0 { exchange.firstByteAt = now }
        if exchange.step != .receiving {
            exchange.step = .receiving
            pool.ensureTick(by: MonotonicClock.deadline(exchange.limits.idle, after: now))
        }
        return stream
    }

    private func received(_ data: HTTP2Frame.FramePayload.Data, on id: HTTP2StreamID) {
        guard case .byteBuffer(let buffer) = data.data else { return }
        let count = buffer.readableBytes
        let flowControlled = count + (data.paddingBytes.map { $0 + 1 } ?? 0)
        guard let stream = arrived(id) else { return }
        stream.exchange.metrics.bytesReceived += 9 + flowControlled
        do {
            try buffer.withUnsafeReadableBytes { bytes throws(HTTP1ParseFailure) in try stream.receive(bytes) }
        } catch {
            return broken(stream, error)
        }
        if data.endStream {
            complete(stream)
        } else {
            acknowledge(flowControlled, on: stream)
        }
    }

    /// Returns the received bytes to a stream's window.
    private func acknowledge(_ count: Int, on stream: HTTP2Stream) {
        stream.unacknowledged += count
        guard !stream.isPaused, stream.unacknowledged >= Window.stream / 2 else { return }
        grow(stream.id, by: stream.unacknowledged)
        stream.unacknowledged = 0
    }

    /// Sends WINDOW_UPDATE for a stream or for the connection.
    func grow(_ id: HTTP2StreamID, by count: Int) {
        let update = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: count)
        context?.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: update)), promise: nil)
        scheduleFlush()
    }

    /// Fails an exchange with an unusable response and resets its stream.
    func broken(_ stream: HTTP2Stream, _ failure: HTTP1ParseFailure, _ code: HTTP2ErrorCode = .cancel) {
        stream.exchange.step = .receiving
        let error = stream.exchange.error(failure.reason, failure.message)
        remove(stream)
        reset(stream.id, code)
        startProbe()
        pool.fail(stream.exchange, error)
        connections.hasRoom(self)
        closeIfDrained()
    }

    func resumeReading(for exchange: TransportExchange) {
        guard let stream = stream(of: exchange) else { return }
        stream.isPaused = false
        acknowledge(0, on: stream)
    }

    /// Completes the exchange of a stream whose response has ended.
    private func complete(_ stream: HTTP2Stream) {
        let exchange = stream.exchange
        do throws(HTTP1ParseFailure) {
            try stream.checkEnd()
        } catch {
            return broken(stream, error)
        }
        let wasSent = exchange.isRequestSent
        streams[stream.id] = nil
        if stream.sendWindow < 0 { sendWindow -= stream.sendWindow }
        let end = MonotonicClock.now()
        if streams.isEmpty { idleSince = end }
        pool.complete(exchange, trailers: stream.trailers, at: end)
        // RFC 9113, section 8.1: after the response, the rest of the request is of no use to the server.
        if !wasSent { reset(stream.id, .noError) }
        connections.hasRoom(self)
        closeIfDrained()
    }

    // MARK: Refused streams and closing

    /// Stops accepting exchanges, and closes the connection when the open ones have ended.
    func drain() {
        guard !isDraining else { return }
        isDraining = true
        probe.end()
        connections.leaves(self)
        if streams.isEmpty { close() }
    }

    /// Closes a draining connection after all of its exchanges have ended.
    private func closeIfDrained() {
        if isDraining, streams.isEmpty, isOpen { close() }
    }

    /// Handles a stream that the server has reset.
    private func wasReset(_ stream: HTTP2Stream, _ code: HTTP2ErrorCode) {
        switch code {
        case .refusedStream: refuse(stream)
        case .http11Required:
            connections.requireHTTP1()
            refuse(stream)
        default:
            let exchange = stream.exchange
            let error = exchange.error(
                .connectionReset, "\(exchange.target) reset the HTTP/2 stream with the code \(code.name)")
            remove(stream)
            pool.fail(exchange, error)
            connections.hasRoom(self)
            closeIfDrained()
        }
    }

    /// Handles a refused stream: the request was not processed (RFC 9113, section 8.7), so any method is retried.
    private func refuse(_ stream: HTTP2Stream) {
        guard stream.exchange.head == nil else { return breakOff(stream) }
        remove(stream)
        refused.append(stream.exchange)
        // Wait a turn: the frame with the reason may be the next.
        guard !isReading, let context else { return }
        context.eventLoop.assumeIsolated().execute {
            let again = self.refused
            self.refused = []
            for exchange in again { self.retry(exchange) }
            self.closeIfDrained()
        }
    }

    /// Handles the refusal of a stream with a partial response: the server has processed the request despite its claim.
    private func breakOff(_ stream: HTTP2Stream) {
        let exchange = stream.exchange
        let error = exchange.error(
            .connectionReset, "\(exchange.target) refused the HTTP/2 stream after its response started")
        remove(stream)
        pool.fail(exchange, error)
        connections.hasRoom(self)
        closeIfDrained()
    }

    /// Resends a refused exchange, or fails it after too many refusals.
    private func retry(_ exchange: TransportExchange) {
        guard !exchange.isFinished else { return }
        guard exchange.metrics.staleRetries < 3, exchange.canBeSentAgain else {
            return pool.fail(
                exchange,
                exchange.error(.connectionReset, "\(exchange.target) repeatedly refused the HTTP/2 stream"))
        }
        pool.retryStale(exchange)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOHTTP2Errors.StreamError {
            if let stream = streams[error.streamID] {
                broken(
                    stream,
                    HTTP1ParseFailure("the response is not valid HTTP/2: \(HTTP2ErrorText.words(error.baseError))"))
            }
            return
        }
        if failure == nil { failure = error }
        isOpen = false
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isOpen, !isDraining, streams.isEmpty { connections.wasClosed(self) }
        isOpen = false
        let open = streams.values.sorted { $0.id < $1.id }
        for stream in open { lost(stream, nothingSent: false) }
        let again = refused
        refused = []
        for exchange in again { retry(exchange) }
        if isPooled {
            isPooled = false
            connections.closed(self)
        }
        context.fireChannelInactive()
    }

    /// Handles a stream on a lost connection: retries or fails its exchange.
    private func lost(_ stream: HTTP2Stream, nothingSent: Bool) {
        let exchange = stream.exchange
        let target = exchange.target
        let isStale = exchange.isReused && exchange.metrics.bytesReceived == 0 && failure == nil
        if isStale, streams.count == 1 { connections.wasClosed(self, at: exchange.readyAt) }
        if isStale, pool.repeats(exchange, nothingSent: nothingSent) {
            remove(stream)
            return pool.retryStale(exchange)
        }
        let (reason, message) = describe(target)
        let error = exchange.error(reason, message, phase: reason == .tlsFailed ? .tls : nil)
        remove(stream)
        pool.fail(exchange, error)
    }
}
