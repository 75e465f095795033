import NIOCore

/// Where a ``RequestBodyWriter`` puts the pieces of a body: one exchange on a connection. Used on its event loop only.
protocol RequestBodySink: AnyObject {
    /// Makes buffers for pieces.
    var allocator: ByteBufferAllocator { get }

    /// Writes a piece and flushes it; the promise succeeds once it is handed to the network.
    func writeBody(_ piece: ByteBuffer, of exchange: TransportExchange, promise: EventLoopPromise<Void>)

    /// Ends the body, with its last bytes where the framing has some.
    func endBody(_ last: ByteBuffer?, of exchange: TransportExchange)
}
