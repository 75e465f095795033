/// An event in the life of a request.
///
/// The events of a request are ordered:
///
/// 1. `created`
/// 2. for each attempt, `adapted`
/// 3. for each request that is sent: `resolved`, `connected` and `secured` (once per connection, but `connected` alone
///    for a reused one), `sent`, `informational`, `headReceived`, then `redirected` with the response, or `received` if
///    it is not a redirect that is followed
/// 4. `validated`
/// 5. `retrying` before the next attempt
/// 6. `decoded` if a value is decoded from the body
/// 7. exactly one `finished`
public enum SessionEvent: Sendable {
    /// The session accepted the request.
    case created(Request)
    /// The adapters finished with the request of an attempt, numbered from 1.
    case adapted(Request, attempt: Int)
    /// The response was served from the cache; nothing is sent.
    case servedFromCache(Response)
    /// The request shares the response of an equal request in flight; nothing is sent.
    case coalesced
    /// The host name was resolved.
    case resolved(host: String, addresses: [String], duration: Duration)
    /// The request has a connection to the address.
    case connected(address: String, isReused: Bool, duration: Duration?)
    /// The TLS handshake succeeded.
    case secured(TLSDetails, duration: Duration)
    /// The server was not verified because of ``TrustPolicy/insecure``; reported once per host.
    case unverified(host: String)
    /// The last byte of the request was handed to the network.
    case sent(SentRequest, bytes: Int)
    /// An informational (1xx) response arrived.
    case informational(ResponseHead)
    /// The status line and header of the response arrived.
    case headReceived(ResponseHead)
    /// The complete response arrived.
    case received(Response)
    /// The session follows a redirect.
    case redirected(Response, to: HTTPURL)
    /// The validators ran; the findings are empty if the response is acceptable.
    case validated(findings: [String])
    /// The request is retried after a delay; the attempt number is that of the next attempt.
    case retrying(attempt: Int, delay: Duration, after: FailedAttempt)
    /// A value was decoded from the body, or the decoding failed.
    case decoded(type: String, error: (any Error)?)
    /// The request finished.
    case finished(Result<Response, SessionError>)
}

extension SessionEvent {
    /// The name of the case, such as `headReceived`, for logs and tests.
    public var name: String {
        switch self {
        case .created: "created"
        case .adapted: "adapted"
        case .servedFromCache: "servedFromCache"
        case .coalesced: "coalesced"
        case .resolved: "resolved"
        case .connected: "connected"
        case .secured: "secured"
        case .unverified: "unverified"
        case .sent: "sent"
        case .informational: "informational"
        case .headReceived: "headReceived"
        case .received: "received"
        case .redirected: "redirected"
        case .validated: "validated"
        case .retrying: "retrying"
        case .decoded: "decoded"
        case .finished: "finished"
        }
    }
}

extension SessionEvent {
    /// The event without the unread body stream of its response.
    ///
    /// The reader of a body must be its only owner, because releasing the stream cancels the exchange. A monitor that
    /// stores events must therefore not store the stream.
    var withoutStream: SessionEvent {
        switch self {
        case .servedFromCache(let response): return .servedFromCache(response.withoutStream)
        case .received(let response): return .received(response.withoutStream)
        case .redirected(let response, let url): return .redirected(response.withoutStream, to: url)
        case .retrying(let attempt, let delay, var failure):
            failure.response = failure.response?.withoutStream
            failure.error = failure.error?.withoutStream
            return .retrying(attempt: attempt, delay: delay, after: failure)
        case .finished(.success(let response)): return .finished(.success(response.withoutStream))
        case .finished(.failure(let error)): return .finished(.failure(error.withoutStream))
        default: return self
        }
    }
}

extension Response {
    /// The response without its unread body stream.
    var withoutStream: Response {
        guard stream != nil else { return self }
        var copy = self
        copy.stream = nil
        return copy
    }
}

extension SessionError {
    /// The error without the unread body stream of its response.
    var withoutStream: SessionError {
        guard let response, response.stream != nil else { return self }
        var copy = self
        copy.response = response.withoutStream
        return copy
    }
}

/// An event with the ID of its request.
public struct RequestEvent: Sendable {
    /// The ID of the request.
    public var request: RequestID
    /// The event of the request.
    public var event: SessionEvent

    /// Creates a pair of an event and its request.
    public init(request: RequestID, event: SessionEvent) {
        self.request = request
        self.event = event
    }
}

/// An attempt without a response, with a response that a validator rejected, or with a status of 400 or more.
public struct FailedAttempt: Sendable {
    /// The adapted request, as it was sent.
    public var request: Request
    /// The response, if any.
    public var response: Response?
    /// The error; nil if no validator rejected the response.
    public var error: SessionError?
    /// The time since the start of the first attempt.
    public var elapsed: Duration

    /// Creates a record of a failed attempt.
    public init(request: Request, response: Response?, error: SessionError?, elapsed: Duration) {
        self.request = request
        self.response = response
        self.error = error
        self.elapsed = elapsed
    }
}

/// The number of a request, unique within its session.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    /// The number, starting at 1.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The number with a number sign, as in `#7`.
    public var description: String { "#\(rawValue)" }
}
