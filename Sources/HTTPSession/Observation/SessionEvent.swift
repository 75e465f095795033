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
