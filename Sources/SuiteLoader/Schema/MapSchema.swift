import YAML

/// A map's description together with the keys as the reader switches over them.
final class MapSchema<Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable>: Sendable {
    /// A key with what describes it.
    struct Row: Sendable {
        let key: Key
        let kind: ValueKind
        let documentation: String
        let isRequired: Bool

        /// Creates a row of the table.
        init(_ key: Key, _ kind: ValueKind, required: Bool = false, _ documentation: String) {
            self.key = key
            self.kind = kind
            self.documentation = documentation
            isRequired = required
        }
    }

    /// The description, for the JSON Schema and for messages.
    let description: MapDescription
    /// The keys in the order of the description.
    let keys: [Key]
    /// The forms that each key's value may have.
    let forms: [NodeForms]
    /// The positions of required keys.
    let required: [Int]
    /// The names of ``keys``, packed.
    private let names: [(low: UInt64, high: UInt64)]

    /// Creates a schema from its table.
    init(
        _ name: String, title: String, _ documentation: String, rows: [Row], allowsExtensions: Bool = false,
        misplaced: [String: String] = [:]
    ) {
        description = MapDescription(
            name: name, title: title, documentation: documentation,
            entries: rows.map {
                MapDescription.Entry(
                    name: $0.key.rawValue, kind: $0.kind, documentation: $0.documentation, isRequired: $0.isRequired)
            },
            allowsExtensions: allowsExtensions, misplaced: misplaced)
        keys = rows.map(\.key)
        forms = rows.map(\.kind.forms)
        required = rows.indices.filter { rows[$0].isRequired }
        // A name that is too long to be packed gives words that no name has.
        names = rows.map { PackedName($0.key.rawValue).map { ($0.low, $0.high) } ?? (0, .max) }
    }

    /// The position of a key, or nil when the map has no such key.
    func position(of name: String) -> Int? {
        PackedName(name).flatMap(position)
    }

    /// The position of the key that a scalar is, or nil when the map has no such key.
    func position(of key: YAMLNode) -> Int? {
        key.packedName.flatMap(position)
    }

    @inline(__always)
    private func position(of name: PackedName) -> Int? {
        let (low, high) = (name.low, name.high)
        var index = 0
        while index < names.count {
            if names[index].low == low, names[index].high == high { return index }
            index += 1
        }
        return nil
    }
}
