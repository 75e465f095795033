import NIOCore
import NIOHTTP2

extension HTTP2Connection: RequestBodySink {
    var allocator: ByteBufferAllocator { channel?.allocator ?? ByteBufferAllocator() }

    func writeBody(_ piece: ByteBuffer, of exchange: TransportExchange, promise: EventLoopPromise<Void>) {
        guard let stream = stream(of: exchange), context != nil else {
            return promise.fail(ChannelError.ioOnClosedChannel)
        }
        write(piece, of: stream, isLast: false, promise: promise)
        scheduleFlush()
    }

    func endBody(_ last: ByteBuffer?, of exchange: TransportExchange) {
        guard let stream = stream(of: exchange) else { return }
        write(last ?? ByteBuffer(), of: stream, isLast: true, promise: nil)
        scheduleFlush()
    }
}
