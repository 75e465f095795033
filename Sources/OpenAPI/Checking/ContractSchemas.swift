import JSON
import JSONSchema
import Synchronization

/// The schemas of a description that were compiled so far: one for each place and direction, however many refer to it.
final class ContractSchemas: Sendable {
    private struct Key: Hashable {
        let node: DescriptionNode
        let direction: OpenAPIExtension.Direction
    }

    let description: OpenAPIDescription
    private let assertsFormat: Bool
    private let compiled = Mutex<[Key: ContractSchema.Compiled]>([:])

    init(_ description: OpenAPIDescription, assertsFormat: Bool) {
        self.description = description
        self.assertsFormat = assertsFormat
    }

    /// The compiled schema of a place, or of what it refers to.
    func compiled(_ node: DescriptionNode, _ direction: OpenAPIExtension.Direction) -> ContractSchema.Compiled {
        let target = target(of: node)
        return compiled.withLock { known in
            let key = Key(node: target, direction: direction)
            if let found = known[key] { return found }
            let made = compile(target, direction)
            known[key] = made
            return made
        }
    }

    /// What a schema that is nothing but a reference refers to.
    private func target(of node: DescriptionNode) -> DescriptionNode {
        guard node.reference != nil, node.value.objectValue?.count == 1 || description.version.usesSchemaDialect30,
            let target = description.resolved(node)
        else { return node }
        return target
    }

    private func compile(
        _ node: DescriptionNode, _ direction: OpenAPIExtension.Direction
    ) -> ContractSchema.Compiled {
        let options = JSONSchemaOptions(
            dialect: dialect, openAPI: OpenAPIExtension(direction: direction), assertsFormat: assertsFormat,
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
            let place = file.flatMap { file in
                error.pointer.evaluate(in: file.value).map {
                    DescriptionNode(file: file, pointer: error.pointer, value: $0)
                }
            }
            return .unusable(message: error.message, place: place ?? node)
        }
    }

    private var dialect: JSONSchemaDialect {
        if description.version.usesSchemaDialect30 { return .openAPI30 }
        return description.root["jsonSchemaDialect"]?.value.stringValue.flatMap { JSONSchemaDialect(uri: $0) }
            ?? .draft202012
    }

    /// The place that a location of the schema compiler means.
    func node(at location: String) -> DescriptionNode? {
        guard let hash = location.firstIndex(of: "#") else { return nil }
        guard let pointer = try? JSONPointer(uriFragment: String(location[location.index(after: hash)...])),
            let file = try? description.files.file(ofURI: String(location[..<hash]))
        else { return nil }
        return DescriptionNode(
            file: file, pointer: pointer, value: pointer.evaluate(in: file.value) ?? .null)
    }
}
