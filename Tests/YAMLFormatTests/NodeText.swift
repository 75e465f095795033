import YAML

/// The textual form of a node and its descendants, without locations: equal texts represent equal nodes.
enum NodeText {
    /// The maximum number of expanded nodes, so that an alias bomb works like any other test.
    private static let maximumNodes = 20_000

    static func text(of node: YAMLNode) -> String {
        var text = ""
        var count = 0
        write(node, to: &text, count: &count)
        return text
    }

    private static func write(_ node: YAMLNode, to text: inout String, count: inout Int) {
        count += 1
        guard count < maximumNodes else { return }
        if node.aliasRange != nil { text += "*" }
        if let scalar = node.scalar {
            text += "\(scalar.isString ? "string" : "other") \(scalar.style == .plain) \(scalar.value) \(scalar.text)\n"
        } else if let sequence = node.sequence {
            text += "["
            for element in sequence { write(element, to: &text, count: &count) }
            text += "]"
        } else if let mapping = node.mapping {
            text += "{"
            for (key, value) in mapping {
                write(key, to: &text, count: &count)
                text += ": "
                write(value, to: &text, count: &count)
            }
            text += "}"
        }
    }
}
