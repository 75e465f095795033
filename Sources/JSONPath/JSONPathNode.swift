public import JSON

/// A value that a path selected, with its place in the document.
public struct JSONPathNode: Sendable, Hashable {
    /// Where the value is.
    public let path: NormalizedPath
    /// The value.
    public let value: JSONValue

    /// Makes a node.
    public init(path: NormalizedPath, value: JSONValue) {
        self.path = path
        self.value = value
    }
}
