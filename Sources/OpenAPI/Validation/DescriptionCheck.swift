public import Diagnostics

extension OpenAPILoader {
    /// Loads a description and reports all problems, including those of unused parts.
    ///
    /// - Parameter location: The location of the main file.
    /// - Returns: The description, or `nil` if the file cannot be read or is not an OpenAPI description, and the
    ///   problems.
    public func check(_ location: String) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let (description, found) = load(location)
        guard let description else { return (nil, found) }
        let original = description.root.file.original
        // The check inspects the source, not the result of converting a Swagger 2.0 description.
        let files = description.version == .swagger2 ? DescriptionFiles(source: source) : description.files
        files.add(original)
        var check = StructureCheck(
            DescriptionNode(file: original, value: original.value), version: description.version, files: files,
            operations: LinkTargets(description.operations))
        check.run()
        var problems = check.problems
        let structural = Set(problems.all.map(Told.init))
        var samples = SampleCheck(description)
        samples.run(check.samples)
        for problem in samples.problems.all { problems.add(problem) }
        // Unresolved references are grouped, with one location for each group.
        let tellsReferences = !structural.contains { $0.id == Self.reference }
        for problem in found where !structural.contains(Told(problem)) {
            if tellsReferences || problem.id != Self.reference { problems.add(problem) }
        }
        return (description, problems.sorted)
    }

    /// Loads a description. If `isStrict` is true, the problems include the errors that ``check(_:)`` finds in all
    /// parts.
    ///
    /// - Parameters:
    ///   - location: The location of the main file.
    ///   - isStrict: Whether to check all parts of the description.
    /// - Returns: The description, or `nil` if the file cannot be read or is not an OpenAPI description, and the
    ///   problems.
    public func load(
        _ location: String, isStrict: Bool
    ) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        guard isStrict else { return load(location) }
        let (description, problems) = check(location)
        guard let description else { return (nil, problems) }
        let loaded = Set(description.problems)
        return (description, problems.filter { $0.severity == .error || loaded.contains($0) })
    }

    private static let reference = "unresolved-reference"

    /// The identity of a problem at a location. The structure is checked twice, with different messages.
    private struct Told: Hashable {
        var id: String
        var range: SourceRange?

        init(_ problem: Diagnostic) {
            id = problem.id == "invalid-schema" ? "invalid-openapi" : problem.id
            range = problem.range
        }
    }
}

/// Suggestions for keys of other versions or in the wrong object.
enum UnknownKeyHints {
    /// Returns a suggestion for a key that an object does not have.
    static func hint(_ name: String, _ kind: ObjectKind, _ version: OpenAPIVersion) -> String? {
        switch kind {
        case .root: root[name]
        case .operation: operation[name]
        case .parameter, .header:
            if name == "collectionFormat" {
                "that was Swagger 2.0: use \"style\" and \"explode\""
            } else if kind == .header, ["name", "in"].contains(name) {
                "a header has the name under which it stands"
            } else if valueKeywords.contains(name) {
                "put it into \"schema\""
            } else {
                nil
            }
        case .response, .swaggerResponse:
            if kind == .response, name == "schema" || name == "examples" {
                "put it under \"content\" and a media type"
            } else if kind == .swaggerResponse, name == "content" {
                "that came with OpenAPI 3.0: use \"schema\" and \"produces\""
            } else {
                nil
            }
        case .requestBody:
            name == "schema" ? "put it under \"content\" and a media type" : nil
        case .example: "put the example itself under \"value\""
        case .schema: schema(name, version)
        case .swaggerRoot: swaggerRoot[name]
        case .swaggerOperation: swaggerOperation[name]
        default: nil
        }
    }

    private static let root = [
        "swagger": "remove it: \"openapi\" says the version",
        "definitions": "that was Swagger 2.0: use components: { schemas: … }",
        "parameters": "put them under \"components\"", "responses": "put them under \"components\"",
        "schemas": "put them under \"components\"",
        "securityDefinitions": "that was Swagger 2.0: use components: { securitySchemes: … }",
        "securitySchemes": "put them under \"components\"", "host": "that was Swagger 2.0: use \"servers\"",
        "basePath": "that was Swagger 2.0: use \"servers\"", "schemes": "that was Swagger 2.0: use \"servers\"",
        "consumes": "that was Swagger 2.0: name media types under \"content\"",
        "produces": "that was Swagger 2.0: name media types under \"content\"",
    ]

    private static let operation = [
        "consumes": "that was Swagger 2.0: name media types under requestBody: { content: … }",
        "produces": "that was Swagger 2.0: name media types under the responses' \"content\"",
        "schemes": "that was Swagger 2.0: use \"servers\"",
    ]

    private static let swaggerRoot = [
        "openapi": "remove it: \"swagger\" says the version",
        "components": "that came with OpenAPI 3.0: use \"definitions\", \"parameters\", \"responses\"",
        "servers": "that came with OpenAPI 3.0: use \"host\", \"basePath\" and \"schemes\"",
    ]

    private static let swaggerOperation = [
        "requestBody": "that came with OpenAPI 3.0: use a parameter with in: body",
        "servers": "that came with OpenAPI 3.0: use \"schemes\"", "callbacks": "that came with OpenAPI 3.0",
    ]

    private static let valueKeywords: Set = [
        "type", "format", "items", "default", "enum", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum",
        "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "properties",
        "nullable",
    ]

    private static func schema(_ name: String, _ version: OpenAPIVersion) -> String? {
        if name == "nullable" {
            return version == .swagger2
                ? "that came with OpenAPI 3.0: use x-nullable"
                : "since OpenAPI 3.1 it is ignored: add 'null' to \"type\""
        }
        if name == "id", !version.usesSchemaDialect30 { return "it is called \"$id\"" }
        guard version.usesSchemaDialect30 else { return nil }
        switch name {
        case "const": return "write it as an enum with one value"
        case "examples": return "use \"example\""
        case "oneOf", "anyOf", "not", "writeOnly", "deprecated": return "that came with OpenAPI 3.0"
        case "$defs", "definitions": return "put schemas under \"components\""
        case "if", "then", "else", "prefixItems", "contains", "patternProperties", "propertyNames", "$id", "$anchor",
            "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "contentEncoding",
            "contentMediaType", "$schema", "$comment", "contentSchema", "minContains", "maxContains":
            return "that came with OpenAPI 3.1"
        default: return nil
        }
    }
}
