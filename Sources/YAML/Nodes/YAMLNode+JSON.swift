public import JSON

extension YAMLNode {
    /// The node with all below it as a value; members keep their order, and keys are the text that is written.
    ///
    /// Infinity and not-a-number, which JSON cannot express, become strings.
    public var json: JSONValue {
        // Reading bounds the depth, aliases included, so this recursion is bounded.
        if let sequence { return .array(sequence.map(\.json)) }
        if let mapping {
            var object = JSONObject()
            object.reserveCapacity(mapping.count)
            for (key, value) in mapping { object.append(key.scalar?.text ?? "", value.json) }
            return .object(object)
        }
        return scalar?.value ?? .null
    }
}
