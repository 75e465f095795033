/// The lines of a response's body as they arrive; the request is sent when the first line is asked for.
///
/// A line ends with LF, CR LF or CR, which are not part of it; what follows the last end is a line if it is not empty.
/// The text is UTF-8; what is not becomes U+FFFD. Leaving a loop ends its exchange.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String
    /// Why there is no more.
    public typealias Failure = SessionError

    /// The largest line in bytes, if not given otherwise: one mebibyte.
    public static let standardMaximumLength = 1 << 20

    let bytes: ResponseBytes
    let maximumLength: Int

    /// An iterator, which has sent nothing yet.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.makeAsyncIterator(), scanner: LineScanner(limit: maximumLength))
    }

    /// Reads the body line by line.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: ResponseBytes.AsyncIterator?
        fileprivate var scanner: LineScanner

        /// The next line, or nil at the end.
        /// - Throws: ``SessionError``; its reason is ``SessionError/Reason/limitExceeded(_:_:)`` with
        ///   ``SessionError/SizeLimit/lineBytes`` for a line that is too long.
        public nonisolated(nonsending) mutating func next() async throws(SessionError) -> String? {
            while true {
                if let line = scanner.next({ String(decoding: $0, as: UTF8.self) }) { return line }
                if scanner.isOverLimit {
                    guard bytes.take() != nil else { return nil }
                    throw SessionError(
                        phase: .receive, reason: .limitExceeded(.lineBytes, scanner.limit),
                        message: "a line of the response is longer than the limit of \(scanner.limit) bytes")
                }
                guard let piece = try await bytes?.next() else {
                    bytes = nil
                    return scanner.last { String(decoding: $0, as: UTF8.self) }
                }
                scanner.append(piece)
            }
        }

        /// The next line, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> String? {
            try await next()
        }
    }
}
