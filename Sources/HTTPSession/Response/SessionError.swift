public import Basics

/// An error that ended an exchange, with its phase, its reason and the parts of the response that had arrived.
///
/// ```swift
/// do {
///     let book = try await session.get("books/7").validate().decode(Book.self)
///     print(book)
/// } catch {
///     print(error.phase, error.reason, error)
/// }
/// ```
public struct SessionError: Error, Sendable {
    /// A phase of an exchange.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Checking the request, before anything is sent.
        case request
        /// Waiting for a free connection.
        case queued
        /// Resolving the host name.
        case dns
        /// Establishing the TCP connection.
        case connect
        /// Performing the TLS handshake.
        case tls
        /// Sending the request.
        case send
        /// Waiting for the first byte of the response.
        case firstByte
        /// Receiving the response.
        case receive
        /// Decoding the content codings of the body, or decoding a value from it.
        case decode
        /// Following a redirect.
        case redirect
        /// Checking the response with validators.
        case validate
    }

    /// A time limit of ``Timeouts``.
    public enum TimeLimit: String, Sendable, Hashable {
        /// The limit ``Timeouts/connect``.
        case connect
        /// The limit ``Timeouts/firstByte``.
        case firstByte
        /// The limit ``Timeouts/idle``.
        case idle
        /// The limit ``Timeouts/total``.
        case total
    }

    /// A limit of ``Limits``, or of another API that reads a body.
    public enum SizeLimit: String, Sendable, Hashable {
        /// The limit ``Limits/headerBytes``.
        case headerBytes
        /// The limit ``Limits/bodyBytes``.
        case bodyBytes
        /// The limit ``Limits/decodedBodyBytes``.
        case decodedBodyBytes
        /// The limit ``Limits/decompressionRatio``.
        case decompressionRatio
        /// The maximum line length of ``PendingExchange/lines(maximumLength:)``.
        case lineBytes
        /// The maximum event size of ``PendingExchange/serverSentEvents(reconnection:lastEventID:maximumEventBytes:)``.
        case eventBytes
        /// The maximum message size of a ``WebSocket``.
        case messageBytes
    }

    /// The problem with a server's certificate.
    public enum CertificateProblem: Sendable, Hashable {
        /// The certificate has expired.
        case expired
        /// The certificate is not valid yet.
        case notYetValid
        /// The certificate is self-signed and not one of the trusted roots.
        case selfSigned
        /// The certificate was not issued by a trusted authority.
        case unknownAuthority
        /// The certificate does not match the host name.
        case wrongHost
        /// Neither the certificate nor its key is pinned; the message lists the pins that the server presented.
        case pinMismatch
        /// The certificate is rejected for another reason.
        case other
    }

    /// The reason for a failure; the error's message has the details.
    public enum Reason: Sendable, Hashable {
        /// The URL is invalid, or relative without a base URL.
        case invalidURL
        /// The method is not a valid token.
        case invalidMethod
        /// A header name is not a valid token, a value contains CR, LF or NUL, or a framing field contradicts the body.
        case invalidHeader
        /// The body cannot be read.
        case unreadableBody
        /// The host name has no address.
        case nameNotResolved
        /// The host refused the connection.
        case connectionRefused
        /// The connection failed for another reason, such as a missing route.
        case connectionFailed
        /// The server's certificate is not trusted.
        case certificate(CertificateProblem)
        /// The TLS handshake failed for a reason other than the certificate.
        case tlsFailed
        /// A CA file or another trust setting cannot be used.
        case invalidTrust
        /// A timeout expired; the value is the configured duration.
        case timedOut(TimeLimit, Duration)
        /// The server closed the connection before the response was complete.
        case connectionClosed
        /// The connection was reset before the response was complete.
        case connectionReset
        /// The server sent a response that is not valid HTTP.
        case invalidResponse
        /// The server violated the HTTP/2 protocol, which ended the connection and every exchange on it.
        case protocolViolation
        /// A size limit was exceeded; the value is the limit.
        case limitExceeded(SizeLimit, Int)
        /// The maximum number of redirects was exceeded; the value is the maximum.
        case tooManyRedirects(Int)
        /// A redirect led back to a request that was already made.
        case redirectCycle
        /// A redirect has no usable `Location`.
        case invalidRedirect
        /// The body does not match its content coding.
        case invalidContentCoding
        /// The library that decodes the body's content coding is not installed.
        case unavailableContentCoding
        /// A validator rejected the response.
        case unacceptableResponse
        /// An adapter threw the error in ``SessionError/underlying``.
        case adapterFailed
        /// A retrier replaced the failure with the error in ``SessionError/underlying``.
        ///
        /// The original failure is in ``SessionError/originalError``.
        case retrierFailed
        /// The parameters cannot be encoded; the serializer's error is in ``SessionError/underlying``.
        case unencodable
        /// The body cannot be decoded; the serializer's error is in ``SessionError/underlying``.
        case undecodable
        /// The body would have to be sent again but can be read only once.
        case bodyNotReplayable
        /// The proxy refused the connection, or violated its protocol.
        case proxyFailed
        /// The server does not support the requested HTTP version.
        case versionNotAvailable
        /// The server refused the protocol upgrade.
        case upgradeRefused
        /// The cache has no matching response, and the cache policy does not allow sending the request.
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
        var message: MessageText
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

    // A single reference, because every result has the size of an error.
    @CopyOnWrite private var values: Values

    /// Creates an error.
    /// - Parameters:
    ///   - phase: The phase in which the exchange failed.
    ///   - reason: The reason for the failure.
    ///   - message: A description of the failure in one line.
    ///   - attempt: The attempt that failed, starting with 1; 0 if nothing was sent.
    ///   - method: The method of the request.
    ///   - url: The URL of the request.
    ///   - head: The head of the response, if it arrived.
    ///   - partialBody: The part of the body that arrived.
    ///   - history: The preceding redirect responses, oldest first.
    ///   - metrics: The timing until the failure.
    ///   - response: The complete response, if there is one.
    ///   - underlying: The error that caused the failure.
    public init(
        phase: Phase, reason: Reason, message: MessageText, attempt: Int = 0, method: HTTPMethod = .get,
        url: String = "",
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

    /// Creates an error for a complete response.
    init(
        _ phase: Phase, _ reason: Reason, _ message: MessageText, response: Response, underlying: (any Error)? = nil
    ) {
        self.init(
            phase: phase, reason: reason, message: message, attempt: response.metrics.attempts,
            method: response.request.method, url: response.url.description, head: response.head,
            partialBody: response.body, history: response.history, metrics: response.metrics, response: response,
            underlying: underlying)
    }

    /// The phase in which the exchange failed.
    public var phase: Phase {
        get { values.phase }
        set { values.phase = newValue }
    }

    /// The reason for the failure.
    public var reason: Reason {
        get { values.reason }
        set { values.reason = newValue }
    }

    /// A description of the failure in one line.
    public var message: String {
        get { values.message.text }
        set { values.message = MessageText(newValue) }
    }

    /// The description of the failure with the distinction of words and data.
    public var wording: MessageText {
        get { values.message }
        set { values.message = newValue }
    }

    /// The attempt that failed, starting with 1 and including retries; 0 if nothing was sent.
    public var attempt: Int {
        get { values.attempt }
        set { values.attempt = newValue }
    }

    /// The method of the request.
    public var method: HTTPMethod {
        get { values.method }
        set { values.method = newValue }
    }

    /// The URL of the request; absolute if it could be resolved.
    public var url: String {
        get { values.url }
        set { values.url = newValue }
    }

    /// The request with all fields of the session and the adapters; nil if it could not be built.
    public var request: SentRequest? {
        get { values.request }
        set { values.request = newValue }
    }

    /// The complete response, if a validator or serializer rejected it.
    public var response: Response? {
        get { values.response }
        set { values.response = newValue }
    }

    /// The head of the response, if it arrived.
    public var head: ResponseHead? {
        get { values.head }
        set { values.head = newValue }
    }

    /// The part of the body that arrived, as transferred.
    public var partialBody: [UInt8] {
        get { values.partialBody }
        set { values.partialBody = newValue }
    }

    /// The preceding redirect responses, oldest first.
    public var history: [Response] {
        get { values.history }
        set { values.history = newValue }
    }

    /// The timing until the failure.
    public var metrics: ExchangeMetrics {
        get { values.metrics }
        set { values.metrics = newValue }
    }

    /// The metrics of the attempts before the last one, oldest first; empty without retries.
    public var attempts: [ExchangeMetrics] {
        get { values.attempts }
        set { values.attempts = newValue }
    }

    /// The error of an adapter, retrier or serializer that caused the failure.
    public var underlying: (any Error)? {
        get { values.underlying }
        set { values.underlying = newValue }
    }

    /// The failure that a retrier replaced with this error, if any.
    public var originalError: SessionError? {
        get { values.originalError }
        set { values.originalError = newValue }
    }
}

extension SessionError: CustomStringConvertible {
    /// The method, URL and message in one line, without passwords and secret parameters of URLs.
    ///
    /// The description is safe to log. ``url`` and ``message`` are not redacted.
    public var description: String {
        let redaction = Redaction.standard
        return "\(method) \(redaction.url(url)): \(redaction.text(message))"
    }
}

extension SessionLifetime {
    /// Returns the reason that interrupts waiting work, either cancellation or a closed session; nil if there is none.
    func interruption(of work: String = "request") -> (reason: SessionError.Reason, message: MessageText)? {
        if Task.isCancelled { return (.cancelled, "the \(work) was canceled") }
        return isEnded ? (.sessionClosed, "the session was closed") : nil
    }
}
