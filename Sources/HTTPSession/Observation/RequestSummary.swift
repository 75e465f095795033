/// What a request has come to, in numbers: what a metrics system is fed with.
public struct RequestSummary: Sendable {
    /// The request's number.
    public var id: RequestID
    /// The method of what was sent last.
    public var method: HTTPMethod
    /// The URL of what was sent last; nil if the request could not be made.
    public var url: HTTPURL?
    /// The status of the response, also where a validator or serializer has refused it.
    public var status: Int?
    /// Why it failed; nil if it did not.
    public var error: SessionError?
    /// From its creation to its end, with retries, delays and redirects.
    public var duration: Duration
    /// The measurements of every attempt, the last one at the end; those of attempts that never began are zero.
    public var attempts: [ExchangeMetrics]
    /// How many redirects were followed in all attempts.
    public var redirects: Int
    /// How long was waited between attempts.
    public var delays: Duration
    /// Whether the response is the cache's.
    public var isFromCache: Bool
    /// Whether the response was that of an equal request under way.
    public var isCoalesced: Bool
    /// Bytes sent in all attempts and hops: request lines, headers and bodies, before TLS.
    public var bytesSent: Int
    /// Bytes received in all attempts and hops: status lines, headers, bodies and framing, after TLS.
    public var bytesReceived: Int
}
