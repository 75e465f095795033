/// Why a value has no canonical form: a number in it is beyond the range of `Double` (RFC 8785 §3.2.2.3).
public struct JSONCanonicalizationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The place of the number.
    public let location: NormalizedPath
    /// The number.
    public let number: JSONNumber

    /// Makes an error.
    public init(location: NormalizedPath, number: JSONNumber) {
        self.location = location
        self.number = number
    }

    /// What is wrong and where, without a final full stop.
    public var description: String {
        "\(location.shorthand): \(number.literal) has no canonical form, for it is beyond the range of a double; "
            + "write it as a string"
    }
}
