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

extension PendingExchange {
    /// The body of the response piece by piece, content codings undone; nothing is sent before the first is asked for.
    ///
    /// A response of any status is read, unless a validator refuses it. Use ``stream()`` to see its head first.
    public func bytes() -> ResponseBytes {
        ResponseBytes { () throws(SessionError) in try await stream().body }
    }

    /// The lines of the response's body; nothing is sent before the first is asked for.
    /// - Parameter maximumLength: The largest line in bytes; a longer one is an error.
    public func lines(maximumLength: Int = ResponseLines.standardMaximumLength) -> ResponseLines {
        ResponseLines(bytes: bytes(), maximumLength: maximumLength)
    }

    /// The events that a server sends; nothing is sent before the first is asked for.
    ///
    /// `Accept: text/event-stream` and `Cache-Control: no-store` are added to the request, and unless it has timeouts of
    /// its own, the session's idle and total timeouts do not apply: a stream of events may be silent for long.
    /// - Parameters:
    ///   - reconnection: Whether and when a lost stream is connected to again.
    ///   - lastEventID: The ID of the event after which to begin, for a server that knows it.
    ///   - maximumEventBytes: The largest event and the longest line in bytes; a larger one is an error.
    public func serverSentEvents(
        reconnection: EventReconnection = .standard, lastEventID: String = "",
        maximumEventBytes: Int = ServerSentEvents.standardMaximumEventBytes
    ) -> ServerSentEvents {
        ServerSentEvents(
            exchange: self, reconnection: reconnection, lastEventID: lastEventID, maximumEventBytes: maximumEventBytes)
    }
}

extension ResponseBodyStream {
    /// The lines of what is left of the body.
    /// - Parameter maximumLength: The largest line in bytes; a longer one is an error.
    public func lines(maximumLength: Int = ResponseLines.standardMaximumLength) -> ResponseLines {
        ResponseLines(bytes: ResponseBytes { () throws(SessionError) in self }, maximumLength: maximumLength)
    }
}

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

/// Cuts a stream of bytes into lines that end with LF, CR LF or CR, wherever the borders of its pieces are.
package struct LineScanner {
    /// The largest number of bytes of a line, without its end.
    package let limit: Int
    /// Whether a line was longer than the limit; no line is given from then on.
    package private(set) var isOverLimit = false

    private var piece: [UInt8] = []
    private var start = 0
    /// What an earlier piece had of the line that has not ended.
    private var carried: [UInt8] = []
    /// A CR has ended the last line, so that an LF right behind it belongs to its end.
    private var skipsLineFeed = false

    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Takes the next piece; all lines of the one before must have been read.
    package mutating func append(_ piece: [UInt8]) {
        self.piece = piece
        start = 0
    }

    /// Hands out the next line that has ended.
    /// - Returns: What `body` makes of the line's bytes, which are only there during the call; nil if another piece is
    ///   needed.
    package mutating func next<Line>(_ body: (UnsafeBufferPointer<UInt8>) -> Line) -> Line? {
        var nothing: Void = ()
        return next(&nothing) { _, line in body(line) }
    }

    /// Hands out the next line that has ended to a function that changes a value.
    package mutating func next<Value, Line>(
        _ value: inout Value, _ body: (inout Value, UnsafeBufferPointer<UInt8>) -> Line
    ) -> Line? {
        guard !isOverLimit else { return nil }
        if skipsLineFeed, start < piece.count {
            if piece[start] == 10 { start += 1 }
            skipsLineFeed = false
        }
        guard let end = endOfLine() else {
            if carried.isEmpty, start == 0 {
                carried = piece
            } else if start < piece.count {
                carried.append(contentsOf: piece[start...])
            }
            piece = []
            start = 0
            isOverLimit = carried.count > limit
            return nil
        }
        guard end - start <= limit - carried.count else {
            isOverLimit = true
            return nil
        }
        skipsLineFeed = piece[end] == 13
        defer { start = end + 1 }
        if carried.isEmpty {
            return piece.withUnsafeBufferPointer { body(&value, UnsafeBufferPointer(rebasing: $0[start..<end])) }
        }
        carried.append(contentsOf: piece[start..<end])
        defer { carried.removeAll(keepingCapacity: carried.count <= 4096) }
        return carried.withUnsafeBufferPointer { body(&value, $0) }
    }

    /// Hands out the line that the stream's end has cut short; nil if there is none.
    package mutating func last<Line>(_ body: (UnsafeBufferPointer<UInt8>) -> Line) -> Line? {
        guard !isOverLimit, !carried.isEmpty else { return nil }
        defer { carried = [] }
        return carried.withUnsafeBufferPointer { body($0) }
    }

    private func endOfLine() -> Int? {
        piece.withUnsafeBufferPointer { bytes in
            var index = start
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 10 || byte == 13 { return index }
                index += 1
            }
            return nil
        }
    }
}
