public import JSON

/// A name that a test used, and what it stood for.
public struct UsedVariable: Sendable, Hashable {
    /// The name: of a variable, a capture, or a column of a row.
    public var name: String
    /// The value as JSON; a value that JSON cannot hold is its text.
    public var value: JSONValue

    /// Creates a variable.
    public init(name: String, value: JSONValue) {
        self.name = name
        self.value = value
    }
}
