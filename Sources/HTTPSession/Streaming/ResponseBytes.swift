/// The body of a response piece by piece as it arrives; the request is sent when the first piece is asked for.
///
/// Each iteration is an exchange of its own. Leaving a loop ends its exchange. The exchange is not bounded by
/// ``Limits/bodyBytes`` or ``Timeouts/total`` unless the request has limits or timeouts of its own.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// Why there is no more.
    public typealias Failure = SessionError

    let open: @Sendable () async throws(SessionError) -> ResponseBodyStream

    /// An iterator, which has sent nothing yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(open: open) }

    /// Reads the body piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let open: @Sendable () async throws(SessionError) -> ResponseBodyStream
        private var lease: Lease?
        private var isOver = false

        fileprivate init(open: @escaping @Sendable () async throws(SessionError) -> ResponseBodyStream) {
            self.open = open
        }

        /// The next piece, or nil at the end.
        public nonisolated(nonsending) mutating func next() async throws(SessionError) -> [UInt8]? {
            guard !isOver else { return nil }
            do throws(SessionError) {
                let stream: ResponseBodyStream
                if let lease {
                    stream = lease.stream
                } else {
                    stream = try await open()
                    lease = Lease(stream)
                }
                if let piece = try await stream.next() { return piece }
            } catch {
                isOver = true
                lease = nil
                throw error
            }
            isOver = true
            lease = nil
            return nil
        }

        /// The next piece, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> [UInt8]? {
            try await next()
        }
    }

    /// Ends an exchange when its iterator goes, though others may still know the stream.
    final class Lease: Sendable {
        let stream: ResponseBodyStream

        init(_ stream: ResponseBodyStream) { self.stream = stream }

        deinit { stream.abandon() }
    }
}
