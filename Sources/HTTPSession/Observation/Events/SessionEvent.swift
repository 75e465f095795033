/// Something that happened to a request.
///
/// The events of one request come in order: `created`; for each attempt `adapted`, then for what is sent `resolved`,
/// `connected`, `secured` (these two once per connection, `connected` alone on a reused one), `sent`, `informational`,
/// `headReceived`, and then `redirected`, which has the response, or `received` for one that is not followed elsewhere;
/// `validated`; `retrying` before the next attempt; `decoded` where a value is made of the body; and exactly one
/// `finished`.
public enum SessionEvent: Sendable {
    /// The request was taken on.
    case created(Request)
    /// The adapters have changed the request of an attempt, counted from 1.
    case adapted(Request, attempt: Int)
    /// The cache has answered; nothing is sent.
    case servedFromCache(Response)
    /// The response of an equal request, which was under way, is given; nothing is sent.
    case coalesced
    /// The name of the host was resolved.
    case resolved(host: String, addresses: [String], duration: Duration)
    /// There is a connection to the address.
    case connected(address: String, isReused: Bool, duration: Duration?)
    /// The TLS handshake has succeeded.
    case secured(TLSDetails, duration: Duration)
    /// The server was not verified, as the policy ``TrustPolicy/insecure`` says; told once for each host.
    case unverified(host: String)
    /// The last byte of the request was handed to the network.
    case sent(SentRequest, bytes: Int)
    /// A response of status 1xx has arrived.
    case informational(ResponseHead)
    /// The status and header of the response have arrived.
    case headReceived(ResponseHead)
    /// The whole response has arrived.
    case received(Response)
    /// A redirect is followed.
    case redirected(Response, to: HTTPURL)
    /// The validators were asked; the findings are empty if the response is acceptable.
    case validated(findings: [String])
    /// The request is sent again after the delay; the attempt is the next one.
    case retrying(attempt: Int, delay: Duration, after: FailedAttempt)
    /// A value was made of the body, or could not be.
    case decoded(type: String, error: (any Error)?)
    /// The request is done.
    case finished(Result<Response, SessionError>)
}

extension SessionEvent {
    /// The name of the case, as in `headReceived`; for logs and tests.
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
    /// The event without the body of a response that is still to be read.
    ///
    /// The one who reads a body is the only one to hold it, so that letting go of it ends the exchange: a monitor that
    /// keeps events must not keep it.
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
    /// The response without a body that is still to be read.
    var withoutStream: Response {
        guard stream != nil else { return self }
        var copy = self
        copy.stream = nil
        return copy
    }
}

extension SessionError {
    /// The error without a body that is still to be read.
    var withoutStream: SessionError {
        guard let response, response.stream != nil else { return self }
        var copy = self
        copy.response = response.withoutStream
        return copy
    }
}

/// An event with the number of the request that it is of.
public struct RequestEvent: Sendable {
    /// The request's number.
    public var request: RequestID
    /// What happened.
    public var event: SessionEvent

    /// Creates a pair.
    public init(request: RequestID, event: SessionEvent) {
        self.request = request
        self.event = event
    }
}

/// An attempt that got no response, one that validators refused, or one with a status of 400 or more.
public struct FailedAttempt: Sendable {
    /// The request as it was sent, adapted.
    public var request: Request
    /// The response, where there is one.
    public var response: Response?
    /// The error; nil for a response that no validator has refused.
    public var error: SessionError?
    /// The time since the first attempt began.
    public var elapsed: Duration

    /// Creates a record of an attempt.
    public init(request: Request, response: Response?, error: SessionError?, elapsed: Duration) {
        self.request = request
        self.response = response
        self.error = error
        self.elapsed = elapsed
    }
}

/// The session's own number of a request, unique within the session.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
    /// The number, from 1.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The number with a mark, as in `#7`.
    public var description: String { "#\(rawValue)" }
}
