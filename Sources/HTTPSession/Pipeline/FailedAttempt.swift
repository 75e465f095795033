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
