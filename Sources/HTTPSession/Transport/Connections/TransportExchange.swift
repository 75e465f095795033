import Basics
import NIOCore

/// The state of one request in the transport; confined to one event loop.
final class TransportExchange {
    /// The steps of an exchange in which it can wait.
    enum Step {
        case queued
        case resolving
        case connecting
        case securing
        case sending
        case waiting
        case receiving
        case finished
    }

    /// ``Timeouts`` in nanoseconds.
    struct TimeLimits {
        var connect: UInt64
        var firstByte: UInt64
        var idle: UInt64
        var total: UInt64

        init(_ timeouts: Timeouts) {
            connect = MonotonicClock.nanoseconds(timeouts.connect)
            firstByte = MonotonicClock.nanoseconds(timeouts.firstByte)
            idle = MonotonicClock.nanoseconds(timeouts.idle)
            total = MonotonicClock.nanoseconds(timeouts.total)
        }
    }

    typealias Continuation = UnsafeContinuation<Result<TransportResponse, SessionError>, Never>

    /// A function that converts a channel after the server has switched protocols.
    typealias Upgrade = @Sendable (any Channel, ResponseHead) throws -> Void

    let id: UInt64
    let pool: ConnectionPool
    let request: TransportRequest
    let limits: TimeLimits
    let started: UInt64
    /// Whether the body of the response is streamed.
    let isStreamed: Bool
    private var continuation: Continuation?

    var step = Step.queued
    /// The index in the pool's array of exchanges.
    var index = 0
    var connection: (any ServerConnection)?
    var attempt: ConnectAttempt?
    /// The ID of the stream on an HTTP/2 connection.
    var streamNumber = 0
    var file: FileBody?
    /// The source of a streamed request body.
    private(set) var feed: RequestBodyFeed?
    /// The writer of a body that is not sent in one write, while it is active.
    var bodyWriter: RequestBodyWriter?
    /// The function to call if the server switches protocols; nil if no upgrade was requested.
    private(set) var upgrade: Upgrade?
    var framing = HTTP1RequestEncoder.Framing.none

    /// The head of the final response, once it has arrived.
    var head: ResponseHead?
    /// The announced length of the response body.
    var expectedLength: Int?
    /// The received part of a body that is not streamed.
    var body: [UInt8] = []
    /// The informational (1xx) responses.
    var informational: [ResponseHead] = []
    /// The stream of a streamed body; weak, so that its release by the reader is noticed.
    weak var stream: ResponseBodyStream?
    /// The strong reference to the stream until it is handed over.
    var heldStream: ResponseBodyStream?
    var waits: Waits = []

    var stepStarted: UInt64
    var lastActivity: UInt64 = 0
    var connectStarted: UInt64 = 0
    var readyAt: UInt64 = 0
    var sentAt: UInt64 = 0
    var firstByteAt: UInt64 = 0
    var metrics = ExchangeMetrics()
    var isRequestSent = false
    var isReused = false

    init(
        id: UInt64, pool: ConnectionPool, request: TransportRequest, limits: TimeLimits, feed: RequestBodyFeed?,
        upgrade: Upgrade?, continuation: Continuation
    ) {
        self.id = id
        self.pool = pool
        self.request = request
        self.limits = limits
        self.feed = feed
        self.upgrade = upgrade
        self.continuation = continuation
        isStreamed = request.delivery == .streamed
        started = MonotonicClock.now()
        stepStarted = started
        metrics.attempts = 0
    }

    var isFinished: Bool { step == .finished }

    /// Whether the calling task still waits for a response.
    var isAwaited: Bool { continuation != nil }

    /// The host and port, for messages.
    var target: String { request.url.authorityWithPort }

    /// Resumes the waiting task with the result, or ends the stream with the failure; later calls have no effect.
    func finish(_ result: Result<TransportResponse, SessionError>) {
        step = .finished
        release()
        if let continuation = takeContinuation() {
            continuation.resume(returning: result)
        } else if case .failure(let error) = result {
            stream?.finish(.failure(error))
        }
    }

    /// Removes and returns the continuation, which the caller must resume.
    func takeContinuation() -> Continuation? { continuation.take() }

    /// Releases the resources that only an exchange in flight needs.
    func release() {
        connection = nil
        attempt = nil
        file = nil
        upgrade = nil
        heldStream = nil
        if bodyWriter != nil || feed != nil {
            stopSending()
            feed = nil
        }
    }

    /// Resets the exchange to its state before it had a connection.
    func reset() {
        bodyWriter?.stop()
        bodyWriter = nil
        waits = []
        connection = nil
        readyAt = 0
        sentAt = 0
        firstByteAt = 0
        isRequestSent = false
        informational = []
        step = .queued
        stepStarted = MonotonicClock.now()
    }

    // MARK: Time limits

    /// Returns the time limit that expires next and its time; `UInt64.max` if there is none.
    func nextDeadline() -> (time: UInt64, limit: SessionError.TimeLimit) {
        let total = MonotonicClock.deadline(limits.total, after: started)
        let step: (time: UInt64, limit: SessionError.TimeLimit)
        switch self.step {
        case .queued, .finished: return (total, .total)
        case .resolving, .connecting, .securing:
            step = (MonotonicClock.deadline(limits.connect, after: connectStarted), .connect)
        case .sending, .receiving:
            guard waits.isEmpty else { return (total, .total) }
            step = (MonotonicClock.deadline(limits.idle, after: lastActivity), .idle)
        case .waiting:
            step = (MonotonicClock.deadline(limits.firstByte, after: max(sentAt, lastActivity)), .firstByte)
        }
        return step.time <= total ? step : (total, .total)
    }

    /// Returns the error of an expired time limit.
    func timeoutError(_ limit: SessionError.TimeLimit) -> SessionError {
        let timeouts = request.timeouts
        let duration: Duration? =
            switch limit {
            case .connect: timeouts.connect
            case .firstByte: timeouts.firstByte
            case .idle: timeouts.idle
            case .total: request.settings.values.redirection?.total ?? timeouts.total
            }
        let waited = duration ?? .zero
        let redirection = limit == .total ? request.settings.values.redirection : nil
        let redirects = redirection.map { "with \(RedirectFollowing.count($0.count)), " } ?? ""
        let obstacle = step == .queued ? pool.obstacle(for: self) : connection?.obstacle(for: self)
        let detail = obstacle.map { ": \($0)" } ?? ""
        return error(
            .timedOut(limit, waited),
            "timeout after \(Self.seconds(waited)) (\(limit.name)) \(redirects)\(activity)\(detail)")
    }

    /// A description of the current wait.
    private var activity: String {
        if let activity = attempt?.activity { return activity }
        return switch step {
        case .queued: "waiting for a free connection to \(target)"
        case .resolving: "resolving the host name \(request.url.host)"
        case .connecting: "connecting to \(target)"
        case .securing: "during the TLS handshake with \(target)"
        case .sending: "sending the request to \(target)"
        case .waiting: "waiting for the first byte of the response from \(target)"
        case .receiving, .finished: "receiving the response from \(target)\(progress)"
        }
    }

    private var progress: String {
        guard head != nil else { return ", in its header section" }
        let count = metrics.bodyBytesReceived
        guard let length = expectedLength else { return ", after \(count) bytes of the body" }
        return ", after \(count) of \(length) bytes of the body"
    }

    /// Formats a duration for messages, such as `250 ms` or `1.5 s`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = MonotonicClock.nanoseconds(duration) / 1_000_000
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        var fraction = String(milliseconds % 1000 + 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1000).\(fraction) s"
    }

    // MARK: Errors

    /// The phase of the exchange.
    var phase: SessionError.Phase {
        switch step {
        case .queued: .queued
        case .resolving: .dns
        case .connecting: .connect
        case .securing: .tls
        case .sending: .send
        case .waiting: .firstByte
        case .receiving, .finished: .receive
        }
    }

    /// Returns an error of this exchange, including the received part of the response.
    func error(
        _ reason: SessionError.Reason, _ message: MessageText, phase: SessionError.Phase? = nil,
        underlying: (any Error)? = nil
    ) -> SessionError {
        finishMetrics(at: MonotonicClock.now())
        return SessionError(
            phase: phase ?? self.phase, reason: reason, message: message, attempt: metrics.attempts,
            method: request.method, url: request.url.description, head: head, partialBody: body,
            metrics: metrics, underlying: underlying)
    }

    /// Computes the durations of the last phases.
    func finishMetrics(at end: UInt64) {
        var finished = metrics
        defer { metrics = finished }
        finished.totalNanoseconds = end > started ? Int64(clamping: end - started) : 0
        guard readyAt != 0 else { return }
        let sent = sentAt == 0 ? (firstByteAt == 0 ? end : firstByteAt) : sentAt
        finished.sendNanoseconds = sent > readyAt ? Int64(clamping: sent - readyAt) : 0
        finished.reusedConnection = isReused
        let first = firstByteAt == 0 ? end : firstByteAt
        finished.firstByteNanoseconds = first > sent ? Int64(clamping: first - sent) : 0
        finished.receiveNanoseconds = end > first ? Int64(clamping: end - first) : 0
    }
}

extension SessionError.TimeLimit {
    /// The name of the limit in messages.
    var name: String {
        switch self {
        case .connect: "connect"
        case .firstByte: "first-byte"
        case .idle: "idle"
        case .total: "total"
        }
    }
}

extension HTTPURL {
    /// The host and port, with the port always included and an IPv6 address in brackets.
    var authorityWithPort: String { IPAddress.authority(host, port) }
}

/// The heuristic that decides whether the event loop polls for the response of its only request instead of sleeping.
///
/// Putting a thread to sleep and waking it costs more than many nearby servers need to respond. The loop therefore
/// polls for a short time as long as that succeeds often enough, and hardly ever if servers are slower.
struct ResponseWatch {
    /// The maximum polling time in nanoseconds.
    ///
    /// A server on the same machine that has to be woken responds within 30 to 120 µs. On virtual machines, sleeping
    /// and waking costs the client as much again. The credit limits the time spent on unsuccessful polling.
    static let maximumLength: UInt64 = 150_000

    /// The maximum number of tolerated failures; each success earns one more.
    private static let maximumCredit = 8
    /// The number of requests without polling after which the next one polls.
    private static let patience = 256

    private var credit = 2
    private var skipped = 0

    /// Returns whether to poll for the next response.
    mutating func isWorthwhile() -> Bool {
        if credit > 0 { return true }
        skipped += 1
        guard skipped >= Self.patience else { return false }
        skipped = 0
        return true
    }

    /// Records whether polling found the response.
    mutating func note(hasCome: Bool) {
        credit = hasCome ? min(credit + 1, Self.maximumCredit) : max(credit - 1, 0)
    }
}
