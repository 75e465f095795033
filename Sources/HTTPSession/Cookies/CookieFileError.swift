/// Why a file with cookies cannot be read or written.
public struct CookieFileError: Error, Sendable, Hashable {
    /// The reason in plain words, one line, with the path.
    public let message: String

    /// Creates an error.
    public init(message: String) {
        self.message = message
    }
}

extension CookieFileError: CustomStringConvertible {
    /// The reason.
    public var description: String { message }
}
