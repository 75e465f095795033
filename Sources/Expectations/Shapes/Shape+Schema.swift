public import Basics
import Diagnostics
public import JSON

extension Shape {
    /// The shape as a JSON Schema (2020-12), with the members in a stable order.
    ///
    /// Recursive, but the depth of shapes is limited when they are created.
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

    /// Returns whether one string precedes another in written schemas, by their bytes.
    static func precedes(_ first: String, _ second: String) -> Bool {
        first.utf8.lexicographicallyPrecedes(second.utf8)
    }

    /// A short description of the shape: `object { id, title? }`, `array of string (uuid)`, `integer or null`.
    public var phrase: MessageText { phrase(depth: 0) }

    private func phrase(depth: Int) -> MessageText {
        if isAny { return "anything" }
        let parts = types.names.map { name -> MessageText in
            switch name {
            case "string": textPhrase
            case "array": elementsPhrase(depth: depth)
            case "object": membersPhrase(depth: depth)
            default: MessageText(words: name)
            }
        }
        return parts.isEmpty ? "nothing" : ValueDescription.list(parts)
    }

    private var textPhrase: MessageText {
        switch text {
        case .values(let values):
            "one of \(ValueDescription.names(values.sorted(by: Self.precedes)))"
        case .format(let format): "string (\(MessageText(words: format.rawValue)))"
        case .free, nil: "string"
        }
    }

    private func elementsPhrase(depth: Int) -> MessageText {
        guard case .of(let shape) = elements else { return "array" }
        return depth > 1 ? "array" : "array of \(shape.phrase(depth: depth + 1))"
    }

    private func membersPhrase(depth: Int) -> MessageText {
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
    /// Returns a name unchanged, or quoted if it is long or contains bytes other than visible ASCII.
    fileprivate static func plainName(_ name: String) -> String {
        let isPlain = !name.isEmpty && name.utf8.count <= 40 && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain ? name : plain(.string(name), limit: 40)
    }
}

extension Shape {
    /// Creates a shape from a JSON Schema of the kind that ``schema`` returns.
    ///
    /// - Throws: ``ShapeSchemaError`` for anything else. Other keywords are errors because they would not be checked.
    public init(schema: JSONValue) throws(ShapeSchemaError) {
        var reader = ShapeReader()
        self = try reader.shape(schema, depth: 0)
    }
}

/// A parser of the subset of JSON Schema that represents shapes.
private struct ShapeReader {
    private static let keywords = [
        "type", "enum", "format", "required", "properties", "additionalProperties", "items",
    ]

    private var path: [String] = []

    mutating func shape(_ value: JSONValue, depth: Int) throws(ShapeSchemaError) -> Shape {
        guard case .object(let schema) = value else { throw problem("expected a schema, which is a mapping") }
        if schema.isEmpty { return .any }
        guard depth <= ShapeLimits.depth else {
            throw problem("the schema is nested more than \(ShapeLimits.depth) levels deep")
        }
        for (name, _) in schema where !Self.keywords.contains(name) {
            path.append(name)
            throw problem(
                "unknown keyword \"\(name)\"",
                suggestion: Spelling.suggestion(for: name, among: Self.keywords))
        }
        var shape = Shape(types: try types(schema))
        try readText(schema, into: &shape)
        try readMembers(schema, into: &shape, depth: depth)
        if let items = schema["items"] {
            try require(.array, "items", in: shape)
            path.append("items")
            shape.elements = .of(try self.shape(items, depth: depth + 1))
            path.removeLast()
        }
        shape.normalize()
        return shape
    }

    private mutating func types(_ schema: JSONObject) throws(ShapeSchemaError) -> ShapeTypes {
        guard let value = schema["type"] else { throw problem("missing key \"type\" in the schema") }
        path.append("type")
        var types: ShapeTypes = []
        for value in value.arrayValue ?? [value] {
            guard let name = value.stringValue, let type = ShapeTypes(name: name) else {
                throw problem(
                    "unknown type; expected \(ValueDescription.list(ShapeTypes.named.map { MessageText(words: $0.name) }))"
                )
            }
            types.insert(type)
        }
        if types.isEmpty { throw problem("the sequence of types is empty") }
        path.removeLast()
        return types
    }

    private mutating func readText(_ schema: JSONObject, into shape: inout Shape) throws(ShapeSchemaError) {
        if let format = schema["format"] {
            try require(.string, "format", in: shape)
            path.append("format")
            guard let known = format.stringValue.flatMap(ShapeFormat.init(rawValue:)) else {
                throw problem(
                    "unknown format; expected \(ValueDescription.list(ShapeFormat.allCases.map { MessageText(words: $0.rawValue) }))"
                )
            }
            path.removeLast()
            shape.text = .format(known)
        }
        guard let values = schema["enum"] else { return }
        path.append("enum")
        guard case .array(let list) = values, !list.isEmpty else { throw problem("expected a sequence of values") }
        guard shape.types.isSubset(of: [.string, .null]), schema["format"] == nil else {
            throw problem("\"enum\" is allowed only with the type string, or string and null")
        }
        var texts: Set<String> = []
        for (index, value) in list.enumerated() where !value.isNull {
            guard let text = value.stringValue else {
                path.append(String(index))
                throw problem("expected a string")
            }
            texts.insert(text)
        }
        guard texts.count <= ShapeLimits.values else {
            throw problem("more than \(ShapeLimits.values) values; remove \"enum\" to allow all")
        }
        path.removeLast()
        if shape.types.contains(.string) { shape.text = .values(texts) }
    }

    private mutating func readMembers(
        _ schema: JSONObject, into shape: inout Shape, depth: Int
    ) throws(ShapeSchemaError) {
        if let values = schema["additionalProperties"] {
            try require(.object, "additionalProperties", in: shape)
            path.append("additionalProperties")
            if schema.contains("properties") || schema.contains("required") {
                throw problem("\"additionalProperties\" cannot be combined with \"properties\" or \"required\"")
            }
            shape.members = .map(try self.shape(values, depth: depth + 1))
            path.removeLast()
            return
        }
        var record: [String: Shape.Member] = [:]
        if let properties = schema["properties"] {
            try require(.object, "properties", in: shape)
            path.append("properties")
            guard case .object(let properties) = properties else {
                throw problem("expected a mapping from names to schemas")
            }
            for (name, value) in properties {
                path.append(name)
                record[name] = Shape.Member(try self.shape(value, depth: depth + 1), isRequired: false)
                path.removeLast()
            }
            path.removeLast()
        }
        if let required = schema["required"] {
            try require(.object, "required", in: shape)
            path.append("required")
            guard case .array(let names) = required else { throw problem("expected a sequence of names") }
            for (index, value) in names.enumerated() {
                guard let name = value.stringValue, record[name] != nil else {
                    path.append(String(index))
                    throw problem("expected a name from \"properties\"")
                }
                record[name]?.isRequired = true
            }
            path.removeLast()
        }
        if shape.types.contains(.object) { shape.members = .record(record) }
    }

    private mutating func require(
        _ type: ShapeTypes, _ keyword: String, in shape: Shape
    ) throws(ShapeSchemaError) {
        guard !shape.types.contains(type) else { return }
        path.append(keyword)
        throw problem("\"\(keyword)\" is allowed only with the type \(ValueDescription.list(type.names))")
    }

    private func problem(_ message: MessageText, suggestion: MessageText? = nil) -> ShapeSchemaError {
        ShapeSchemaError(message: message, path: path, suggestion: suggestion)
    }
}

/// An error in the schema of a shape.
public struct ShapeSchemaError: Error, Sendable, Hashable {
    /// A one-sentence description without a final period.
    public var message: MessageText
    /// The path from the root of the schema to the error: member names and element indices.
    public var path: [String]
    /// The suggested replacement.
    public var suggestion: MessageText?
}
