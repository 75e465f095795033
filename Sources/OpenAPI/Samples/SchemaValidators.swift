import JSON
import JSONSchema

/// The compiled schemas that samples are held against, each compiled at its first use.
final class SchemaValidators: Sendable {
    private let schemas: ContractSchemas
    private let direction: OpenAPIExtension.Direction

    init(_ description: OpenAPIDescription, _ direction: SampleDirection) {
        schemas = ContractSchemas(description, assertsFormat: true)
        self.direction = direction == .request ? .request : .response
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
        switch schemas.compiled(schema, direction) {
        case .schema(let compiled): compiled
        case .unusable: nil
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
