import Glibc

/// The result of the requests of one task or of all.
public struct LoadResult: Sendable {
    /// The number of correct responses.
    public var responses = 0
    /// The total size of their bodies in bytes.
    public var bytes = 0
    /// The number of requests without a response or with an unexpected one.
    public var failed = 0
    /// The reason of the first failure.
    public var failure: String?

    /// Creates an empty result.
    public init() {}

    /// Counts a response, which must be complete and have status 200, a body, and the requested protocol.
    @inlinable
    public mutating func count(status: Int, bytes: Int, isExpectedVersion: Bool) {
        if status == 200, bytes > 0, isExpectedVersion {
            responses += 1
            self.bytes += bytes
        } else {
            fail("status \(status), \(bytes) bytes, protocol \(isExpectedVersion ? "as expected" : "not as expected")")
        }
    }

    /// Counts a request without a response.
    public mutating func fail(_ message: String) {
        failed += 1
        if failure == nil { failure = message }
    }

    /// Adds the result of another task.
    public mutating func add(_ other: LoadResult) {
        responses += other.responses
        bytes += other.bytes
        failed += other.failed
        if failure == nil { failure = other.failure }
    }

    /// Prints the totals and exits, with status 1 if a request failed.
    public func conclude() -> Never {
        print("\(responses) responses, \(bytes) bytes, \(failed) failed")
        if let failure { Self.complain(failure) }
        exit(failed > 0 ? 1 : 0)
    }

    static func complain(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
