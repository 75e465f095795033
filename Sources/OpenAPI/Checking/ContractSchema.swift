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

    /// What came of compiling, behind a reference that tasks can read without waiting for each other.
    private final class Outcome: Sendable {
        let compiled: Compiled
        /// The schema; nil when there is none.
        let schema: JSONSchema?

        init(_ compiled: Compiled) {
            self.compiled = compiled
            if case .schema(let schema) = compiled { self.schema = schema } else { schema = nil }
        }
    }

    private final class Shape: Sendable {
        let shape: ValueShape

        init(_ shape: ValueShape) {
            self.shape = shape
        }
    }

    /// Where the schema stands.
    let node: DescriptionNode
    private let direction: OpenAPIExtension.Direction
    private let schemas: ContractSchemas
    private let outcome = AtomicLazyReference<Outcome>()
    private let shape = AtomicLazyReference<Shape>()

    init(_ node: DescriptionNode, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas) {
        self.node = node
        self.direction = direction
        self.schemas = schemas
    }

    /// The schema, compiled at the first call.
    func schema() -> Compiled { known().compiled }

    /// Whether a value certainly follows the schema.
    func admits(_ value: JSONValue) -> Bool { known().schema?.isValid(value) == true }

    private func known() -> Outcome {
        outcome.load() ?? outcome.storeIfNil(Outcome(schemas.compiled(node, direction)))
    }

    /// Which types of values the schema has where, for reading values out of texts.
    func valueShape() -> ValueShape {
        (shape.load() ?? shape.storeIfNil(Shape(ValueShape(node, schemas.description)))).shape
    }

    /// Where in the description a violation's keyword stands.
    func place(of violation: JSONSchemaViolation) -> DescriptionNode {
        schemas.node(at: violation.schemaLocation) ?? node
    }
}
