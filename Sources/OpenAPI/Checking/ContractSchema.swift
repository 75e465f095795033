import JSON
import JSONSchema

/// A schema at one place of a description, compiled when it is first used.
final class ContractSchema: Sendable {
    /// What came of compiling a schema.
    enum Compiled: Sendable {
        case schema(JSONSchema)
        /// Why there is none, and where.
        case unusable(message: String, place: DescriptionNode)
    }

    /// Where the schema stands.
    let node: DescriptionNode
    private let direction: OpenAPIExtension.Direction
    private let schemas: ContractSchemas
    private let compiled = MadeOnce<Compiled>()
    private let shape = MadeOnce<ValueShape>()

    init(_ node: DescriptionNode, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas) {
        self.node = node
        self.direction = direction
        self.schemas = schemas
    }

    /// The schema, compiled at the first call.
    func schema() -> Compiled {
        compiled.value { schemas.compiled(node, direction) }
    }

    /// Whether a value certainly follows the schema.
    func admits(_ value: JSONValue) -> Bool {
        if case .schema(let schema) = schema() { schema.isValid(value) } else { false }
    }

    /// Which types of values the schema has where, for reading values out of texts.
    func valueShape() -> ValueShape {
        shape.value { ValueShape(node, schemas.description) }
    }

    /// Where in the description a violation's keyword stands.
    func place(of violation: JSONSchemaViolation) -> DescriptionNode {
        schemas.node(at: violation.schemaLocation) ?? node
    }
}
