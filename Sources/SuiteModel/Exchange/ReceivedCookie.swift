/// A cookie that a response set.
public struct ReceivedCookie: Sendable, Hashable {
    /// The cookie's name.
    public var name: String
    /// The cookie's value.
    public var value: String
    /// The whole value of the `Set-Cookie` field, with the attributes (RFC 6265, section 4.1).
    public var field: String

    /// Creates a cookie.
    ///
    /// - Parameter field: The whole value of the `Set-Cookie` field; nil for a cookie without attributes.
    public init(name: String, value: String, field: String? = nil) {
        self.name = name
        self.value = value
        self.field = field ?? "\(name)=\(value)"
    }
}
