/// An expression that cannot be compiled, and where in it.
public struct CELSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong: one sentence without a final full stop.
    public let message: String
    /// Where it begins in the expression, in Unicode scalars.
    public let offset: Int
    /// How far it reaches, in Unicode scalars; may be zero at the end of the expression.
    public let length: Int

    /// Makes an error.
    public init(message: String, offset: Int, length: Int) {
        self.message = message
        self.offset = offset
        self.length = length
    }

    /// The message and its offset.
    public var description: String { "\(message) (at \(offset))" }
}
