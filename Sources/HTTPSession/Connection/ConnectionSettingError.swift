/// A setting of a connection that cannot be used, such as a proxy's URL that is none.
public struct ConnectionSettingError: Error, Sendable, Hashable {
    /// What is wrong, in words.
    public var message: String

    /// Creates an error.
    public init(message: String) { self.message = message }
}

extension ConnectionSettingError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
