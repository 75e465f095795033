public import JSON

/// An example of a value (Example Object, or `example`, or an element of a schema's `examples`).
public struct Example: Sendable {
    /// The name; empty for the only one.
    public var name: String
    /// The value; nil when it is only named by a URL.
    public var value: JSONValue?
    /// The value as text, as it is sent (3.2).
    public var serializedValue: String?
    /// Where it stands; where its `$ref` leads.
    public var node: DescriptionNode
}
