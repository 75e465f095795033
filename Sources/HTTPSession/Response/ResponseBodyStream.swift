import Basics
import Synchronization

/// The body of a response, as an asynchronous sequence for a single reader.
///
/// The producer stops reading from the network while 256 KiB are buffered. If the stream is released before its end,
/// the exchange ends.
///
/// ```swift
/// let response = try await session.get("export").stream()
/// for try await piece in response.body { print(piece.count) }
/// ```
public final class ResponseBodyStream: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// The error that reading can throw.
    public typealias Failure = SessionError

    /// The trailer fields and metrics, which are known at the end of a body.
    public struct End: Sendable {
        /// The trailer fields.
        public var trailers: HTTPHeaders
        /// The timing of the exchange.
        public var metrics: ExchangeMetrics

        /// Creates a value with trailer fields and metrics.
        public init(trailers: HTTPHeaders = .init(), metrics: ExchangeMetrics = .init()) {
            self.trailers = trailers
            self.metrics = metrics
        }
    }

    /// The number of buffered bytes at which the producer pauses.
    static let highWater = 256 << 10

    private typealias Waiter = UnsafeContinuation<Result<[UInt8]?, SessionError>, Never>

    private struct State {
        var pieces: [[UInt8]] = []
        var first = 0
        var waitingBytes = 0
        var isPaused = false
        var result: Result<End, SessionError>?
        var waiter: Waiter?
        var isAbandoned = false
        var isCancelled = false
    }

    private enum Step {
        case value(Result<[UInt8]?, SessionError>, resumesProducer: Bool)
        case wait
    }

    private let state = Mutex(State())
    private let onDemand: @Sendable () -> Void
    private let onAbandon: @Sendable () -> Void
    /// The decoder that produces the pieces from another stream; nil for a stream that a producer fills.
    private let decoding: BodyDecoding?

    /// Creates a stream for a producer.
    /// - Parameters:
    ///   - onDemand: A closure that is called when the producer may continue after ``yield(_:)`` returned false.
    ///   - onAbandon: A closure that is called at most once, if the reader releases the stream before its end or is
    ///     cancelled.
    public init(onDemand: @escaping @Sendable () -> Void, onAbandon: @escaping @Sendable () -> Void) {
        self.onDemand = onDemand
        self.onAbandon = onAbandon
        decoding = nil
    }

    /// Creates a stream that decodes another stream.
    init(_ decoding: BodyDecoding) {
        onDemand = {}
        onAbandon = { decoding.upstream.abandon() }
        self.decoding = decoding
    }

    /// Creates a stream of a body that is already in memory.
    /// - Parameters:
    ///   - body: The whole body.
    ///   - end: The trailer fields and metrics.
    public convenience init(_ body: [UInt8], end: End = .init()) {
        self.init(onDemand: {}, onAbandon: {})
        if !body.isEmpty { _ = yield(body) }
        finish(.success(end))
    }

    deinit {
        abandon()
    }

    // MARK: Producer

    /// Passes a piece to the reader.
    /// - Returns: Whether the producer may continue. If false, it must wait until `onDemand` is called.
    public func yield(_ piece: [UInt8]) -> Bool {
        let (waiter, goesOn): (Waiter?, Bool) = state.withLock { state in
            guard state.result == nil, !state.isAbandoned, !piece.isEmpty else { return (nil, true) }
            if let waiter = state.waiter.take() { return (waiter, true) }
            state.pieces.append(piece)
            state.waitingBytes += piece.count
            // Only the reader ends a pause, not a call that was already in progress when the producer was asked to
            // pause.
            if state.waitingBytes >= Self.highWater { state.isPaused = true }
            return (nil, !state.isPaused)
        }
        waiter?.resume(returning: .success(piece))
        return goesOn
    }

    /// Finishes the stream. Buffered pieces can still be read. Later calls have no effect.
    public func finish(_ result: Result<End, SessionError>) {
        let waiter: Waiter? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(returning: result.map { _ in nil })
    }

    // MARK: Reader

    /// The trailer fields and metrics, available once the stream has ended without an error.
    public var end: End? {
        if let decoding { return decoding.end }
        return state.withLock { state in
            if case .success(let end) = state.result { end } else { nil }
        }
    }

    /// The number of buffered bytes.
    var waiting: Int { state.withLock { $0.waitingBytes } }

    /// Ends the exchange and discards the buffered bytes.
    public func abandon() {
        let isNew = state.withLock { state in
            defer { state.isAbandoned = true }
            return !state.isAbandoned && state.result == nil
        }
        if isNew { onAbandon() }
    }

    /// Returns the next piece, or nil at the end or after the stream was abandoned.
    /// - Throws: ``SessionError`` if the exchange fails or the task is cancelled.
    public func next() async throws(SessionError) -> [UInt8]? {
        if let decoding { return try await decoding.next() }
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { (waiter: Waiter) in
                switch step(waiter) {
                case .wait: break
                case .value(let result, let resumesProducer):
                    waiter.resume(returning: result)
                    if resumesProducer { onDemand() }
                }
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            abandon()
            // The producer may take a while to notice.
            state.withLock { $0.waiter.take() }?.resume(returning: .failure(Self.cancelled))
        }
        return try result.get()
    }

    private static var cancelled: SessionError {
        SessionError(phase: .receive, reason: .cancelled, message: "the request was canceled")
    }

    private func step(_ waiter: Waiter) -> Step {
        state.withLock { state in
            if state.first < state.pieces.count {
                let piece = state.pieces[state.first]
                state.pieces[state.first] = []
                state.first += 1
                if state.first == state.pieces.count {
                    state.pieces.removeAll(keepingCapacity: true)
                    state.first = 0
                }
                state.waitingBytes -= piece.count
                let resumes = state.isPaused && state.waitingBytes <= Self.highWater / 2
                if resumes { state.isPaused = false }
                return .value(.success(piece), resumesProducer: resumes)
            }
            if let result = state.result { return .value(result.map { _ in nil }, resumesProducer: false) }
            if state.isCancelled {
                return .value(.failure(Self.cancelled), resumesProducer: false)
            }
            // Only one reader at a time: a second one would never be resumed.
            if state.isAbandoned || state.waiter != nil { return .value(.success(nil), resumesProducer: false) }
            state.waiter = waiter
            return .wait
        }
    }

    /// Reads the rest of the body into memory.
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: ``SessionError`` if the exchange fails or the body exceeds the limit.
    public func collect(limit: Int = .max) async throws(SessionError) -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try await next() {
            guard piece.count <= limit - all.count else {
                abandon()
                throw SessionError(
                    phase: .receive, reason: .limitExceeded(.bodyBytes, limit),
                    message: "the response's body is larger than the limit of \(limit) bytes")
            }
            if all.isEmpty { all = piece } else { all += piece }
        }
        return all
    }

    /// An iterator over the pieces of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: ResponseBodyStream

        /// Returns the next piece, or nil at the end.
        public mutating func next() async throws(SessionError) -> [UInt8]? {
            try await stream.next()
        }

        /// Returns the next piece, or nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionError) -> [UInt8]? {
            try await stream.next()
        }
    }

    /// Returns an iterator. All iterators of a stream share its single pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}

/// A response whose body is read as it arrives.
public struct StreamedResponse: Sendable {
    /// The response without its body: the head, the request, the redirects and the connection details.
    public let response: Response
    /// The body, with its content codings decoded.
    public let body: ResponseBodyStream

    /// The HTTP status code.
    public var status: Int { response.status }
    /// The header fields.
    public var headers: HTTPHeaders { response.headers }
    /// The length in `Content-Length`, before decompression; nil if the header does not declare one.
    public var expectedLength: Int? {
        headers["Content-Length"].flatMap { Int($0) }
    }

    init(response: Response, body: ResponseBodyStream) {
        self.response = response
        self.body = body
    }
}
