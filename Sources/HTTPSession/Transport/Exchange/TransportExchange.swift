import NIOCore

/// One request on its way through the transport; belongs to one event loop.
final class TransportExchange {
    /// The parts of an exchange in which it can wait.
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

    /// Makes something of a channel on which the server has changed the protocol.
    typealias Upgrade = @Sendable (any Channel, ResponseHead) throws -> Void

    let id: UInt64
    let pool: ConnectionPool
    let request: TransportRequest
    let limits: TimeLimits
    let started: UInt64
    /// Whether the body of the response is handed on as it arrives.
    let isStreamed: Bool
    private var continuation: Continuation?

    var step = Step.queued
    /// The place in the pool's list of exchanges.
    var index = 0
    var connection: (any ServerConnection)?
    var attempt: ConnectAttempt?
    /// The number of its stream on an HTTP/2 connection.
    var streamNumber = 0
    var file: FileBody?
    /// Brings a body that is made while it is sent.
    private(set) var feed: RequestBodyFeed?
    /// What sends a body that is not sent at once, as long as it does.
    var bodyWriter: RequestBodyWriter?
    /// What is done if the server changes the protocol; nil if it was not asked to.
    private(set) var upgrade: Upgrade?
    var framing = HTTP1RequestEncoder.Framing.none

    /// The final response's head, once it is there.
    var head: ResponseHead?
    /// The length of the response's body as announced.
    var expectedLength: Int?
    /// What has arrived of a body that is not handed on.
    var body: [UInt8] = []
    /// The responses of status 1xx.
    var informational: [ResponseHead] = []
    /// Where a body goes that is handed on; its reader keeps it, so that letting go of it is seen.
    weak var stream: ResponseBodyStream?
    /// The stream until it is handed over.
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

    /// Whether the task that called still waits for a response.
    var isAwaited: Bool { continuation != nil }

    /// Host and port as a person writes them.
    var target: String { request.url.authorityWithPort }

    /// Hands the result to the task that waits for it, or a failure to the stream that it has; later calls have no
    /// effect.
    func finish(_ result: Result<TransportResponse, SessionError>) {
        step = .finished
        release()
        if let continuation = takeContinuation() {
            continuation.resume(returning: result)
        } else if case .failure(let error) = result {
            stream?.finish(.failure(error))
        }
    }

    /// The continuation, for who resumes it.
    func takeContinuation() -> Continuation? { continuation.take() }

    /// Lets go of what only an exchange under way needs.
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

    /// Makes the exchange as it was before it was given a connection.
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

    /// The time limit that ends next, and when; `UInt64.max` if none does.
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

    /// The error of a time limit that has been reached.
    func timeoutError(_ limit: SessionError.TimeLimit) -> SessionError {
        let timeouts = request.timeouts
        let duration: Duration? =
            switch limit {
            case .connect: timeouts.connect
            case .firstByte: timeouts.firstByte
            case .idle: timeouts.idle
            case .total: timeouts.total
            }
        let waited = duration ?? .zero
        let obstacle = step == .queued ? pool.obstacle(for: self) : connection?.obstacle(for: self)
        let detail = obstacle.map { ": \($0)" } ?? ""
        return error(
            .timedOut(limit, waited), "timeout after \(Self.seconds(waited)) (\(limit.name)) \(activity)\(detail)")
    }

    /// What the exchange is waiting for, in words.
    private var activity: String {
        if let activity = attempt?.activity { return activity }
        return switch step {
        case .queued: "waiting for a free connection to \(target)"
        case .resolving: "resolving the name \(request.url.host)"
        case .connecting: "connecting to \(target)"
        case .securing: "in the TLS handshake with \(target)"
        case .sending: "sending the request to \(target)"
        case .waiting: "waiting for the first byte of the response from \(target)"
        case .receiving, .finished: "receiving the response from \(target)\(progress)"
        }
    }

    private var progress: String {
        guard head != nil else { return ", in its header" }
        let count = metrics.bodyBytesReceived
        guard let length = expectedLength else { return ", after \(count) bytes of the body" }
        return ", after \(count) of \(length) bytes of the body"
    }

    static func seconds(_ duration: Duration) -> String {
        let milliseconds = MonotonicClock.nanoseconds(duration) / 1_000_000
        if milliseconds % 1000 == 0 { return "\(milliseconds / 1000) s" }
        if milliseconds < 1000 { return "\(milliseconds) ms" }
        var fraction = String(milliseconds % 1000 + 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(milliseconds / 1000).\(fraction) s"
    }

    // MARK: Errors

    /// The phase that the exchange is in.
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

    /// An error of this exchange, with what has arrived.
    func error(
        _ reason: SessionError.Reason, _ message: String, phase: SessionError.Phase? = nil,
        underlying: (any Error)? = nil
    ) -> SessionError {
        settleMetrics(at: MonotonicClock.now())
        return SessionError(
            phase: phase ?? self.phase, reason: reason, message: message, attempt: metrics.attempts,
            method: request.method, url: request.url.description, head: head, partialBody: body,
            metrics: metrics, underlying: underlying)
    }

    /// Derives the durations of the last phases.
    func settleMetrics(at end: UInt64) {
        var settled = metrics
        defer { metrics = settled }
        settled.totalNanoseconds = end > started ? Int64(clamping: end - started) : 0
        guard readyAt != 0 else { return }
        let sent = sentAt == 0 ? (firstByteAt == 0 ? end : firstByteAt) : sentAt
        settled.sendNanoseconds = sent > readyAt ? Int64(clamping: sent - readyAt) : 0
        settled.reusedConnection = isReused
        let first = firstByteAt == 0 ? end : firstByteAt
        settled.firstByteNanoseconds = first > sent ? Int64(clamping: first - sent) : 0
        settled.receiveNanoseconds = end > first ? Int64(clamping: end - first) : 0
    }
}

extension SessionError.TimeLimit {
    /// The name in words.
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
    /// Host and port, the port always there, an IPv6 address in brackets.
    var authorityWithPort: String { IPAddress.authority(host, port) }
}

/// Decides whether the response to the only request under way is watched for, instead of letting the thread sleep until it
/// comes.
///
/// To put a thread to sleep and to wake it costs more than many a server near by takes to answer. So the loop looks for the
/// response for a short while, as long as that goes well often enough, and hardly ever where servers take longer.
struct ResponseWatch {
    /// How long a response is watched for, in nanoseconds.
    ///
    /// A server on the same machine that has to be woken takes 30 to 120 µs there; where machines are virtual, to sleep and be
    /// woken costs the client as much again. What a watch in vain takes is bounded by the credit.
    static let longest: UInt64 = 150_000

    /// How many failures are borne; each success earns another one.
    private static let mostCredit = 8
    /// After so many requests without a watch it is tried again.
    private static let patience = 256

    private var credit = 2
    private var skipped = 0

    /// Whether the next response is to be watched for.
    mutating func isWorthwhile() -> Bool {
        if credit > 0 { return true }
        skipped += 1
        guard skipped >= Self.patience else { return false }
        skipped = 0
        return true
    }

    /// Takes note of how a watch has ended.
    mutating func note(hasCome: Bool) {
        credit = hasCome ? min(credit + 1, Self.mostCredit) : max(credit - 1, 0)
    }
}
