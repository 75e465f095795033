import JSON
import JSONSchema
import Synchronization

/// The compiled schemas that samples are held against, each compiled at its first use.
final class SchemaValidators: Sendable {
    private struct State {
        var schemas: [DescriptionNode: JSONSchema?] = [:]
        var documents: [DescriptionFile: JSONValue] = [:]
    }

    private let description: OpenAPIDescription
    private let direction: SampleDirection
    private let state = Mutex(State())

    init(_ description: OpenAPIDescription, _ direction: SampleDirection) {
        self.description = description
        self.direction = direction
    }

    /// Whether a value follows a schema; nil when the schema cannot be compiled.
    func isValid(_ value: JSONValue, _ schema: DescriptionNode) -> Bool? {
        compiled(schema).map { $0.isValid(value) }
    }

    /// The first thing in a value that does not follow a schema.
    func violation(of value: JSONValue, _ schema: DescriptionNode) -> String? {
        compiled(schema)?.violations(of: value).first?.description
    }

    private func compiled(_ schema: DescriptionNode) -> JSONSchema? {
        if let known = state.withLock({ $0.schemas[schema] }) { return known }
        var resources = JSONSchemaResources()
        resources.loader = { [weak self] uri throws(JSONSchemaResourceError) in
            guard let self, let file = try? description.files.file(at: Self.location(uri)) else { return nil }
            return document(of: file)
        }
        let options = JSONSchemaOptions(
            dialect: description.version.usesSchemaDialect30 ? .draft4 : .draft202012, assertsFormat: true,
            baseURI: Self.uri(schema.file.location))
        let result = try? JSONSchema(
            at: schema.pointer, in: document(of: schema.file), resources: resources, options: options)
        state.withLock { $0.schemas[schema] = .some(result) }
        return result
    }

    private static func uri(_ location: String) -> String {
        "file:///" + (location.hasPrefix("/") ? String(location.dropFirst()) : location)
    }

    private static func location(_ uri: String) -> String {
        "/" + uri.drop { $0 != "/" }.drop { $0 == "/" }
    }

    /// A file as it counts for one direction: members that the other one alone has are not required.
    private func document(of file: DescriptionFile) -> JSONValue {
        if let known = state.withLock({ $0.documents[file] }) { return known }
        let root = DescriptionNode(file: file, value: file.value)
        let result = adapted(root, depth: 0)
        state.withLock { $0.documents[file] = result }
        return result
    }

    private func adapted(_ node: DescriptionNode, depth: Int) -> JSONValue {
        guard depth < 512 else { return node.value }
        switch node.value {
        case .null, .bool, .number, .string: return node.value
        case .array: return .array(node.elements.map { adapted($0, depth: depth + 1) })
        case .object(let object):
            var result = JSONObject()
            for member in node.members { result.append(member.name, adapted(member, depth: depth + 1)) }
            if let required = object["required"]?.arrayValue, object["properties"] != nil || object["allOf"] != nil {
                let kept = required.filter { !isExcluded($0.stringValue ?? "", of: node, depth: 0) }
                if kept.count != required.count {
                    if kept.isEmpty {
                        result.removeValue(forKey: "required")
                    } else {
                        result["required"] = .array(kept)
                    }
                }
            }
            if description.version.usesSchemaDialect30, object["nullable"]?.boolValue == true,
                let type = object["type"]?.stringValue
            {
                result["type"] = .array([.string(type), .string("null")])
            }
            return .object(result)
        }
    }

    private func isExcluded(_ name: String, of schema: DescriptionNode, depth: Int) -> Bool {
        guard depth < 8 else { return false }
        if let property = schema["properties"]?[name] {
            return description.isExcluded(property, from: direction)
        }
        return (schema["allOf"]?.elements ?? []).contains { part in
            description.resolved(part).map { isExcluded(name, of: $0, depth: depth + 1) } ?? false
        }
    }
}

extension OpenAPIDescription {
    /// Whether a member goes the other way alone (`readOnly`, `writeOnly`).
    func isExcluded(_ schema: DescriptionNode, from direction: SampleDirection) -> Bool {
        let keyword = direction.excludingKeyword
        if schema.value[keyword]?.boolValue == true { return true }
        return schema.reference != nil && resolved(schema)?.value[keyword]?.boolValue == true
    }
}
