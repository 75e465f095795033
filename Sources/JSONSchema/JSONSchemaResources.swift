public import JSON

/// Documents by URI: what the references of a schema may reach. The metaschemas of all dialects are always there.
public struct JSONSchemaResources: Sendable {
    /// Asked, with an absolute URI without a fragment, for a document that was not added; nil when there is none.
    ///
    /// It is never asked for a metaschema. Nothing else reads files, and nothing at all uses the network.
    public var loader: (@Sendable (_ uri: String) throws(JSONSchemaResourceError) -> JSONValue?)?

    /// The documents in the order they were added, with the URIs they were added with.
    private(set) var documents: [(uri: String, document: JSONValue)] = []
    private var positions: [String: Int] = [:]

    /// Makes an empty collection.
    public init() {}

    /// Adds a document, or replaces the one that has the same URI; schemas inside of it are found by their `$id` too.
    ///
    /// - Parameter uri: The URI; a fragment is left away.
    public mutating func add(_ document: JSONValue, uri: String) {
        let uri = URIReference(uri).normalized.withoutFragment
        if let position = positions[uri] {
            documents[position].document = document
        } else {
            positions[uri] = documents.count
            documents.append((uri, document))
        }
    }

    /// The place of the document that was added with a URI.
    func position(of uri: String) -> Int? { positions[uri] }
}

/// Why a document that a schema refers to could not be loaded.
public struct JSONSchemaResourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, without a final full stop.
    public let message: String

    /// Makes an error.
    public init(message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
