/// A header field as sent or received; the name's case is kept (RFC 9110, section 5).
public struct HeaderField: Sendable, Hashable {
    /// The field's name.
    public var name: String
    /// The field's value.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether the field has the name, without regard to ASCII case.
    public func isNamed(_ other: String) -> Bool {
        guard name.utf8.count == other.utf8.count else { return false }
        // Most fields are written as they are asked for.
        return name == other || differsOnlyInCase(from: other)
    }

    private func differsOnlyInCase(from other: String) -> Bool {
        var left = name
        var right = other
        return left.withUTF8 { left in
            right.withUTF8 { right in
                for index in 0..<min(left.count, right.count) {
                    let (a, b) = (left[index], right[index])
                    if a != b && (a ^ b != 0x20 || (a | 0x20) < 0x61 || (a | 0x20) > 0x7A) { return false }
                }
                return true
            }
        }
    }
}
