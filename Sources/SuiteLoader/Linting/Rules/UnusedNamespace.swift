import YAML

/// Reports prefixes of XML namespaces that no XPath has.
enum UnusedNamespace: LintCheck {
    static let rule = LintRule("unused-namespace", "A prefix under `namespaces` that no XPath has")

    static func check(_ subject: LintSubject, _ report: (LintFinding) -> Void) {
        guard let namespaces = subject.root["namespaces"]?.members, !namespaces.isEmpty else { return }
        var unused = namespaces.compactMap { $0.key.scalar?.text }
        for (key, value) in subject.root.members where key.scalar?.text != "namespaces" { remove(&unused, in: value) }
        for (key, _) in namespaces {
            guard let prefix = key.scalar?.text, unused.contains(prefix) else { continue }
            report(
                LintFinding(
                    message: "no XPath has the prefix \"\(prefix)\"", range: key.range, suggestion: "remove it"))
        }
    }

    /// Removes the prefixes that a text of a node may have. Reading bounds the depth, so this recursion is bounded.
    private static func remove(_ prefixes: inout [String], in node: YAMLNode) {
        if prefixes.isEmpty { return }
        if let text = node.scalar?.text { remove(&prefixes, in: text) }
        for element in node.elements { remove(&prefixes, in: element) }
        for (key, value) in node.members {
            if let text = key.scalar?.text { remove(&prefixes, in: text) }
            remove(&prefixes, in: value)
        }
    }

    private static func remove(_ prefixes: inout [String], in text: String) {
        guard text.utf8.contains(UInt8(ascii: ":")) else { return }
        // A prefix is what stands directly before a colon.
        for part in text.split(separator: ":", omittingEmptySubsequences: false).dropLast() {
            prefixes.removeAll { prefix in
                part.hasSuffix(prefix)
                    && (part.utf8.dropLast(prefix.utf8.count).last.map { !isNamePart($0) } ?? true)
            }
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        ExpressionScan.isNamePart(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte >= 0x80
    }
}
