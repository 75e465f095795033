import Diagnostics
import YAML

extension LoadContext {
    /// Adds the problem that a value has the wrong type.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - expected: What it should be, in words.
    ///   - key: Its key, which the message names.
    ///   - suggestion: What to write instead, when that is known.
    func reportType(_ node: YAMLNode, expected: String, key: YAMLNode? = nil, suggestion: String? = nil) {
        // An alias without an anchor stands for nothing, and was reported as what it is.
        if node.isUndefinedAlias { return }
        var suggestion = suggestion
        if suggestion == nil, expected == "a string", let scalar = node.scalar, !scalar.isString, !scalar.text.isEmpty {
            suggestion = "write it in quotes: \"\(scalar.text)\""
        }
        let isNothing = node.scalar?.text.isEmpty == true && node.isNull
        let got = isNothing ? "nothing" : node.typeDescription
        let name = key?.scalar?.text
        report(
            "wrong-type", name.map { "\"\($0)\" takes \(expected), got \(got)" } ?? "expected \(expected), got \(got)",
            isNothing ? key?.range ?? node.range : node.range, suggestion: suggestion)
    }

    /// Adds the problem that the value of a key is not of its kind.
    func reportType(_ node: YAMLNode, of kind: ValueKind, key: YAMLNode) {
        reportType(node, expected: kind.phrase, key: key, suggestion: suggestion(for: node, of: kind))
    }

    /// The key with which the maps of a list usually begin.
    private static func firstKey(ofElement name: String) -> String {
        switch name {
        case "test": "name"
        case "webSocketElement": "send"
        default: "request"
        }
    }

    private func suggestion(for node: YAMLNode, of kind: ValueKind) -> String? {
        switch (kind, node.kind) {
        case (.list(.map(let name)), .mapping):
            return "begin each with \"- \(Self.firstKey(ofElement: name)):\""
        case (.list, .mapping):
            return "begin each with \"- \""
        case (.list(.text), .scalar):
            guard let scalar = node.scalar, scalar.isString, !scalar.text.utf8.contains(where: "\n\"'".utf8.contains)
            else {
                return nil
            }
            let words = scalar.text.split(separator: " ").map { word in
                word.utf8.contains(where: { "{}[],:#\"'&*!|>%@`".utf8.contains($0) }) ? "'\(word)'" : String(word)
            }
            return "write [\(words.joined(separator: ", "))]"
        case (.members, .sequence), (.jsonPaths, .sequence):
            return node.isFlow ? "write { name: value }" : "write \"name: value\", without \"-\""
        case (.anyOf(let kinds), .sequence):
            return kinds.lazy.compactMap { self.suggestion(for: node, of: $0) }.first
        default: return nil
        }
    }
}
