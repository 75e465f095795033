import Basics
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
        let structural = Set(problems.all.map(Identity.init))
        var samples = SampleCheck(description)
        samples.run(check.samples)
        for problem in samples.problems.all { problems.add(problem) }
        // Unresolved references are grouped, with one location for each group.
        let reportsReferences = !structural.contains { $0.id == Self.reference }
        for problem in found where !structural.contains(Identity(problem)) {
            if reportsReferences || problem.id != Self.reference { problems.add(problem) }
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
    private struct Identity: Hashable {
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
    static func hint(_ name: String, _ kind: ObjectKind, _ version: OpenAPIVersion) -> MessageText? {
        switch kind {
        case .root: root[name]
        case .operation: operation[name]
        case .parameter, .header:
            if name == "collectionFormat" {
                "that is Swagger 2.0 syntax: use \"style\" and \"explode\""
            } else if kind == .header, ["name", "in"].contains(name) {
                "remove it: the key of a header is its name"
            } else if valueKeywords.contains(name) {
                "move it to \"schema\""
            } else {
                nil
            }
        case .response, .swaggerResponse:
            if kind == .response, name == "schema" || name == "examples" {
                "move it to a media type under \"content\""
            } else if kind == .swaggerResponse, name == "content" {
                "that requires OpenAPI 3.0: use \"schema\" and \"produces\""
            } else {
                nil
            }
        case .requestBody:
            name == "schema" ? "move it to a media type under \"content\"" : nil
        case .example: "put the example under \"value\""
        case .schema: schema(name, version)
        case .swaggerRoot: swaggerRoot[name]
        case .swaggerOperation: swaggerOperation[name]
        default: nil
        }
    }

    private static let root: [String: MessageText] = [
        "swagger": "remove it: \"openapi\" states the version",
        "definitions": "that is Swagger 2.0 syntax: use components: { schemas: … }",
        "parameters": "move them to \"components\"", "responses": "move them to \"components\"",
        "schemas": "move them to \"components\"",
        "securityDefinitions": "that is Swagger 2.0 syntax: use components: { securitySchemes: … }",
        "securitySchemes": "move them to \"components\"", "host": "that is Swagger 2.0 syntax: use \"servers\"",
        "basePath": "that is Swagger 2.0 syntax: use \"servers\"",
        "schemes": "that is Swagger 2.0 syntax: use \"servers\"",
        "consumes": "that is Swagger 2.0 syntax: list media types under \"content\"",
        "produces": "that is Swagger 2.0 syntax: list media types under \"content\"",
    ]

    private static let operation: [String: MessageText] = [
        "consumes": "that is Swagger 2.0 syntax: list media types under requestBody: { content: … }",
        "produces": "that is Swagger 2.0 syntax: list media types under the responses' \"content\"",
        "schemes": "that is Swagger 2.0 syntax: use \"servers\"",
    ]

    private static let swaggerRoot: [String: MessageText] = [
        "openapi": "remove it: \"swagger\" states the version",
        "components": "that requires OpenAPI 3.0: use \"definitions\", \"parameters\", or \"responses\"",
        "servers": "that requires OpenAPI 3.0: use \"host\", \"basePath\", and \"schemes\"",
    ]

    private static let swaggerOperation: [String: MessageText] = [
        "requestBody": "that requires OpenAPI 3.0: use a parameter with in: body",
        "servers": "that requires OpenAPI 3.0: use \"schemes\"", "callbacks": "that requires OpenAPI 3.0",
    ]

    private static let valueKeywords: Set = [
        "type", "format", "items", "default", "enum", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum",
        "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "properties",
        "nullable",
    ]

    private static func schema(_ name: String, _ version: OpenAPIVersion) -> MessageText? {
        if name == "nullable" {
            return version == .swagger2
                ? "that requires OpenAPI 3.0: use x-nullable"
                : "OpenAPI 3.1 ignores it: add 'null' to \"type\""
        }
        if name == "id", !version.usesSchemaDialect30 { return "use \"$id\"" }
        guard version.usesSchemaDialect30 else { return nil }
        switch name {
        case "const": return "use an enum with one value"
        case "examples": return "use \"example\""
        case "oneOf", "anyOf", "not", "writeOnly", "deprecated": return "that requires OpenAPI 3.0"
        case "$defs", "definitions": return "move schemas to \"components\""
        case "if", "then", "else", "prefixItems", "contains", "patternProperties", "propertyNames", "$id", "$anchor",
            "dependentRequired", "dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "contentEncoding",
            "contentMediaType", "$schema", "$comment", "contentSchema", "minContains", "maxContains":
            return "that requires OpenAPI 3.1"
        default: return nil
        }
    }
}
