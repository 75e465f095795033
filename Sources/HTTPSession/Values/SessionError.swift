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
        /// The task was cancelled.
        case cancelled
        /// The session was closed.
        case sessionClosed
    }

    /// The phase in which it ended.
    public var phase: Phase
    /// Why it ended.
    public var reason: Reason
    /// The reason in plain words, one line.
    public var message: String
    /// The attempt on the wire in which it ended, from 1; 0 before the first.
    public var attempt: Int
    /// The request's method.
    public var method: HTTPMethod
    /// The URL of the request, absolute if it was resolved.
    public var url: String
    /// The head of the response, if it had arrived.
    public var head: ResponseHead?
    /// The part of the body that had arrived, as it was transferred.
    public var partialBody: [UInt8]
    /// The redirect responses before this, oldest first.
    public var history: [Response]
    /// Where the time went until then.
    public var metrics: ExchangeMetrics

    /// Creates an error.
    public init(
        phase: Phase, reason: Reason, message: String, attempt: Int = 0, method: HTTPMethod = .get, url: String = "",
        head: ResponseHead? = nil, partialBody: [UInt8] = [], history: [Response] = [],
        metrics: ExchangeMetrics = .init()
    ) {
        self.phase = phase
        self.reason = reason
        self.message = message
        self.attempt = attempt
        self.method = method
        self.url = url
        self.head = head
        self.partialBody = partialBody
        self.history = history
        self.metrics = metrics
    }
}

extension SessionError: CustomStringConvertible {
    /// Method, URL and message in one line.
    public var description: String { "\(method) \(url): \(message)" }
}
