import JSON

/// An index into a registry's places.
typealias PlaceIndex = Int32

/// A value in one of the documents: a schema, or something on the way to one.
struct SchemaPlace {
    /// The place this one is directly inside of; -1 for a whole document.
    let parent: PlaceIndex
    /// The last token of the JSON Pointer.
    let token: String
    let value: JSONValue
    /// The schema resource that the place belongs to.
    var resource: Int32
    /// Whether the place is known to be a schema, so that identifiers inside of it have been found.
    var isSchema: Bool
    /// The node that the schema here is compiled to; -1 until then.
    var node: NodeIndex = -1
}
