/// What adapters and retriers know of the attempt that they are asked about.
public struct AttemptContext: Sendable {
    /// The request's number.
    public let id: RequestID
    /// The attempt, from 1.
    public let attempt: Int
    /// How many redirects led to what is sent now; an adapter is asked again for a redirect to the same origin.
    public let redirects: Int
    /// The session that sends the request, also for requests that an adapter makes itself, such as for a token.
    public let session: Session
    /// What the library's own adapters and retriers keep of the request.
    let memory: RequestMemory

    init(
        id: RequestID, attempt: Int, redirects: Int = 0, session: Session, memory: RequestMemory = RequestMemory()
    ) {
        self.id = id
        self.attempt = attempt
        self.redirects = redirects
        self.session = session
        self.memory = memory
    }

    /// The absolute URL of a request.
    /// - Throws: ``SessionError`` with ``SessionError/Reason/invalidURL``.
    public func url(of request: Request) throws(SessionError) -> HTTPURL {
        try session.url(of: request)
    }
}
