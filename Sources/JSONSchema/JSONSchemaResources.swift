public import Basics
public import JSON

/// The documents that references can reach, by URI. The metaschemas of all dialects are always available.
public struct JSONSchemaResources: Sendable {
    /// A closure that loads a document by its absolute URI without a fragment, or returns `nil` if it does not exist.
    ///
    /// The closure is called only for documents that were not added, and never for a metaschema. Apart from it, nothing
    /// reads files, and nothing uses the network.
    public var loader: (@Sendable (_ uri: String) throws(JSONSchemaResourceError) -> JSONValue?)?

    /// The documents in insertion order, with their URIs.
    private(set) var documents: [(uri: String, document: JSONValue)] = []
    private var positions: [String: Int] = [:]

    /// Creates an empty collection.
    public init() {}

    /// Adds a document or replaces the one with the same URI. Its nested schemas are also found by their `$id`.
    ///
    /// - Parameter uri: The URI of the document. A fragment is removed.
    public mutating func add(_ document: JSONValue, uri: String) {
        let uri = URIReference(uri).normalized.withoutFragment
        if let position = positions[uri] {
            documents[position].document = document
        } else {
            positions[uri] = documents.count
            documents.append((uri, document))
        }
    }

    /// Returns the index of the document with a URI.
    func position(of uri: String) -> Int? { positions[uri] }
}

/// An error that prevents a referenced document from loading.
public struct JSONSchemaResourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The description of the error, without a period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText

    /// Creates an error.
    public init(message: MessageText) {
        wording = message
    }

    /// The same as ``message``.
    public var description: String { message }
}
