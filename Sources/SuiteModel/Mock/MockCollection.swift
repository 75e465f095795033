public import Diagnostics
public import JSON

/// A stateful resource of the mock server: its items can be created, read, replaced, updated, deleted and listed.
public struct MockCollection: Sendable {
    /// What the items' identifiers are.
    public enum Identifier: String, Sendable, Hashable, CaseIterable {
        /// Whole numbers, counted from 1 upwards.
        case integer
        /// Random UUIDs (RFC 9562, version 4).
        case uuid
        /// Text, given by the client or counted.
        case string
    }

    /// The collection's name.
    public var name: String
    /// The path of the collection; an item has one segment more.
    public var path: String
    /// What the items' identifiers are.
    public var identifier: Identifier
    /// The member that holds an item's identifier.
    public var key: String
    /// The items with which every run begins.
    public var seed: [JSONObject]
    /// The place of the collection's name.
    public var range: SourceRange

    /// Creates a collection.
    public init(
        name: String, path: String, identifier: Identifier = .integer, key: String = "id", seed: [JSONObject] = [],
        range: SourceRange
    ) {
        self.name = name
        self.path = path
        self.identifier = identifier
        self.key = key
        self.seed = seed
        self.range = range
    }
}
