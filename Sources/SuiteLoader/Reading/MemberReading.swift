import Diagnostics
import YAML

extension LoadContext {
    /// Calls `body` for each member of a map with names of the user's choice whose value has an allowed form.
    ///
    /// - Parameters:
    ///   - node: The map.
    ///   - kind: What each value may be.
    ///   - body: What reads the value: the key's text, the key's node, the value's node.
    func readMembers(_ node: YAMLNode, _ kind: ValueKind, _ body: (String, YAMLNode, YAMLNode) -> Void) {
        guard let mapping = node.mapping else {
            reportType(node, expected: "a map")
            return
        }
        let forms = kind.forms
        for (key, value) in mapping {
            guard let name = key.scalar?.text else { continue }
            if forms != .any, !forms.contains(NodeForms(of: value)) {
                reportType(value, of: kind, key: key)
                continue
            }
            body(name, key, value)
        }
    }

    /// The strings of a list, or of a string that stands for a list of one.
    func strings(_ node: YAMLNode, what: String) -> [(text: String, node: YAMLNode)] {
        let templates = TemplateReader(self)
        guard let sequence = node.sequence else { return [(templates.name(node, what: what), node)] }
        var texts: [(text: String, node: YAMLNode)] = []
        for element in sequence {
            guard element.scalar?.isString == true else {
                reportType(element, expected: "a string")
                continue
            }
            texts.append((templates.name(element, what: what), element))
        }
        return texts
    }

    /// Checks that a name can be used in an expression, and reports it if not.
    func checkName(_ name: String, _ key: YAMLNode, what: String) {
        if NameRules.isIdentifier(name) {
            switch NameRules.taken[name] {
            case nil: return
            case .reserved:
                report("invalid-name", "\"\(name)\" is a word of the expression language and no name", key.range)
            case .response:
                report(
                    "invalid-name", "\"\(name)\" is known after a response and cannot name \(what)", key.range,
                    suggestion: "choose another name")
            case .exchanges:
                report(
                    "invalid-name", "\"\(name)\" gives earlier exchanges and cannot name \(what)", key.range,
                    suggestion: "choose another name")
            case .port:
                report(
                    "invalid-name", "\"\(name)\" is the port of what \"serve\" starts and cannot name \(what)",
                    key.range, suggestion: "choose another name")
            }
            return
        }
        let other = NameRules.identifier(like: name)
        report(
            "invalid-name", "\"\(name)\" cannot be used as a name in expressions", key.range,
            suggestion: other.isEmpty ? "use letters, digits and \"_\"" : "write \"\(other)\"")
    }
}
