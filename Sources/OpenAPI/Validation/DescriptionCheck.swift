public import Diagnostics

extension OpenAPILoader {
    /// Loads a description and looks for everything that is wrong with it, also in parts that nothing uses.
    ///
    /// - Parameter location: The location of its main file.
    /// - Returns: The description; nil when the file cannot be read or is no OpenAPI description. And what is wrong.
    public func check(_ location: String) -> (description: OpenAPIDescription?, problems: [Diagnostic]) {
        let (description, found) = load(location)
        guard let description else { return (nil, found) }
        let original = description.root.file.original
        // What is written is looked at, not what a Swagger 2.0 description was converted to.
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
        // References are grouped, each group with one place.
        let tellsReferences = !structural.contains { $0.id == Self.reference }
        for problem in found where !structural.contains(Told(problem)) {
            if tellsReferences || problem.id != Self.reference { problems.add(problem) }
        }
        return (description, problems.sorted)
    }

    /// Loads a description; with `isStrict`, the errors that ``check(_:)`` finds in all of its parts are problems too.
    ///
    /// - Parameter location: The location of its main file.
    /// - Returns: The description; nil when the file cannot be read or is no OpenAPI description. And what is wrong.
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

    /// What is told of a place: the structure is looked at twice, and in different words.
    private struct Told: Hashable {
        var id: String
        var range: SourceRange?

        init(_ problem: Diagnostic) {
            id = problem.id == "invalid-schema" ? "invalid-openapi" : problem.id
            range = problem.range
        }
    }
}

/// What to do about keys of other versions and at other places.
enum UnknownKeyHints {
    /// What to do about a key that an object of a kind does not have.
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
