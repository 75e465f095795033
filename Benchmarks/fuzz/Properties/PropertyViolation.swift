/// A property that an input violates.
public struct PropertyViolation: Error, Sendable, CustomStringConvertible {
    /// The property and the values that violate it.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Throws a violation unless a condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(PropertyViolation) {
    if !condition { throw PropertyViolation(message()) }
}

/// Throws a violation unless a range of Unicode scalars, as an offset and a length, lies within a text.
func requireLocation(
    offset: Int, length: Int, in source: String, _ message: @autoclosure () -> String
) throws(PropertyViolation) {
    let count = source.unicodeScalars.count
    try require(
        offset >= 0 && length >= 0 && offset <= count && length <= count - offset,
        "the place \(offset)+\(length) is outside of the \(count) characters: \(message())")
}
