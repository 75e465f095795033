/// Why a pattern was refused, and where in the pattern the reason lies.
public struct RegularExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence without a final full stop.
    public let message: String

    /// Where the offending part starts, counted in Unicode scalars of the pattern.
    public let offset: Int

    /// How many Unicode scalars the offending part has; 0 at the end of the pattern.
    public let length: Int

    /// Makes an error about a part of a pattern.
    public init(message: String, offset: Int, length: Int) {
        self.message = message
        self.offset = offset
        self.length = length
    }

    /// The message with the offset, for logs and tests.
    public var description: String { "\(message) (at \(offset))" }
}
