import Basics
import Synchronization

/// A transport with scripted responses, for tests of code that uses a session.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.answer(.get, "/books/7", with: .response(200, ["Content-Type": "application/json"], #"{"id":7}"#))
/// transport.answer(.post, "/books", with: .failure(.connectionReset), .response(201))
/// let session = Session(transport: transport)
/// ```
///
/// The first matching rule determines the response. A rule's answers are used in order, and the last one repeats.
public final class ScriptedTransport: Transport {
    /// A scripted result of a request.
    public indirect enum Answer: Sendable {
        /// A response with a string body.
        case response(Int, HTTPHeaders = .init(), String = "")
        /// A response with a body of bytes.
        case bytes(Int, HTTPHeaders = .init(), [UInt8])
        /// A response with a body in pieces; delivered whole unless the request asks for a stream.
        case pieces(Int, HTTPHeaders = .init(), [[UInt8]])
        /// A failed request.
        case failure(SessionError.Reason, phase: SessionError.Phase = .receive)
        /// An answer after a delay.
        case after(Duration, Answer)
        /// An answer after an asynchronous gate opens.
        case when(@Sendable () async -> Void, Answer)
        /// An answer computed from the request.
        case make(@Sendable (TransportRequest) -> Answer)
        /// No answer: the request waits until it is cancelled or the transport is closed.
        case never
    }

    private struct Rule: Sendable {
        let matches: @Sendable (TransportRequest) -> Bool
        var answers: [Answer]
    }

    private struct State {
        var rules: [Rule] = []
        var requests: [TransportRequest] = []
    }

    private let state = Mutex(State())
    private let lifetime = SessionLifetime()
    private let clock: SessionClock

    /// Creates a transport without rules.
    /// - Parameter clock: The clock of `after`.
    public init(clock: SessionClock = .system) {
        self.clock = clock
    }

    /// Adds a rule for a method and a path.
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The path with its query as it is sent, or a prefix of it followed by `*`; nil for any.
    ///   - answers: The answers, in order.
    public func answer(_ method: HTTPMethod? = nil, _ path: String? = nil, with answers: Answer...) {
        let prefix = path.flatMap { $0.hasSuffix("*") ? String($0.dropLast()) : nil }
        add(answers) { request in
            if let method, request.method != method { return false }
            if let prefix { return request.url.target.hasPrefix(prefix) }
            return path == nil || request.url.target == path
        }
    }

    /// Adds a rule for the requests that match a predicate.
    public func answer(where matches: @escaping @Sendable (TransportRequest) -> Bool, with answers: Answer...) {
        add(answers, matches)
    }

    private func add(_ answers: [Answer], _ matches: @escaping @Sendable (TransportRequest) -> Bool) {
        state.withLock { $0.rules.append(Rule(matches: matches, answers: answers)) }
    }

    /// The requests received so far, in order.
    public var requests: [TransportRequest] { state.withLock { $0.requests } }

    /// Returns the scripted response.
    /// - Throws: ``SessionError``, also for a request that no rule matches.
    public func send(_ request: TransportRequest) async throws(SessionError) -> TransportResponse {
        let answer: Answer? = state.withLock { state in
            state.requests.append(request)
            guard let index = state.rules.firstIndex(where: { $0.matches(request) }) else { return nil }
            guard state.rules[index].answers.count > 1 else { return state.rules[index].answers.first }
            return state.rules[index].answers.removeFirst()
        }
        guard let answer else {
            throw error(.connectionFailed, .connect, request, "the script has no response to this request")
        }
        request.observer?(.sent(SentRequest(request), bytes: request.body.knownLength ?? 0))
        return try await give(answer, request)
    }

    /// Cancels all exchanges that wait.
    public func close() async {
        lifetime.end()
    }

    private func give(_ answer: Answer, _ request: TransportRequest) async throws(SessionError) -> TransportResponse {
        if let end = lifetime.interruption() { throw error(end.reason, .request, request, end.message) }
        switch answer {
        case .response(let status, let headers, let text):
            return response(status, headers, [Array(text.utf8)], request)
        case .bytes(let status, let headers, let bytes):
            return response(status, headers, [bytes], request)
        case .pieces(let status, let headers, let pieces):
            return response(status, headers, pieces, request)
        case .failure(let reason, let phase):
            throw error(reason, phase, request, "the script fails this request")
        case .after(let duration, let answer):
            await lifetime.sleep(duration, clock: clock)
            return try await give(answer, request)
        case .when(let gate, let answer):
            await gate()
            return try await give(answer, request)
        case .make(let make):
            return try await give(make(request), request)
        case .never:
            await lifetime.sleep(.seconds(1_000_000_000), clock: .system)
            return try await give(.never, request)
        }
    }

    private func response(
        _ status: Int, _ headers: HTTPHeaders, _ pieces: [[UInt8]], _ request: TransportRequest
    ) -> TransportResponse {
        let head = ResponseHead(status: status, headers: headers)
        request.observer?(.headReceived(head))
        guard request.delivery == .streamed else {
            return TransportResponse(
                head: head, body: request.method == .head ? [] : Array(pieces.joined()), remoteAddress: nil)
        }
        let stream = ResponseBodyStream(onDemand: {}, onAbandon: {})
        for piece in pieces { _ = stream.yield(piece) }
        stream.finish(.success(.init()))
        return TransportResponse(head: head, stream: stream)
    }

    private func error(
        _ reason: SessionError.Reason, _ phase: SessionError.Phase, _ request: TransportRequest, _ message: MessageText
    ) -> SessionError {
        SessionError(
            phase: phase, reason: reason, message: message, attempt: 1, method: request.method,
            url: request.url.description)
    }
}
