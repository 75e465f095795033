/// An example or a default with the schema that it should follow.
struct SchemaSample {
    /// The value.
    var value: DescriptionNode
    /// The schema.
    var schema: DescriptionNode
    /// What messages call the value.
    var noun: String
    /// Whether the value is sent, not received; nil for one that may be either.
    var isRequest: Bool?
}
