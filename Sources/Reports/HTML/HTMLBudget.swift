import SuiteModel

/// How much the page may say of each test, so that it can be opened when very many failed.
struct HTMLBudget {
    /// What is written of a test at most.
    struct Limits: Hashable {
        /// Bytes of a body of a request.
        var requestBody: Int
        /// Bytes of a body of a response.
        var responseBody: Int
        /// Bytes of a message, a detail, or a value.
        var text: Int
        /// Bytes of a curl command.
        var command: Int
        /// Messages of a WebSocket, and events of a stream.
        var messages: Int
        /// Attempts before the one that counts.
        var attempts: Int
    }

    private static let full = Limits(
        requestBody: 16_384, responseBody: 49_152, text: 16_384, command: 16_384, messages: 100, attempts: 20)
    private static let short = Limits(
        requestBody: 1_024, responseBody: 2_048, text: 2_048, command: 2_048, messages: 10, attempts: 2)
    private static let least = Limits(
        requestBody: 0, responseBody: 0, text: 500, command: 500, messages: 0, attempts: 0)
    /// Bytes after which less is written of each test.
    private static let fullBytes = 16 << 20
    /// Bytes after which the least is written of each test.
    private static let shortBytes = 32 << 20

    /// Bytes that may be written of tests that passed.
    private static let passedBytes = 8 << 20

    private var spent = 0
    /// Bytes of tests that passed, which take nothing from those that did not.
    private var spentOnPassed = 0

    /// What may be written of the next test.
    var limits: Limits {
        if spent < Self.fullBytes { return Self.full }
        return spent < Self.shortBytes ? Self.short : Self.least
    }

    /// Whether less was written of some test than of others.
    var isShort: Bool { spent >= Self.fullBytes || !hasRoomForPassed }

    /// Whether more than a row may be written of a test that passed.
    var hasRoomForPassed: Bool { spentOnPassed < Self.passedBytes }

    /// Counts bytes that were written of a test.
    mutating func spend(_ bytes: Int, on outcome: TestResult.Outcome) {
        if outcome == .passed { spentOnPassed += bytes } else { spent += bytes }
    }
}
