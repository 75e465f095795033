import Basics
import Diagnostics
import YAML

/// Reads a map by its schema: finds each key, checks the form of its value, and reports what does not fit.
struct MapReader<Key: RawRepresentable<String> & CaseIterable & Hashable & Sendable> {
    /// What the readers share.
    let context: LoadContext
    /// The table of the map's keys.
    let schema: MapSchema<Key>

    /// Creates a reader.
    init(_ context: LoadContext, _ schema: MapSchema<Key>) {
        self.context = context
        self.schema = schema
    }

    /// Calls `body` for each known key whose value has a form that the schema allows.
    ///
    /// - Parameters:
    ///   - node: The map.
    ///   - body: What reads the value: the key, the key's node, the value's node.
    /// - Returns: The keys that need not be called missing.
    @discardableResult
    @inline(__always)
    func read(_ node: YAMLNode, _ body: (Key, YAMLNode, YAMLNode) -> Void) -> FoundKeys<Key> {
        guard let mapping = node.mapping else {
            context.reportType(node, expected: "a map")
            return FoundKeys(bits: .max, keys: schema.keys)
        }
        var seen: UInt64 = 0
        var index = 0
        let count = mapping.count
        while index < count {
            let (key, value) = mapping[index]
            index += 1
            guard let position = schema.position(of: key) else {
                seen |= reportUnknown(key, key.scalar?.text ?? "")
                continue
            }
            seen |= 1 << UInt64(truncatingIfNeeded: position)
            let forms = schema.forms[position]
            if forms != .any, !forms.contains(NodeForms(of: value)) {
                context.reportType(value, of: schema.description.entries[position].kind, key: key)
                continue
            }
            body(schema.keys[position], key, value)
        }
        for position in schema.required where seen & (1 << UInt64(truncatingIfNeeded: position)) == 0 {
            reportMissing(position, node)
        }
        return FoundKeys(bits: seen, keys: schema.keys)
    }

    private func reportMissing(_ position: Int, _ node: YAMLNode) {
        let name = schema.description.entries[position].name
        context.report(
            "missing-key", "\(schema.description.title) needs \"\(name)\"",
            node.mapping?.first?.key.range ?? node.range, suggestion: "add \"\(name): …\"")
    }

    /// Reports a key that the map cannot have, and gives the bits of the known keys that are not missing on its account.
    private func reportUnknown(_ key: YAMLNode, _ text: String) -> UInt64 {
        let description = schema.description
        if description.allowsExtensions, text.hasPrefix("x-") { return FoundKeys<Key>.extensionBit }
        if let hint = description.misplaced[text] {
            context.report("unknown-key", "unknown key \"\(text)\"", key.range, suggestion: hint)
            // A file of another kind lacks all that this kind needs.
            return hint.hasPrefix("this is a ") ? .max : bits { hint.contains("\"\($0)\"") }
        }
        let nearest = Spelling.nearest(to: text, among: description.entries.map(\.name))
        let suggestion =
            nearest.map { "did you mean \"\($0)\"?" }
            ?? "\(description.title) has the keys \(description.entries.map(\.name).joined(separator: ", "))"
        context.report("unknown-key", "unknown key \"\(text)\"", key.range, suggestion: suggestion)
        return bits { $0 == nearest }
    }

    /// The bits of the keys whose names satisfy a condition.
    private func bits(_ isMeant: (String) -> Bool) -> UInt64 {
        var bits: UInt64 = 0
        for (position, entry) in schema.description.entries.enumerated() where isMeant(entry.name) {
            bits |= 1 << UInt64(truncatingIfNeeded: position)
        }
        return bits
    }
}
