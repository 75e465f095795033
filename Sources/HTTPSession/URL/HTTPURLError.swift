/// Why a text is not a URL that can be requested.
public struct HTTPURLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in plain words.
    public let message: String

    /// The reason in plain words.
    public var description: String { message }
}
