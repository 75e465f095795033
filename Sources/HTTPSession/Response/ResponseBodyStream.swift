import Synchronization

/// The body of a response as it arrives, for one reader.
///
/// The producer stops reading from the network while 256 KiB are waiting. Letting go of the stream before its
/// end ends the exchange.
public final class ResponseBodyStream: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = [UInt8]
    /// What reading can throw.
    public typealias Failure = SessionError

    /// The trailer fields and measurements, known at the end of a body.
    public struct End: Sendable {
        /// The trailer fields.
        public var trailers: HTTPHeaders
        /// Where the time went.
        public var metrics: ExchangeMetrics

        /// Creates an end.
        public init(trailers: HTTPHeaders = .init(), metrics: ExchangeMetrics = .init()) {
            self.trailers = trailers
            self.metrics = metrics
        }
    }

    /// How many bytes may wait for the reader.
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
    /// Makes the pieces out of those of another stream; nil for a stream that a producer fills.
    private let decoding: BodyDecoding?

    /// Creates a stream for a producer.
    /// - Parameters:
    ///   - onDemand: Called when the producer may go on after ``yield(_:)`` has told it to pause.
    ///   - onAbandon: Called at most once, when the reader lets go of the stream before its end or is cancelled.
    public init(onDemand: @escaping @Sendable () -> Void, onAbandon: @escaping @Sendable () -> Void) {
        self.onDemand = onDemand
        self.onAbandon = onAbandon
        decoding = nil
    }

    /// Creates a stream of what the decoding makes out of another.
    init(_ decoding: BodyDecoding) {
        onDemand = {}
        onAbandon = { decoding.upstream.abandon() }
        self.decoding = decoding
    }

    /// Creates a stream of a body that is there already.
    public convenience init(_ body: [UInt8], end: End = .init()) {
        self.init(onDemand: {}, onAbandon: {})
        if !body.isEmpty { _ = yield(body) }
        finish(.success(end))
    }

    deinit {
        abandon()
    }

    // MARK: Producer

    /// Hands a piece to the reader.
    /// - Returns: Whether the producer may go on; otherwise it waits to be called.
    public func yield(_ piece: [UInt8]) -> Bool {
        let (waiter, goesOn): (Waiter?, Bool) = state.withLock { state in
            guard state.result == nil, !state.isAbandoned, !piece.isEmpty else { return (nil, true) }
            if let waiter = state.waiter.take() { return (waiter, true) }
            state.pieces.append(piece)
            state.waitingBytes += piece.count
            // What was under way when the producer was told to pause does not end the pause: the reader does.
            if state.waitingBytes >= Self.highWater { state.isPaused = true }
            return (nil, !state.isPaused)
        }
        waiter?.resume(returning: .success(piece))
        return goesOn
    }

    /// Ends the stream; what is waiting is still read. Later calls have no effect.
    public func finish(_ result: Result<End, SessionError>) {
        let waiter: Waiter? = state.withLock { state in
            guard state.result == nil else { return nil }
            state.result = result
            return state.waiter.take()
        }
        waiter?.resume(returning: result.map { _ in nil })
    }

    // MARK: Reader

    /// What is known at the end, once the stream has ended well.
    public var end: End? {
        if let decoding { return decoding.end }
        return state.withLock { state in
            if case .success(let end) = state.result { end } else { nil }
        }
    }

    /// How many bytes are waiting for the reader.
    var waiting: Int { state.withLock { $0.waitingBytes } }

    /// Ends the exchange; what is waiting is dropped.
    public func abandon() {
        let isNew = state.withLock { state in
            defer { state.isAbandoned = true }
            return !state.isAbandoned && state.result == nil
        }
        if isNew { onAbandon() }
    }

    /// The next piece, or nil at the end, and once the stream was abandoned.
    /// - Throws: ``SessionError``, also when the task is cancelled.
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
            // The producer may need a while to hear of it.
            state.withLock { $0.waiter.take() }?.resume(returning: .failure(Self.cancelled))
        }
        return try result.get()
    }

    private static var cancelled: SessionError {
        SessionError(phase: .receive, reason: .cancelled, message: "the request was cancelled")
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
            // One reader at a time: a second one would never be woken.
            if state.isAbandoned || state.waiter != nil { return .value(.success(nil), resumesProducer: false) }
            state.waiter = waiter
            return .wait
        }
    }

    /// Reads what is left into memory.
    /// - Parameter limit: The largest number of bytes.
    /// - Throws: ``SessionError``, also for a body that is larger.
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

    /// Reads the stream piece by piece.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: ResponseBodyStream

        /// The next piece, or nil at the end.
        public mutating func next() async throws(SessionError) -> [UInt8]? {
            try await stream.next()
        }

        /// The next piece, or nil at the end.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(SessionError) -> [UInt8]? {
            try await stream.next()
        }
    }

    /// An iterator; all iterators of a stream share its one pass.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}

/// A response whose body is read as it arrives.
public struct StreamedResponse: Sendable {
    /// The head, the request, the redirects, and what is known of the connection; its body is empty.
    public let response: Response
    /// The body as it is transferred, content codings undone.
    public let body: ResponseBodyStream

    /// The status code.
    public var status: Int { response.status }
    /// The header.
    public var headers: HTTPHeaders { response.headers }
    /// The length of the body as the header announces it; with a content coding, that of the encoded body.
    public var expectedLength: Int? {
        headers["Content-Length"].flatMap { Int($0) }
    }

    init(response: Response, body: ResponseBodyStream) {
        self.response = response
        self.body = body
    }
}
