public import JSON

/// Turns a schema that is written in YAML into the JSON value that it is.
public enum SchemaValue {
    /// Keywords whose values are data, not schemas.
    private static let data = ["const", "enum", "default", "examples", "example"]

    /// The value of a node; the null of `type: [string, null]` is the name of a type.
    ///
    /// - Parameter text: Gives the text of a scalar or of a key.
    public static func value(of node: YAMLNode, text: (YAMLNode) -> String = { $0.scalar?.text ?? "" }) -> JSONValue {
        value(of: node, isData: false, text: text)
    }

    private static func value(of node: YAMLNode, isData: Bool, text: (YAMLNode) -> String) -> JSONValue {
        // The depth of nodes is bounded when they are read, so this recursion is bounded.
        if let scalar = node.scalar { return scalar.isString ? .string(text(node)) : scalar.value }
        if let sequence = node.sequence {
            return .array(sequence.map { value(of: $0, isData: isData, text: text) })
        }
        guard let mapping = node.mapping else { return .null }
        var object = JSONObject()
        object.reserveCapacity(mapping.count)
        for (key, member) in mapping {
            let name = text(key)
            var value = value(of: member, isData: isData || data.contains(name), text: text)
            if name == "type", !isData { value = withNamedNull(value) }
            object.append(name, value)
        }
        return .object(object)
    }

    private static func withNamedNull(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null: "null"
        case .array(let elements): .array(elements.map { $0.isNull ? "null" : $0 })
        case .bool, .number, .string, .object: value
        }
    }
}
