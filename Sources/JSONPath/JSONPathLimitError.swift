/// An evaluation was given up because it took too long or selected too much.
public struct JSONPathLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence without a final full stop, with what to do.
    public let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
