/// Puts values into a request: into its query, or as its body with the header that says what it is.
public protocol RequestSerializer: Sendable {
    /// Changes a request so that it carries the parameters.
    ///
    /// A `Content-Type` that the request has already is kept.
    /// - Throws: Any error: the request then fails with ``SessionError/Reason/unencodable``, and the error is its
    ///   ``SessionError/underlying``.
    func serialize(_ parameters: some Encodable, into request: inout Request) throws
}
