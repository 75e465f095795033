import JSON
import JSONSchema
import Synchronization

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
    private let compiled = Mutex<Compiled?>(nil)
    private let shape = Mutex<ValueShape?>(nil)

    init(_ node: DescriptionNode, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas) {
        self.node = node
        self.direction = direction
        self.schemas = schemas
    }

    /// The schema, compiled at the first call.
    func schema() -> Compiled {
        compiled.withLock { known in
            if let known { return known }
            let made = schemas.compiled(node, direction)
            known = made
            return made
        }
    }

    /// Which types of values the schema has where, for reading values out of texts.
    func valueShape() -> ValueShape {
        shape.withLock { known in
            if let known { return known }
            let made = ValueShape(node, schemas.description)
            known = made
            return made
        }
    }

    /// Where in the description a violation's keyword stands.
    func place(of violation: JSONSchemaViolation) -> DescriptionNode {
        schemas.node(at: violation.schemaLocation) ?? node
    }
}
