/// Changes requests before they are sent.
///
/// The session's adapters are asked first, then the request's own, each time the request is sent: for each attempt, and
/// for each redirect to the request's own origin (a redirect to another origin carries no credentials; an adapter that
/// puts one in another field than `Authorization` or `Cookie` names it in ``Request/credentialFields``).
public protocol RequestAdapter: Sendable {
    /// Gives the request to be sent in place of `request`.
    ///
    /// An adapter that sets a field must replace what an earlier call of it has set.
    /// - Throws: Any error: the request then fails with ``SessionError/Reason/adapterFailed``, and the error is its
    ///   ``SessionError/underlying``.
    func adapt(_ request: Request, context: AttemptContext) async throws -> Request
}
