import Basics

/// The lines of a response's body as they arrive; the request is sent when the first line is requested.
///
/// A line ends with LF, CR LF or CR, which are not part of it. Nonempty text after the last line break is a line too.
/// The text is UTF-8; invalid bytes become U+FFFD. Leaving a loop cancels the exchange.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its line break.
    public typealias Element = String
    /// The error that ends the sequence.
    public typealias Failure = SessionError

    /// The default maximum length of a line: one mebibyte.
    public static let standardMaximumLength = 1 << 20

    let bytes: ResponseBytes
    let maximumLength: Int

    /// Returns an iterator; nothing is sent before its first line is requested.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(bytes: bytes.makeAsyncIterator(), scanner: LineScanner(limit: maximumLength))
    }

    /// The iterator over the lines of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var bytes: ResponseBytes.AsyncIterator?
        fileprivate var scanner: LineScanner

        /// Returns the next line, or nil at the end.
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

        /// Returns the next line, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> String? {
            try await next()
        }
    }
}

extension PendingExchange {
    /// Returns the response's body in pieces, content codings undone; nothing is sent before the first piece is
    /// requested.
    ///
    /// A response of any status is read, unless a validator rejects it. Use ``stream()`` to see its head first.
    public func bytes() -> ResponseBytes {
        ResponseBytes { () throws(SessionError) in try await stream().body }
    }

    /// Returns the lines of the response's body; nothing is sent before the first line is requested.
    /// - Parameter maximumLength: The maximum length of a line in bytes; a longer line is an error.
    public func lines(maximumLength: Int = ResponseLines.standardMaximumLength) -> ResponseLines {
        ResponseLines(bytes: bytes(), maximumLength: maximumLength)
    }

    /// Returns the server-sent events of the response; nothing is sent before the first event is requested.
    ///
    /// `Accept: text/event-stream` and `Cache-Control: no-store` are added to the request. Unless the request has its
    /// own timeouts, the session's idle and total timeouts do not apply, because an event stream may stay silent for
    /// long.
    /// - Parameters:
    ///   - reconnection: The policy for reconnecting to a lost stream.
    ///   - lastEventID: The ID of the event to resume after, for servers that support it.
    ///   - maximumEventBytes: The maximum length of an event and of a line in bytes; a longer one is an error.
    public func serverSentEvents(
        reconnection: EventReconnection = .standard, lastEventID: String = "",
        maximumEventBytes: Int = ServerSentEvents.standardMaximumEventBytes
    ) -> ServerSentEvents {
        ServerSentEvents(
            exchange: self, reconnection: reconnection, lastEventID: lastEventID, maximumEventBytes: maximumEventBytes)
    }
}

extension ResponseBodyStream {
    /// Returns the lines of the unread rest of the body.
    /// - Parameter maximumLength: The maximum length of a line in bytes; a longer line is an error.
    public func lines(maximumLength: Int = ResponseLines.standardMaximumLength) -> ResponseLines {
        ResponseLines(bytes: ResponseBytes { () throws(SessionError) in self }, maximumLength: maximumLength)
    }
}

/// The body of a response in pieces as they arrive; the request is sent when the first piece is requested.
///
/// Each iteration is an exchange of its own. Leaving a loop cancels the exchange. ``Limits/bodyBytes`` and
/// ``Timeouts/total`` do not apply unless the request has its own limits or timeouts.
public struct ResponseBytes: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// The error that ends the sequence.
    public typealias Failure = SessionError

    let open: @Sendable () async throws(SessionError) -> ResponseBodyStream

    /// Returns an iterator; nothing is sent before its first piece is requested.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(open: open) }

    /// The iterator over the pieces of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let open: @Sendable () async throws(SessionError) -> ResponseBodyStream
        private var lease: Lease?
        private var isOver = false

        fileprivate init(open: @escaping @Sendable () async throws(SessionError) -> ResponseBodyStream) {
            self.open = open
        }

        /// Returns the next piece, or nil at the end.
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

        /// Returns the next piece, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(SessionError) -> [UInt8]? {
            try await next()
        }
    }

    /// A handle that cancels the exchange when its iterator is released, even if the stream has other references.
    final class Lease: Sendable {
        let stream: ResponseBodyStream

        init(_ stream: ResponseBodyStream) { self.stream = stream }

        deinit { stream.abandon() }
    }
}

/// A splitter of a byte stream into lines that end with LF, CR LF or CR, also across pieces.
package struct LineScanner {
    /// The maximum length of a line in bytes, without its line break.
    package let limit: Int
    /// Whether a line was longer than the limit; no more lines are returned then.
    package private(set) var isOverLimit = false

    private var piece: [UInt8] = []
    private var start = 0
    /// The start of an unfinished line, from previous pieces.
    private var carried: [UInt8] = []
    /// Whether the last line ended with CR; an LF right after it belongs to the same line break.
    private var skipsLineFeed = false

    package init(limit: Int) {
        self.limit = max(0, limit)
    }

    /// Appends the next piece; all lines of the previous piece must have been read.
    package mutating func append(_ piece: [UInt8]) {
        self.piece = piece
        start = 0
    }

    /// Passes the next complete line to a function.
    /// - Returns: The result of `body`, whose buffer is valid only during the call; nil if another piece is needed.
    package mutating func next<Line>(_ body: (UnsafeBufferPointer<UInt8>) -> Line) -> Line? {
        var nothing: Void = ()
        return next(&nothing) { _, line in body(line) }
    }

    /// Passes the next complete line and a mutable value to a function.
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

    /// Passes the last line, if the stream ended without a line break, to a function; nil if there is no such line.
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
