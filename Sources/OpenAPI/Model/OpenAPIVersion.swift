/// The version of the OpenAPI Specification that a description follows.
public enum OpenAPIVersion: String, Sendable, Comparable, CaseIterable {
    /// Swagger 2.0, which is read as OpenAPI 3.0.
    case swagger2 = "2.0"
    /// OpenAPI 3.0, with a dialect of JSON Schema of its own.
    case openAPI30 = "3.0"
    /// OpenAPI 3.1, with JSON Schema 2020-12.
    case openAPI31 = "3.1"
    /// OpenAPI 3.2.
    case openAPI32 = "3.2"

    /// Whether schemas follow the dialect of 3.0: `nullable`, boolean exclusive bounds, nothing beside `$ref`.
    public var usesSchemaDialect30: Bool { self <= .openAPI30 }

    /// Orders versions by age.
    public static func < (left: OpenAPIVersion, right: OpenAPIVersion) -> Bool { left.rawValue < right.rawValue }
}
