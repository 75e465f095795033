/// Why a file could not be read for `file()`.
public struct CELFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// Makes an error of its reason.
    public init(_ reason: String) {
        description = reason
    }
}
