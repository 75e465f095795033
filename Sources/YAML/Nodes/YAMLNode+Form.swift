extension YAMLNode {
    /// What a node is, scalars told apart by the core schema of YAML 1.2 (section 10.3.2).
    public enum Form: Sendable, Hashable {
        /// `null`, `~` or nothing.
        case null
        /// `true` or `false`.
        case boolean
        /// A number, infinity and not-a-number included.
        case number
        /// Text.
        case string
        /// A list.
        case sequence
        /// A map.
        case mapping

        @inline(__always)
        init(_ record: NodeRecord) {
            switch record.kind {
            case .sequence: self = .sequence
            case .mapping: self = .mapping
            // The form is never asked of an alias.
            case .scalar, .alias:
                switch record.form {
                case .null: self = .null
                case .boolean: self = .boolean
                case .number, .nonFinite: self = .number
                case .string: self = .string
                }
            }
        }
    }

    /// What the node is, without making its text or value.
    public var form: Form { Form(record) }

    /// The text of a scalar that is short enough to be packed, or nil.
    public var packedName: PackedName? {
        let record = record
        guard record.kind == .scalar else { return nil }
        return arena.withText(of: record) { PackedName($0) }
    }

    /// Whether the node is a scalar whose text has a byte.
    public func textContains(_ byte: UInt8) -> Bool {
        let record = record
        guard record.kind == .scalar else { return false }
        return arena.withText(of: record) { $0.contains(byte) }
    }
}
