public import JSON

/// A mistake in a schema: where it is and what to do about it.
public struct JSONSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right, without a final full stop.
    public let message: String
    /// The place in the document.
    public let pointer: JSONPointer
    /// The URI by which the document was found; empty for the schema itself when it was given without a base URI.
    public let uri: String

    /// Makes an error.
    public init(message: String, pointer: JSONPointer, uri: String) {
        self.message = message
        self.pointer = pointer
        self.uri = uri
    }

    /// The message and its place.
    public var description: String { "\(message) (\(uri)#\(URIReference.fragment(of: pointer)))" }
}
