/// Why the bytes from a server are not a response that can be used.
struct HTTP1ParseFailure: Error {
    var reason: SessionError.Reason
    var message: String

    init(_ message: String) {
        self.reason = .invalidResponse
        self.message = message
    }

    init(limit: SessionError.SizeLimit, _ value: Int, _ message: String) {
        self.reason = .limitExceeded(limit, value)
        self.message = message
    }
}
