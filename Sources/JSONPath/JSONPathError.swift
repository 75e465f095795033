/// Why and where a text is not a JSONPath.
public struct JSONPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without the place and without a final full stop.
    public let message: String
    /// Where the offending part starts, counted in Unicode scalars from 0.
    public let offset: Int
    /// How long the offending part is in Unicode scalars; 0 at the end of the text.
    public let length: Int

    /// Makes an error.
    public init(message: String, offset: Int, length: Int) {
        self.message = message
        self.offset = offset
        self.length = length
    }

    /// The message and its place.
    public var description: String { "\(message) (character \(offset + 1))" }
}
