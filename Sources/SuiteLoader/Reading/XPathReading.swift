import Basics
import Diagnostics
import SuiteModel
import XML
import YAML

extension LoadContext {
    /// The predefined prefix of XML and its namespace (Namespaces in XML 1.0, section 3).
    private static let xmlNamespace = (prefix: "xml", name: "http://www.w3.org/XML/1998/namespace")

    /// Returns the namespaces of a suite, with those of its settings files.
    func namespaces(_ layers: [SettingsLayer]) -> [String: String] {
        layers.reduce(into: [:]) { all, layer in all.merge(namespaces(layer.root)) { $1 } }
    }

    /// Returns the namespaces of a file. A value with a wrong type is reported by the reader of the mapping.
    func namespaces(_ root: YAMLNode) -> [String: String] {
        guard let node = root["namespaces"], node.kind == .mapping else { return [:] }
        var namespaces: [String: String] = [:]
        let templates = TemplateReader(self)
        readMembers(node, .string) { prefix, key, value in
            let name = templates.constant(value, what: "the name of a namespace")
            if prefix.isEmpty {
                report(
                    "invalid-namespace", "a namespace needs a prefix, even if it is the default namespace of documents",
                    key.range, suggestion: "choose one, and write it before names: //p:name")
            } else if !XMLName.isNameWithoutColon(prefix) {
                report("invalid-namespace", "\"\(prefix)\" is not a valid prefix", key.range)
            } else if prefix == "xmlns" || (prefix == Self.xmlNamespace.prefix) != (name == Self.xmlNamespace.name) {
                report(
                    "invalid-namespace", "the prefix \"\(prefix)\" is reserved",
                    prefix == "xmlns" || prefix == "xml" ? key.range : value.range,
                    suggestion: prefix == "xmlns" ? "the default namespace of a document needs a prefix here" : nil)
            } else if name.isEmpty {
                report(
                    "invalid-namespace", "the name of a namespace cannot be empty", value.range,
                    suggestion: "omit the prefix of names that have no namespace")
            }
            namespaces[prefix] = name
        }
        return namespaces
    }

    /// Compiles the XPath in a scalar; reports an error and returns nil if it is invalid.
    func xpath(_ node: YAMLNode) -> XPathQuery? {
        guard let text = node.scalar?.text else { return nil }
        reportMissingLibrary(node)
        return xpath(text) { newXPath(text, node) }
    }

    /// Compiles an XPath that is not in the cache.
    private func newXPath(_ text: String, _ node: YAMLNode) -> XPathQuery? {
        let expression: XPathExpression
        do {
            expression = try XPathExpression(text)
        } catch {
            guard let column = error.column else {
                report("invalid-xpath", error.wording, node.range)
                return nil
            }
            let length = error.length ?? 1
            let name = String(text.unicodeScalars.dropFirst(column - 1).prefix(length))
            let nearest = error.known.isEmpty ? nil : Spelling.nearest(to: name, among: error.known)
            let isJSONPath = text.hasPrefix("$.") || text == "$" || text.hasPrefix("$[")
            report(
                "invalid-xpath", isJSONPath ? "expected an XPath, got a JSONPath" : error.wording,
                ScalarLocator.range(in: node, from: column - 1, to: column - 1 + length),
                suggestion: nearest.map { "did you mean \"\($0)\"?" })
            return nil
        }
        let namespaces = settings.namespaces
        for prefix in expression.prefixes where namespaces[prefix.name] == nil && prefix.name != "xml" {
            let known = namespaces.keys.filter { XMLName.isNameWithoutColon($0) && $0 != "xmlns" }.sorted()
            let suggestion: MessageText
            if let nearest = Spelling.nearest(to: prefix.name, among: known) {
                suggestion = "did you mean \"\(nearest)\"?"
            } else if known.isEmpty {
                suggestion = "add \"namespaces: { \(prefix.name): … }\" to the suite"
            } else {
                suggestion =
                    "the suite has \(known.map { "\"\($0)\"" }.joined(separator: ", ")); add it to \"namespaces\""
            }
            report(
                "unknown-prefix", "no namespace has the prefix \"\(prefix.name)\"",
                ScalarLocator.range(in: node, from: prefix.offset, to: prefix.offset + prefix.length),
                suggestion: suggestion)
            return nil
        }
        return XPathQuery(expression: expression, namespaces: namespaces)
    }
}
