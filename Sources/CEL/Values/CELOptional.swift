/// A value that may be absent, as `optional.of`, `optional.none` and `a.?b` give it.
public final class CELOptional: Sendable {
    /// The value, or nil when it is absent.
    public let value: CELValue?

    /// Wraps a value, or its absence.
    public init(_ value: CELValue?) {
        self.value = value
    }

    /// The optional without a value.
    static let none = CELOptional(nil)
}
