/// A request that is sent each time its response is asked for.
public struct PendingExchange: Sendable {
    /// The session that sends it.
    public let session: Session
    /// The request.
    public var request: Request
    /// What the response must satisfy; all are asked, and all findings are in the error.
    public var validators: [Validator]

    init(session: Session, request: Request) {
        self.session = session
        self.request = request
        validators = []
    }

    /// Refuses a response whose status is not 2xx.
    public func validate() -> PendingExchange {
        validate(.status(200..<300))
    }

    /// Refuses a response that the validator finds fault with.
    public func validate(_ validator: Validator) -> PendingExchange {
        var copy = self
        copy.validators.append(validator)
        return copy
    }

    /// Sends the request and gives the response.
    /// - Throws: ``SessionError``, also if a validator finds fault; its head and body then are the response's.
    public func response() async throws(SessionError) -> Response {
        let response = try await session.send(request)
        let findings = validators.compactMap { $0.check(response) }
        guard findings.isEmpty else {
            throw SessionError(
                phase: .validate, reason: .unacceptableResponse, message: findings.joined(separator: "; "),
                attempt: response.metrics.attempts, method: response.request.method,
                url: response.url.description, head: response.head, partialBody: response.body,
                history: response.history, metrics: response.metrics)
        }
        return response
    }

    /// Sends the request and gives the response's body.
    public func data() async throws(SessionError) -> [UInt8] {
        try await response().body
    }

    /// Sends the request and gives the response's body as text.
    public func string() async throws(SessionError) -> String {
        try await response().text
    }
}
