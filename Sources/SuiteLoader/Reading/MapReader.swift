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
    @inline(__always)
    func read(_ node: YAMLNode, _ body: (Key, YAMLNode, YAMLNode) -> Void) {
        guard let mapping = node.mapping else {
            context.reportType(node, expected: "a map")
            return
        }
        var seen: UInt64 = 0
        for (key, value) in mapping {
            guard let text = key.scalar?.text else { continue }
            guard let position = schema.position(of: text) else {
                reportUnknown(key, text)
                continue
            }
            seen |= 1 << UInt64(truncatingIfNeeded: position)
            let forms = schema.forms[position]
            if forms != .any, !forms.contains(NodeForms(of: value)) {
                context.reportType(value, expected: schema.description.entries[position].kind.phrase, key: key)
                continue
            }
            body(schema.keys[position], key, value)
        }
        for position in schema.required where seen & (1 << UInt64(truncatingIfNeeded: position)) == 0 {
            reportMissing(position, node)
        }
    }

    private func reportMissing(_ position: Int, _ node: YAMLNode) {
        let name = schema.description.entries[position].name
        context.report(
            "missing-key", "\(schema.description.title) needs \"\(name)\"",
            node.mapping?.first?.key.range ?? node.range, suggestion: "add \"\(name): …\"")
    }

    private func reportUnknown(_ key: YAMLNode, _ text: String) {
        let description = schema.description
        if description.allowsExtensions, text.hasPrefix("x-") { return }
        if let unsupported = description.unsupported.first(where: { $0.name == text }) {
            context.report(
                "unsupported-key", "\"\(unsupported.name)\" is not supported yet", key.range,
                suggestion: "remove it for now")
            return
        }
        if let hint = description.misplaced[text] {
            context.report("unknown-key", "unknown key \"\(text)\"", key.range, suggestion: hint)
            return
        }
        let known = description.entries.map(\.name) + description.unsupported.map(\.name)
        let suggestion =
            Spelling.nearest(to: text, among: known).map { "did you mean \"\($0)\"?" }
            ?? "\(description.title) has the keys \(description.entries.map(\.name).joined(separator: ", "))"
        context.report("unknown-key", "unknown key \"\(text)\"", key.range, suggestion: suggestion)
    }
}
