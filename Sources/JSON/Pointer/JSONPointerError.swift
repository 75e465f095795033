/// Why and where a text is not a JSON Pointer.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without a final full stop.
    public let message: String
    /// The place in the text, counted in Unicode scalars from 0.
    public let offset: Int

    /// Makes an error.
    public init(message: String, offset: Int) {
        self.message = message
        self.offset = offset
    }

    /// The message and its place.
    public var description: String { "\(message) (character \(offset + 1))" }
}
