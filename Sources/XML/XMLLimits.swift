/// The maximum demands that a document may make on the parser.
public struct XMLLimits: Sendable, Hashable {
    /// The maximum length of the text, in bytes.
    public var bytes: Int
    /// The maximum nesting of elements; libxml2 itself refuses more than 256 in XML.
    public var depth: Int
    /// The maximum number of elements.
    public var elements: Int
    /// The maximum number of nodes: elements, attributes, namespace declarations, texts, comments and instructions.
    public var nodes: Int
    /// The maximum number of attributes of one element, of namespaces in scope, and of attributes in a document type.
    public var attributes: Int
    /// The maximum number of entities that a document type declares or uses.
    public var entities: Int
    /// The maximum length of all text that references to entities stand for, in bytes.
    public var expandedBytes: Int
    /// The maximum length of a document type's internal subset, in bytes.
    public var documentTypeBytes: Int
    /// The maximum processor time of parsing.
    public var time: Duration

    /// Creates limits.
    public init(
        bytes: Int = 64 << 20, depth: Int = 256, elements: Int = 1_000_000, nodes: Int = 2_000_000,
        attributes: Int = 1000, entities: Int = 256, expandedBytes: Int = 1 << 20, documentTypeBytes: Int = 64 << 10,
        time: Duration = .seconds(10)
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.nodes = nodes
        self.attributes = attributes
        self.entities = entities
        self.expandedBytes = expandedBytes
        self.documentTypeBytes = documentTypeBytes
        self.time = time
    }
}
