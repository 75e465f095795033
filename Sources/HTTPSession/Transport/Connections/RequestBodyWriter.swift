import Basics
import NIOCore
import NIOPosix

/// A writer of a request body in pieces, paced by the network and by an optional bandwidth limit.
///
/// The next piece is written when the previous one has been handed to the network. If requested, the writer first waits
/// for `100 Continue`. Used on its event loop only.
final class RequestBodyWriter {
    private static let pieceBytes = 256 << 10

    private let exchange: TransportExchange
    private let sink: any RequestBodySink
    private let eventLoop: any EventLoop
    private let isChunked: Bool
    /// The number of bytes announced in the header, if any.
    private let announced: Int?

    /// The current piece; the bytes before `offset` have been written.
    private var piece: [UInt8] = []
    private var offset = 0
    private var fileOffset = 0
    /// The number of bytes received from the source.
    private var taken = 0
    private var hasOpened = false
    private var isAtEnd = false
    private var progress: TransferProgress
    private var timer: Scheduled<Void>?
    private let bytesPerSecond: Int?
    /// The earliest time of the next write.
    private var allowedAt: UInt64 = 0
    private var isAwaitingConsent = false
    private var isStopped = false

    /// Creates a writer of an exchange's body.
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - sink: The destination of the body.
    ///   - isChunked: Whether pieces are written as chunks (RFC 9112, section 7.1).
    ///   - eventLoop: The event loop of both.
    init(_ exchange: TransportExchange, sink: any RequestBodySink, isChunked: Bool, eventLoop: any EventLoop) {
        self.exchange = exchange
        self.sink = sink
        self.eventLoop = eventLoop
        self.isChunked = isChunked
        announced = exchange.announcedLength
        bytesPerSecond = exchange.request.bytesPerSecond.map { max(1, $0) }
        if case .bytes(let bytes) = exchange.request.body {
            piece = bytes
            taken = bytes.count
        }
        progress = TransferProgress(completed: 0, total: exchange.bodyLength)
    }

    // MARK: Starting and stopping

    /// Starts with the first piece.
    func start() {
        advance()
    }

    /// Starts when the server sends `100 Continue`, or after the given time in nanoseconds.
    func start(afterConsentWithin nanoseconds: UInt64) {
        isAwaitingConsent = true
        exchange.waits.insert(.consent)
        schedule(at: MonotonicClock.deadline(nanoseconds, after: MonotonicClock.now())) { $0.consented() }
    }

    /// Starts sending after `100 Continue`, or after the wait for it has timed out.
    func consented() {
        guard isAwaitingConsent, !isStopped else { return }
        isAwaitingConsent = false
        timer?.cancel()
        timer = nil
        noLongerWaits(for: .consent)
        advance()
    }

    /// Stops writing.
    func stop() {
        isStopped = true
        timer?.cancel()
        timer = nil
        exchange.waits.subtract([.consent, .source])
    }

    private func schedule(at time: UInt64, _ body: @escaping @Sendable (RequestBodyWriter) -> Void) {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        timer = eventLoop.scheduleTask(deadline: .uptimeNanoseconds(time)) { body(bound.value) }
    }

    /// Ends a wait and restarts the idle timeout.
    private func noLongerWaits(for wait: TransportExchange.Waits) {
        exchange.waits.remove(wait)
        exchange.lastActivity = MonotonicClock.now()
        exchange.pool.ensureTick(by: exchange.nextDeadline().time)
    }

    // MARK: Pieces

    /// Writes the next piece when the bandwidth limit allows it, or ends the body.
    private func advance() {
        guard !isStopped else { return }
        if bytesPerSecond != nil, MonotonicClock.now() < allowedAt {
            exchange.waits.insert(.source)
            return schedule(at: allowedAt) { writer in
                writer.timer = nil
                writer.noLongerWaits(for: .source)
                writer.advance()
            }
        }
        if bytesPerSecond != nil, exchange.waits.contains(.source) { noLongerWaits(for: .source) }
        if offset < piece.count { return writeSlice() }
        switch exchange.request.body {
        case .empty, .bytes: finish()
        case .file: readFile()
        case .stream:
            if isAtEnd { finish() } else { demand() }
        }
    }

    /// The size of a piece; a tenth of a second's worth if the bandwidth is limited.
    private var sliceBytes: Int {
        bytesPerSecond.map { max(1, min($0 / 10, Self.pieceBytes)) } ?? Self.pieceBytes
    }

    /// Writes the next slice of the current piece.
    private func writeSlice() {
        let end = min(piece.count, offset + sliceBytes)
        let count = end - offset
        var buffer = sink.allocator.buffer(capacity: isChunked ? count + 20 : count)
        if isChunked { buffer.writeString(HTTP1RequestEncoder.chunkStart(count)) }
        buffer.writeBytes(piece[offset..<end])
        if isChunked { buffer.writeStaticString("\r\n") }
        offset = end
        if end == piece.count {
            piece = []
            offset = 0
        }
        write(buffer, count: count)
    }

    /// Writes a piece with its framing; the next follows when this one has been handed to the network.
    private func write(_ buffer: ByteBuffer, count: Int) {
        exchange.metrics.bytesSent += buffer.readableBytes
        if let bytesPerSecond {
            let cost = UInt64(Double(count) / Double(bytesPerSecond) * 1_000_000_000)
            allowedAt = MonotonicClock.deadline(cost, after: max(allowedAt, MonotonicClock.now()))
        }
        let promise = eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { self.flushed(count) }
        sink.writeBody(buffer, of: exchange, promise: promise)
    }

    /// Reports progress after a piece was handed to the network, and continues.
    private func flushed(_ count: Int) {
        guard !isStopped else { return }
        exchange.lastActivity = MonotonicClock.now()
        progress.completed += count
        exchange.request.uploadProgress?(progress)
        // Mark the wait before its length is known: a tick of the pool may come first.
        if bytesPerSecond != nil { exchange.waits.insert(.source) }
        // Defer to the next turn: if writes succeed immediately, recursion would deepen the stack with each piece.
        eventLoop.assumeIsolated().execute { self.advance() }
    }

    /// Ends the body, or fails if its length does not match the announced one.
    private func finish() {
        guard announced.map({ $0 == taken }) ?? true else {
            return fail("the body has \(taken) bytes, but \(announced ?? 0) were declared")
        }
        isStopped = true
        let last = isChunked ? ByteBuffer(staticString: "0\r\n\r\n") : nil
        exchange.metrics.bytesSent += last?.readableBytes ?? 0
        sink.endBody(last, of: exchange)
        exchange.requestSent()
    }

    private func fail(_ message: MessageText, _ underlying: (any Error)? = nil) {
        exchange.pool.fail(
            exchange, exchange.error(.unreadableBody, message, phase: .send, underlying: underlying))
    }

    // MARK: Streams

    /// Requests the next piece from the source.
    private func demand() {
        guard let feed = exchange.feed else { return }
        exchange.waits.insert(.source)
        feed.demand(for: self, opens: !hasOpened)
        hasOpened = true
    }

    /// Accepts the next piece of a streamed body; nil at its end.
    func received(_ result: Result<[UInt8]?, any Error>) {
        guard !isStopped else { return }
        noLongerWaits(for: .source)
        switch result {
        case .success(let next?):
            guard announced.map({ next.count <= $0 - taken }) ?? true else {
                return fail("the body is longer than the declared \(announced ?? 0) bytes")
            }
            taken += next.count
            piece = next
            offset = 0
            // The last announced piece waits for the end of the source: if more bytes follow, a server must not treat
            // the body as complete.
            if taken == announced { demand() } else { advance() }
        case .success(nil):
            isAtEnd = true
            advance()
        case .failure(let error): fail("the body cannot be read: \(error)", error)
        }
    }

    // MARK: Files

    /// Reads and writes the next piece of a file.
    private func readFile() {
        guard let file = exchange.file else { return }
        let count = min(sliceBytes, file.length - fileOffset)
        guard count > 0 else { return finish() }
        file.read(offset: fileOffset, count: count).assumeIsolated().whenComplete { result in
            guard !self.isStopped else { return }
            switch result {
            case .success(let buffer) where buffer.readableBytes > 0: self.writeFile(buffer)
            case .success: self.fail("the body file \"\(file.path)\" became shorter while it was sent")
            case .failure(let error): self.fail("the body file \"\(file.path)\" cannot be read: \(error)", error)
            }
        }
    }

    private func writeFile(_ buffer: ByteBuffer) {
        let count = buffer.readableBytes
        fileOffset += count
        taken += count
        guard isChunked else { return write(buffer, count: count) }
        var chunk = sink.allocator.buffer(capacity: count + 20)
        chunk.writeString(HTTP1RequestEncoder.chunkStart(count))
        chunk.writeImmutableBuffer(buffer)
        chunk.writeStaticString("\r\n")
        write(chunk, count: count)
    }
}

/// A file sent as a request body, read off the event loop.
struct FileBody: Sendable {
    private let file: ReadableFile
    private let eventLoop: any EventLoop

    var path: String { file.path }
    var length: Int { file.length }

    /// Opens a regular file for reading.
    static func open(path: String, eventLoop: any EventLoop) -> EventLoopFuture<FileBody> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
            FileBody(file: try ReadableFile.open(path), eventLoop: eventLoop)
        }
    }

    /// Reads up to `count` bytes; none at the end of the file.
    func read(offset: Int, count: Int) -> EventLoopFuture<ByteBuffer> {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) { [file] in
            var buffer = ByteBufferAllocator().buffer(capacity: count)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(count)), at: offset)
            }
            return buffer
        }
    }
}
