/// Why a mock server could not be started.
public struct MockServerError: Error, Sendable, CustomStringConvertible {
    /// What went wrong, as one sentence without a final full stop.
    public let message: String

    /// The message.
    public var description: String { message }
}
