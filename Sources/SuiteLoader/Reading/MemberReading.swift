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
                if kind.phrase == "a string", isWrittenNull(value) {
                    reportType(
                        value, expected: kind.phrase, key: key, suggestion: "write the text, or leave \"\(name)\" out")
                } else {
                    reportType(value, of: kind, key: key)
                }
                continue
            }
            body(name, key, value)
        }
    }

    /// Whether a value is a null that is written as one, such as `~`, which hardly stands for a text.
    private func isWrittenNull(_ node: YAMLNode) -> Bool {
        node.isNull && node.scalar?.text.isEmpty == false
    }

    /// The strings of a list, or of a string that stands for a list of one.
    func strings(_ node: YAMLNode, what: String) -> [(text: String, node: YAMLNode)] {
        let templates = TemplateReader(self)
        guard let sequence = node.sequence else { return [(templates.name(node, what: what), node)] }
        var texts: [(text: String, node: YAMLNode)] = []
        for element in sequence {
            guard element.scalar?.isString == true else {
                reportType(
                    element, expected: "a string",
                    suggestion: isWrittenNull(element) ? "write \(what), or leave the element out" : nil)
                continue
            }
            texts.append((templates.name(element, what: what), element))
        }
        return texts
    }

    /// Checks that a name can be used in an expression, and reports it if not.
    func checkName(_ name: String, _ key: YAMLNode, what: String) {
        guard let problem = VariableNames.problem(of: name, what: what) else { return }
        report("invalid-name", problem.message, key.range, suggestion: problem.suggestion)
    }
}
