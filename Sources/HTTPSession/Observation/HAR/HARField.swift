public import JSON

/// A name and a value in a HAR file: a header field or a query parameter.
public struct HARField: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a pair.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The pair as it is in the file.
    public var json: JSONValue { ["name": .string(name), "value": .string(value)] }
}
