import JSON

/// An item of a collection with its serialized form, which is made once for each change.
struct CollectionItem: Sendable {
    /// The position in the order in which items were created.
    let serial: Int
    /// The item's identifier as it stands in URLs, not encoded.
    let identifier: String
    /// The members.
    let value: JSONObject
    /// The members as JSON text.
    let bytes: [UInt8]
    /// The entity tag (RFC 9110, section 8.8.3).
    let tag: String

    /// Creates an item or a new version of one.
    init(serial: Int, version: Int, identifier: String, value: JSONObject) {
        self.serial = serial
        self.identifier = identifier
        self.value = value
        bytes = JSONValue.object(value).serializedBytes()
        tag = "\"\(serial)-\(version)\""
    }
}
