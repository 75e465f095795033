import JSON
package import YAML

extension OpenAPIDescription {
    /// Creates a description that consists only of a JSON Schema, for a ``SchemaSampler``.
    ///
    /// The schema is the root of the description. It is read as JSON Schema, without the keywords of OpenAPI 3.0.
    ///
    /// - Parameters:
    ///   - document: The schema.
    ///   - location: The location that relative references in the schema resolve against.
    ///   - source: The source of the files that the schema refers to.
    /// - Throws: ``DescriptionFiles/ReferenceProblem`` if the schema is only a reference, and the reference has no
    ///   target.
    package init(
        schema document: LocatedDocument, at location: String, source: any DocumentSource
    ) throws(DescriptionFiles.ReferenceProblem) {
        let files = DescriptionFiles(source: source)
        let file = DescriptionFile(location: location, document: document)
        files.add(file)
        let root = DescriptionNode(file: file, value: file.value)
        let target = try files.resolve(root)
        self.init(
            version: .openAPI31, title: "", apiVersion: "", servers: [], paths: [], webhooks: [], securitySchemes: [],
            security: nil, tags: [], schemaDialect: target.file.value["$schema"]?.stringValue, root: root, files: files,
            problems: [])
    }
}
