/// Something that differs between two schemas, before it is known what they describe.
struct SchemaFinding {
    /// What differs.
    enum Kind {
        /// An aspect of the schemas, by its name.
        case aspect(String)
        /// An added or removed schema of `allOf`, which matters only as far as something else differs.
        case allOf(String)
        /// Types or formats.
        case types(old: SchemaTypeSummary, new: SchemaTypeSummary)
        /// A new member.
        case propertyAdded(SchemaMember)
        /// A member that is gone.
        case propertyRemoved(SchemaMember)
        /// A member that became required.
        case propertyBecameRequired(SchemaMember)
        /// A member that became optional.
        case propertyBecameOptional(SchemaMember)
        /// A member that became, or no longer is, `read-only` or `write-only`.
        case mutability(SchemaMember, kind: String, isSet: Bool)
    }

    var kind: Kind
    /// What was found, as it stands in the sentence.
    var detail: String?
    var oldPlace: DescriptionNode?
    var newPlace: DescriptionNode?
    /// The level in place of the aspect's.
    var level: ChangeLevel?
}

/// A member of an object schema, as far as it matters for what its coming and going means.
struct SchemaMember {
    var name: String
    var isRequired: Bool
    var hasDefault: Bool
    var isReadOnly: Bool
    var isWriteOnly: Bool
}

/// The types and the format of a schema.
struct SchemaTypeSummary: Hashable {
    /// The types without null; nil for any.
    var types: SchemaTypes?
    /// Names that are not types of JSON Schema.
    var unknown: [String] = []
    var format: String?

    /// Both as text: `string (date-time)`.
    var text: String {
        let known = types.map { $0.isEmpty && unknown.isEmpty ? ["null"] : $0.names } ?? ["any type"]
        let names = (known + unknown).joined(separator: " or ")
        return format.map { "\(names) (\($0))" } ?? names
    }
}
