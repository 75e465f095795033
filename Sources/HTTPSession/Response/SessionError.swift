import Basics

/// Why an exchange gave no response: the phase it was in, the reason, and what had arrived.
public struct SessionError: Error, Sendable {
    /// A part of an exchange.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Before anything is sent: the request is checked.
        case request
        /// Waiting for a connection to become free.
        case queued
        /// Resolving the host's name.
        case dns
        /// Connecting over TCP.
        case connect
        /// The TLS handshake.
        case tls
        /// Sending the request.
        case send
        /// Waiting for the response's first byte.
        case firstByte
        /// Receiving the response.
        case receive
        /// Undoing the body's content coding, or making a value of it.
        case decode
        /// Following a redirect.
        case redirect
        /// Checking the response with validators.
        case validate
    }

    /// A time limit of ``Timeouts``.
    public enum TimeLimit: String, Sendable, Hashable {
        /// ``Timeouts/connect``
        case connect
        /// ``Timeouts/firstByte``
        case firstByte
        /// ``Timeouts/idle``
        case idle
        /// ``Timeouts/total``
        case total
    }

    /// A bound of ``Limits``.
    public enum SizeLimit: String, Sendable, Hashable {
        /// ``Limits/headerBytes``
        case headerBytes
        /// ``Limits/bodyBytes``
        case bodyBytes
        /// ``Limits/decodedBodyBytes``
        case decodedBodyBytes
        /// ``Limits/decompressionRatio``
        case decompressionRatio
        /// The longest line of ``PendingExchange/lines(maximumLength:)``.
        case lineBytes
        /// The largest event of ``PendingExchange/serverSentEvents(reconnection:lastEventID:maximumEventBytes:)``.
        case eventBytes
        /// The largest message of a ``WebSocket``.
        case messageBytes
    }

    /// What is wrong with a server's certificate.
    public enum CertificateProblem: Sendable, Hashable {
        /// Its validity has ended.
        case expired
        /// Its validity has not begun.
        case notYetValid
        /// It is signed by itself and not among the trusted roots.
        case selfSigned
        /// No trusted root vouches for it.
        case unknownAuthority
        /// It is for other names than the host's.
        case wrongHost
        /// Neither it nor its key is among the pinned ones; the message lists the pins that were seen.
        case pinMismatch
        /// It is refused for another reason.
        case other
    }

    /// Why there is no response; the message has the details in words.
    public enum Reason: Sendable, Hashable {
        /// The URL is invalid, or relative without a base URL.
        case invalidURL
        /// The method is not a token.
        case invalidMethod
        /// A header name is not a token, a value has CR, LF or NUL, or a framing field contradicts the body.
        case invalidHeader
        /// The body cannot be read.
        case unreadableBody
        /// The host's name has no address.
        case nameNotResolved
        /// Nothing listens at the host's port.
        case connectionRefused
        /// The connection could not be made for another reason, such as no route.
        case connectionFailed
        /// The server's certificate is not trusted.
        case certificate(CertificateProblem)
        /// The TLS handshake failed for another reason than the certificate.
        case tlsFailed
        /// A certificate authority file or other trust setting cannot be used.
        case invalidTrust
        /// A time limit was reached.
        case timedOut(TimeLimit, Duration)
        /// The server closed the connection before the response was complete.
        case connectionClosed
        /// The connection was reset before the response was complete.
        case connectionReset
        /// The server did not speak HTTP, or broke its rules.
        case invalidResponse
        /// The server broke the rules of HTTP/2 on the connection, which ended with every exchange on it.
        case protocolViolation
        /// A size limit was reached; the value is the limit.
        case limitExceeded(SizeLimit, Int)
        /// There were more redirects than allowed; the value is the limit.
        case tooManyRedirects(Int)
        /// A redirect led back to a request that had been made already.
        case redirectCycle
        /// A redirect has no usable location.
        case invalidRedirect
        /// The body is not what its content coding says.
        case invalidContentCoding
        /// A validator refused the response.
        case unacceptableResponse
        /// An adapter threw an error, which is ``SessionError/underlying``.
        case adapterFailed
        /// A retrier gave an error in place of the failure, which is ``SessionError/underlying``.
        ///
        /// The failure itself is ``SessionError/originalError``.
        case retrierFailed
        /// The parameters cannot be put into the request; the serializer's error is ``SessionError/underlying``.
        case unencodable
        /// No value could be made of the body; the serializer's error is ``SessionError/underlying``.
        case undecodable
        /// A body that was used up would have to be sent again.
        case bodyNotReplayable
        /// The proxy refused, or did not speak its protocol.
        case proxyFailed
        /// The server does not speak the version of HTTP that was asked for.
        case versionNotAvailable
        /// The server refused the change of protocol.
        case upgradeRefused
        /// The cache has no response, and the request was not to be sent.
        case notInCache
        /// A file cannot be written.
        case fileNotWritable
        /// The task was cancelled.
        case cancelled
        /// The session was closed.
        case sessionClosed
    }

    private struct Values {
        var phase: Phase
        var reason: Reason
        var message: String
        var attempt: Int
        var method: HTTPMethod
        var url: String
        var request: SentRequest?
        var response: Response?
        var head: ResponseHead?
        var partialBody: [UInt8]
        var history: [Response]
        var metrics: ExchangeMetrics
        var attempts: [ExchangeMetrics]
        var underlying: (any Error)?
        var originalError: SessionError?
    }

    // An error is as large as a result at every step of the way, so it is one reference.
    @CopyOnWrite private var values: Values

    /// Creates an error.
    public init(
        phase: Phase, reason: Reason, message: String, attempt: Int = 0, method: HTTPMethod = .get, url: String = "",
        head: ResponseHead? = nil, partialBody: [UInt8] = [], history: [Response] = [],
        metrics: ExchangeMetrics = .init(), response: Response? = nil, underlying: (any Error)? = nil
    ) {
        values =
            Values(
                phase: phase, reason: reason, message: message, attempt: attempt, method: method, url: url,
                request: response?.request, response: response, head: head ?? response?.head, partialBody: partialBody,
                history: history,
                metrics: metrics, attempts: [], underlying: underlying)
    }

    /// Creates an error about a response that is there.
    init(
        _ phase: Phase, _ reason: Reason, _ message: String, response: Response, underlying: (any Error)? = nil
    ) {
        self.init(
            phase: phase, reason: reason, message: message, attempt: response.metrics.attempts,
            method: response.request.method, url: response.url.description, head: response.head,
            partialBody: response.body, history: response.history, metrics: response.metrics, response: response,
            underlying: underlying)
    }

    /// The phase in which it ended.
    public var phase: Phase {
        get { values.phase }
        set { values.phase = newValue }
    }

    /// Why it ended.
    public var reason: Reason {
        get { values.reason }
        set { values.reason = newValue }
    }

    /// The reason in plain words, one line.
    public var message: String {
        get { values.message }
        set { values.message = newValue }
    }

    /// The attempt in which it ended, from 1, with retries; 0 if nothing was sent.
    public var attempt: Int {
        get { values.attempt }
        set { values.attempt = newValue }
    }

    /// The request's method.
    public var method: HTTPMethod {
        get { values.method }
        set { values.method = newValue }
    }

    /// The URL of the request, absolute if it was resolved.
    public var url: String {
        get { values.url }
        set { values.url = newValue }
    }

    /// The request as it was to be sent, with the fields of the session and of its adapters; nil when it was not made.
    public var request: SentRequest? {
        get { values.request }
        set { values.request = newValue }
    }

    /// The whole response, where there is one: after a validator or serializer has refused it.
    public var response: Response? {
        get { values.response }
        set { values.response = newValue }
    }

    /// The head of the response, if it had arrived.
    public var head: ResponseHead? {
        get { values.head }
        set { values.head = newValue }
    }

    /// The part of the body that had arrived, as it was transferred.
    public var partialBody: [UInt8] {
        get { values.partialBody }
        set { values.partialBody = newValue }
    }

    /// The redirect responses before this, oldest first.
    public var history: [Response] {
        get { values.history }
        set { values.history = newValue }
    }

    /// Where the time went until then.
    public var metrics: ExchangeMetrics {
        get { values.metrics }
        set { values.metrics = newValue }
    }

    /// The measurements of the attempts before the last one, oldest first; empty without retries.
    public var attempts: [ExchangeMetrics] {
        get { values.attempts }
        set { values.attempts = newValue }
    }

    /// The error of an adapter, retrier or serializer that is the cause.
    public var underlying: (any Error)? {
        get { values.underlying }
        set { values.underlying = newValue }
    }

    /// The failure of the attempt that a retrier has replaced with this error; nil if there is none.
    public var originalError: SessionError? {
        get { values.originalError }
        set { values.originalError = newValue }
    }
}

extension SessionError: CustomStringConvertible {
    /// The method, URL and message in one line, without passwords and credential parameters of URLs.
    ///
    /// It is safe to log; ``url`` and ``message`` are as they were.
    public var description: String {
        let redaction = Redaction.standard
        return "\(method) \(redaction.url(url)): \(redaction.text(message))"
    }
}

extension SessionLifetime {
    /// Why work that has waited goes no further: its task was cancelled or the session closed; nil if it may go on.
    func interruption(of work: String = "request") -> (reason: SessionError.Reason, message: String)? {
        if Task.isCancelled { return (.cancelled, "the \(work) was cancelled") }
        return isEnded ? (.sessionClosed, "the session was closed") : nil
    }
}
