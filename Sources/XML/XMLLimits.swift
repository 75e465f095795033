/// What a document may demand of the parser at most.
public struct XMLLimits: Sendable, Hashable {
    /// The length of the text, in bytes.
    public var bytes: Int
    /// How deep elements may be nested; libxml2 itself refuses more than 256 in XML.
    public var depth: Int
    /// The number of elements, attributes and namespace declarations.
    public var nodes: Int
    /// The number of entities that a document type declares or uses.
    public var entities: Int
    /// The length of all text that references to entities stand for, in bytes.
    public var expandedBytes: Int

    /// Creates limits; without arguments 64 MiB, 256 deep, two million nodes, 256 entities, 1 MiB expanded.
    public init(
        bytes: Int = 64 << 20, depth: Int = 256, nodes: Int = 2_000_000, entities: Int = 256,
        expandedBytes: Int = 1 << 20
    ) {
        self.bytes = bytes
        self.depth = depth
        self.nodes = nodes
        self.entities = entities
        self.expandedBytes = expandedBytes
    }
}
