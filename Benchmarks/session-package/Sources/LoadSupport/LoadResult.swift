import Glibc

/// What came of the requests of one task, or of all.
public struct LoadResult: Sendable {
    /// How many responses were as they should be.
    public var responses = 0
    /// The bytes of their bodies.
    public var bytes = 0
    /// How many requests had no response, or another than was expected.
    public var failed = 0
    /// What was wrong with the first of these.
    public var failure: String?

    /// Creates a result in which nothing has happened.
    public init() {}

    /// Counts a response; it must be complete, with status 200, a body, and the protocol that was asked for.
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

    /// Adds what came of another task's requests.
    public mutating func add(_ other: LoadResult) {
        responses += other.responses
        bytes += other.bytes
        failed += other.failed
        if failure == nil { failure = other.failure }
    }

    /// Prints the sums and ends the program: with status 1 if a request failed.
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
