/// Why a document that a schema refers to could not be loaded.
public struct JSONSchemaResourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without a final full stop.
    public let message: String

    /// Makes an error.
    public init(message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
