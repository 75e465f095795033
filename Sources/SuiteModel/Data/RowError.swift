/// Why a row of a file cannot be read while the suite runs.
public struct RowError: Error, Sendable, Hashable {
    /// One sentence without a final full stop.
    public var message: String

    /// Creates an error.
    public init(message: String) {
        self.message = message
    }
}
