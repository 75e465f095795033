import Basics
import JSON
import JSONSchema
import Synchronization

/// An operation with its compiled schemas and its coverage indices.
final class ContractOperation: Sendable {
    /// A parameter of a request or a header of a response.
    struct Field: Sendable {
        let parameter: Parameter
        let schema: ContractSchema?
        /// The coverage index, or -1 if there is none.
        let item: Int
    }

    /// A body in one media type.
    struct Content: Sendable {
        let media: MediaType
        let schema: ContractSchema?
        let itemSchema: ContractSchema?
        let headers: [String: [Field]]
        let item: Int
    }

    /// A documented response.
    struct Answer: Sendable {
        let response: Response
        let headers: [Field]
        let content: [Content]
        let item: Int
    }

    let operation: Operation
    /// The method and path, such as `GET /books/{id}`.
    let title: String
    let parameters: [Field]
    let body: [Content]
    let answers: [Answer]
    let item: Int
    /// The security schemes that ``operation`` can refer to.
    private let schemes: [SecurityScheme]
    private let made = MadeOnce<OperationPlan>()

    init(_ operation: Operation, _ schemas: ContractSchemas, _ parts: inout [ContractPart]) {
        self.operation = operation
        let title = operation.title
        self.title = title
        schemes = schemas.description.securitySchemes
        item = parts.count
        parts.append(ContractPart(.operation, of: title))
        parameters = operation.parameters.map { parameter in
            parts.append(
                ContractPart(.parameter, of: title, name: "\(parameter.location.rawValue) \(parameter.name)"))
            return Self.field(parameter, .request, schemas, parts.count - 1)
        }
        // An unresolved reference counts toward the total because it cannot be covered.
        for reference in operation.unknownParameters {
            parts.append(ContractPart(.parameter, of: title, name: "$ref \(reference)"))
        }
        if let reference = operation.unknownRequestBody {
            parts.append(ContractPart(.request, of: title, name: "$ref \(reference)"))
        }
        body =
            operation.requestBody?.content.map { media in
                parts.append(ContractPart(.request, of: title, name: media.range.text))
                return Self.content(media, .request, schemas, parts.count - 1)
            } ?? []
        answers = operation.responses.map { response in
            let item = parts.count
            let status = response.status.description
            parts.append(ContractPart(.response, of: title, name: status))
            let content = response.content.map { media in
                parts.append(ContractPart(.responseContent, of: title, name: "\(status) \(media.range.text)"))
                return Self.content(media, .response, schemas, parts.count - 1)
            }
            return Answer(
                response: response, headers: response.headers.map { Self.field($0, .response, schemas, -1) },
                content: content, item: item)
        }
    }

    /// The tables that recognize conforming exchanges, built on first use.
    var plan: OperationPlan { made.value { OperationPlan(self, schemes) } }

    /// Returns the documented response for a status: the exact status, then its class, then the default.
    func answer(for status: Int) -> Answer? {
        answers.first { $0.response.status == .exact(status) }
            ?? answers.first { $0.response.status == .range(status / 100) }
            ?? answers.first { $0.response.status == .fallback }
    }

    private static func field(
        _ parameter: Parameter, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas, _ item: Int
    ) -> Field {
        let schema = parameter.schema ?? parameter.content?.schema
        return Field(
            parameter: parameter, schema: schema.map { ContractSchema($0, direction, schemas) }, item: item)
    }

    private static func content(
        _ media: MediaType, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas, _ item: Int
    ) -> Content {
        var headers: [String: [Field]] = [:]
        for encoding in media.encodings where !encoding.headers.isEmpty {
            headers[encoding.property] = encoding.headers.map { field($0, direction, schemas, -1) }
        }
        return Content(
            media: media, schema: media.schema.map { ContractSchema($0, direction, schemas) },
            itemSchema: media.itemSchema.map { ContractSchema($0, direction, schemas) }, headers: headers, item: item)
    }
}

extension [ContractOperation.Content] {
    /// Returns the entry that matches a media type most specifically.
    func bestMatch(for mediaType: MediaRange) -> ContractOperation.Content? {
        var best: (entry: ContractOperation.Content, rank: Int)?
        for entry in self {
            guard let rank = entry.media.range.specificity(for: mediaType) else { continue }
            if rank > best?.rank ?? -1 { best = (entry, rank) }
        }
        return best?.entry
    }
}

/// A schema at one location of a description, compiled on first use.
final class ContractSchema: Sendable {
    /// The result of compiling a schema.
    enum Compiled: Sendable {
        case schema(JSONSchema)
        /// The schema cannot be used, for a reason and at a location.
        case unusable(message: String, location: DescriptionNode)
    }

    /// The location of the schema.
    let node: DescriptionNode
    /// The direction of the values.
    let direction: OpenAPIExtension.Direction
    private let schemas: ContractSchemas
    private let compiled = MadeOnce<Compiled>()
    private let shape = MadeOnce<ValueShape>()

    init(_ node: DescriptionNode, _ direction: OpenAPIExtension.Direction, _ schemas: ContractSchemas) {
        self.node = node
        self.direction = direction
        self.schemas = schemas
    }

    /// Returns the schema, compiled on the first call.
    ///
    /// - Parameter isPartial: Whether values may lack members (``OpenAPIExtension/isPartial``).
    func schema(isPartial: Bool = false) -> Compiled {
        if isPartial { return schemas.compiled(node, direction, isPartial: true) }
        return compiled.value { schemas.compiled(node, direction) }
    }

    /// Returns whether a value is certain to be valid against the schema.
    func admits(_ value: JSONValue) -> Bool {
        if case .schema(let schema) = schema() { schema.isValid(value) } else { false }
    }

    /// Returns the types of the schema and its members, which are needed to parse values from strings.
    func valueShape() -> ValueShape {
        shape.value { ValueShape(node, schemas.description) }
    }

    /// Returns the location of a violation's keyword in the description.
    func location(of violation: JSONSchemaViolation) -> DescriptionNode {
        schemas.node(at: violation.schemaLocation) ?? node
    }
}

/// The compiled schemas of a description: one for each location and direction, shared by all references.
final class ContractSchemas: Sendable {
    private struct Key: Hashable {
        let node: DescriptionNode
        let direction: OpenAPIExtension.Direction
        let isPartial: Bool
    }

    let description: OpenAPIDescription
    private let assertsFormat: Bool
    private let compiled = Mutex<[Key: ContractSchema.Compiled]>([:])

    init(_ description: OpenAPIDescription, assertsFormat: Bool) {
        self.description = description
        self.assertsFormat = assertsFormat
    }

    /// Returns the compiled schema at a location, or the compiled target of its reference.
    func compiled(
        _ node: DescriptionNode, _ direction: OpenAPIExtension.Direction, isPartial: Bool = false
    ) -> ContractSchema.Compiled {
        let target = target(of: node)
        return compiled.withLock { known in
            let key = Key(node: target, direction: direction, isPartial: isPartial)
            if let found = known[key] { return found }
            let made = compile(target, OpenAPIExtension(direction: direction, isPartial: isPartial))
            known[key] = made
            return made
        }
    }

    /// Returns the target of a schema that consists only of a reference.
    private func target(of node: DescriptionNode) -> DescriptionNode {
        guard node.reference != nil, node.value.objectValue?.count == 1 || description.version.usesSchemaDialect30,
            let target = description.resolved(node)
        else { return node }
        return target
    }

    private func compile(_ node: DescriptionNode, _ openAPI: OpenAPIExtension) -> ContractSchema.Compiled {
        let options = JSONSchemaOptions(
            dialect: dialect, openAPI: openAPI, assertsFormat: assertsFormat,
            baseURI: DescriptionURI.uri(of: node.file.location))
        var resources = JSONSchemaResources()
        let files = description.files
        resources.loader = { uri throws(JSONSchemaResourceError) in
            do throws(DescriptionFiles.ReferenceProblem) {
                return try files.file(ofURI: uri).value
            } catch {
                throw JSONSchemaResourceError(message: error.message)
            }
        }
        do throws(JSONSchemaError) {
            let schema = try JSONSchema(
                at: node.pointer, in: node.file.value, resources: resources, options: options)
            return .schema(schema)
        } catch {
            let file = try? files.file(ofURI: error.uri)
            let location = file.flatMap { file in
                error.pointer.evaluate(in: file.value).map {
                    DescriptionNode(file: file, pointer: error.pointer, value: $0)
                }
            }
            return .unusable(message: error.message, location: location ?? node)
        }
    }

    private var dialect: JSONSchemaDialect {
        if description.version.usesSchemaDialect30 { return .openAPI30 }
        return description.schemaDialect.flatMap { JSONSchemaDialect(uri: $0) } ?? .draft202012
    }

    /// Returns the node for a location that the schema compiler reported.
    func node(at location: String) -> DescriptionNode? {
        guard let hash = location.firstIndex(of: "#") else { return nil }
        guard let pointer = try? JSONPointer(uriFragment: String(location[location.index(after: hash)...])),
            let file = try? description.files.file(ofURI: String(location[..<hash]))
        else { return nil }
        return DescriptionNode(
            file: file, pointer: pointer, value: pointer.evaluate(in: file.value) ?? .null)
    }
}
