import NIOCore

/// Writes a body that is too long for one buffer, so that progress is seen and a file is never in memory whole.
final class RequestBodyWriter {
    private static let pieceBytes = 256 << 10

    private let connection: HTTP1Connection
    private let exchange: TransportExchange
    private let context: ChannelHandlerContext
    private let isChunked: Bool

    init(
        connection: HTTP1Connection, exchange: TransportExchange, context: ChannelHandlerContext, isChunked: Bool
    ) {
        self.connection = connection
        self.exchange = exchange
        self.context = context
        self.isChunked = isChunked
    }

    /// Writes bytes in memory.
    func send(_ bytes: [UInt8]) {
        send(bytes, from: 0)
    }

    private func send(_ bytes: [UInt8], from start: Int) {
        let end = min(bytes.count, start + Self.pieceBytes)
        var piece = context.channel.allocator.buffer(capacity: end - start)
        piece.writeBytes(bytes[start..<end])
        write(piece) {
            self.send(bytes, from: end)
        } whenLast: {
            end == bytes.count
        }
    }

    /// Writes the exchange's file.
    func sendFile() {
        sendFile(from: 0)
    }

    private func sendFile(from offset: Int) {
        guard let file = exchange.file, connection.isCarrying(exchange) else { return }
        let count = min(Self.pieceBytes, file.length - offset)
        guard count > 0 else { return finish() }
        file.read(offset: offset, count: count).assumeIsolated().whenComplete { result in
            switch result {
            case .success(let piece) where piece.readableBytes > 0:
                let next = offset + piece.readableBytes
                self.write(piece) {
                    self.sendFile(from: next)
                } whenLast: {
                    next >= file.length
                }
            case .success:
                let message = "the body's file became shorter while it was sent: \(file.path)"
                self.connection.bodyUnreadable(self.exchange, message)
            case .failure(let error):
                self.connection.bodyUnreadable(self.exchange, "the body's file cannot be read: \(file.path): \(error)")
            }
        }
    }

    /// Writes one piece; the next is written when this has been handed to the network.
    private func write(_ piece: ByteBuffer, next: @escaping () -> Void, whenLast isLast: @escaping () -> Bool) {
        guard connection.isCarrying(exchange), context.channel.isActive else { return }
        var buffer = piece
        if isChunked {
            buffer = context.channel.allocator.buffer(capacity: piece.readableBytes + 16)
            buffer.writeString(HTTP1RequestEncoder.chunkStart(piece.readableBytes))
            buffer.writeImmutableBuffer(piece)
            buffer.writeStaticString("\r\n")
        }
        exchange.metrics.bytesSent += buffer.readableBytes
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess {
            self.exchange.lastActivity = MonotonicClock.now()
            if isLast() { return self.finish() }
            // Not at once: a write that succeeds immediately would make each piece one level of the stack.
            self.context.eventLoop.assumeIsolated().execute { next() }
        }
        context.writeAndFlush(NIOAny(buffer), promise: promise)
    }

    private func finish() {
        guard connection.isCarrying(exchange) else { return }
        if isChunked {
            let end = ByteBuffer(staticString: "0\r\n\r\n")
            exchange.metrics.bytesSent += end.readableBytes
            context.writeAndFlush(NIOAny(end), promise: nil)
        } else {
            context.flush()
        }
        connection.requestSent(exchange)
    }
}
