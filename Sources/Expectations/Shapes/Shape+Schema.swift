public import JSON

extension Shape {
    /// The shape as a JSON Schema (2020-12), with members in a stable order.
    ///
    /// The depth of shapes is bounded where they are made, and with it this recursion.
    public var schema: JSONValue {
        var schema = JSONObject()
        if isAny { return .object(schema) }
        let names = types.names.map { JSONValue.string($0) }
        schema.append("type", names.count == 1 ? names[0] : .array(names))
        switch text {
        case .values(let values):
            let all = values.sorted(by: Self.precedes).map { JSONValue.string($0) }
            schema.append("enum", .array(all + (types.contains(.null) ? [.null] : [])))
        case .format(let format): schema.append("format", .string(format.rawValue))
        case .free, nil: break
        }
        switch members {
        case .record(let record):
            let names = record.keys.sorted(by: Self.precedes)
            let required = names.filter { record[$0]?.isRequired == true }
            if !required.isEmpty { schema.append("required", .array(required.map { .string($0) })) }
            if !names.isEmpty {
                var properties = JSONObject()
                properties.reserveCapacity(names.count)
                for name in names { properties.append(name, record[name]?.shape.schema ?? .object(JSONObject())) }
                schema.append("properties", .object(properties))
            }
        case .map(let values): schema.append("additionalProperties", values.schema)
        case nil: break
        }
        if case .of(let shape) = elements { schema.append("items", shape.schema) }
        return .object(schema)
    }

    /// The order of texts in what is written: that of their bytes.
    static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// The shape without what a reader need not see: `object { id, title? }`, `array of string (uuid)`, `integer or null`.
    public var phrase: String { phrase(depth: 0) }

    private func phrase(depth: Int) -> String {
        if isAny { return "anything" }
        let parts = types.names.map { name -> String in
            switch name {
            case "string": textPhrase
            case "array": elementsPhrase(depth: depth)
            case "object": membersPhrase(depth: depth)
            default: name
            }
        }
        return parts.isEmpty ? "nothing" : ValueDescription.list(parts)
    }

    private var textPhrase: String {
        switch text {
        case .values(let values):
            "one of " + ValueDescription.names(values.sorted(by: Self.precedes))
        case .format(let format): "string (\(format.rawValue))"
        case .free, nil: "string"
        }
    }

    private func elementsPhrase(depth: Int) -> String {
        guard case .of(let shape) = elements else { return "array" }
        return depth > 1 ? "array" : "array of \(shape.phrase(depth: depth + 1))"
    }

    private func membersPhrase(depth: Int) -> String {
        switch members {
        case .map(let shape): return depth > 1 ? "object" : "object with values of \(shape.phrase(depth: depth + 1))"
        case .record(let record) where !record.isEmpty && depth == 0:
            let names = record.sorted { Self.precedes($0.key, $1.key) }
            let shown = names.prefix(8).map { ValueDescription.plainName($0.key) + ($0.value.isRequired ? "" : "?") }
            return "object { \((shown + (names.count > 8 ? ["…"] : [])).joined(separator: ", ")) }"
        case .record, nil: return "object"
        }
    }
}

extension ValueDescription {
    /// A name as it is, or in quotation marks when it has bytes that are not visible, or is long.
    fileprivate static func plainName(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.count <= 40 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain ? name : plain(.string(name), limit: 40)
    }
}
