/// An attribute of an element.
public struct XMLAttribute: Sendable, Hashable {
    /// The attribute's name.
    public var name: XMLName
    /// Its value, with references replaced and white space normalized.
    public var value: String

    /// Creates an attribute.
    public init(_ name: XMLName, _ value: String) {
        self.name = name
        self.value = value
    }
}
