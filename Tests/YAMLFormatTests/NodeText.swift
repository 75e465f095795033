import YAML

/// A node with all below it as a text, without places: equal texts are equal nodes.
enum NodeText {
    /// Aliases are written out at most this often, so that a bomb of aliases is as a test as any other.
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
