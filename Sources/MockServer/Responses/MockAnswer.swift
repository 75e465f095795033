import SuiteModel

/// What the responder decided for one request.
struct MockAnswer: Sendable {
    /// The answer itself.
    var reply: Reply
    /// How long it is held back, in nanoseconds.
    var delay: Int64 = 0
    /// When the connection is dropped instead.
    var drop: MockResponse.Drop?
    /// What answered, for the log.
    var route: String?
}
