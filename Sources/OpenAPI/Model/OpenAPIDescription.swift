public import Diagnostics

/// A parsed OpenAPI description, with all references outside of schemas resolved.
public struct OpenAPIDescription: Sendable {
    /// The OpenAPI version of the description.
    public var version: OpenAPIVersion
    /// The title of the API (`info.title`).
    public var title: String
    /// The version of the API (`info.version`).
    public var apiVersion: String
    /// The servers, or a single server with the URL `/` if the description has none.
    public var servers: [Server]
    /// The paths, in file order.
    public var paths: [PathItem]
    /// The webhooks, which are requests that the API provider may send, by name.
    public var webhooks: [PathItem]
    /// The security schemes, in file order.
    public var securitySchemes: [SecurityScheme]
    /// The default security requirements of operations, or `nil` if the description has none.
    public var security: [SecurityRequirement]?
    /// The tags, in file order.
    public var tags: [Tag]
    /// The dialect of schemas without `$schema` (`jsonSchemaDialect`), or `nil` for the default of the version.
    public var schemaDialect: String?
    /// The root object of the description.
    public var root: DescriptionNode
    /// The files of the description.
    public var files: DescriptionFiles
    /// The problems of the description: errors for omitted parts, and warnings.
    public var problems: [Diagnostic]

    /// All operations of all paths, in file order.
    public var operations: [Operation] { paths.flatMap(\.operations) }

    /// Returns a schema or the final target of its `$ref`, or `nil` if the reference cannot be resolved.
    public func resolved(_ schema: DescriptionNode) -> DescriptionNode? { try? files.resolve(schema) }

    /// Returns the security scheme with a name.
    public func securityScheme(named name: String) -> SecurityScheme? { securitySchemes.first { $0.name == name } }
}

/// A version of the OpenAPI Specification.
public enum OpenAPIVersion: String, Sendable, Comparable, CaseIterable {
    /// Swagger 2.0, which is converted to OpenAPI 3.0.
    case swagger2 = "2.0"
    /// OpenAPI 3.0, which has its own dialect of JSON Schema.
    case openAPI30 = "3.0"
    /// OpenAPI 3.1, which uses JSON Schema 2020-12.
    case openAPI31 = "3.1"
    /// OpenAPI 3.2, which uses JSON Schema 2020-12.
    case openAPI32 = "3.2"

    /// A Boolean value that indicates whether schemas use the dialect of OpenAPI 3.0.
    ///
    /// The dialect has `nullable` and Boolean exclusive bounds, and ignores the siblings of `$ref`.
    public var usesSchemaDialect30: Bool { self <= .openAPI30 }

    /// Orders versions from oldest to newest.
    public static func < (left: OpenAPIVersion, right: OpenAPIVersion) -> Bool { left.rawValue < right.rawValue }
}

/// A server of an API (Server Object).
public struct Server: Sendable {
    /// A variable in the URL of a server.
    public struct Variable: Sendable {
        /// The name of the variable.
        public var name: String
        /// The default value.
        public var defaultValue: String
        /// The allowed values, or an empty array if any value is allowed.
        public var values: [String]
        /// The description of the variable.
        public var description: String?
    }

    /// The URL template, which may be relative and may contain variables in braces.
    public var url: String
    /// The name of the server (OpenAPI 3.2).
    public var name: String?
    /// The description of the server.
    public var description: String?
    /// The variables of the URL, in file order.
    public var variables: [Variable]
    /// The location in the description, or `nil` for the implicit default server.
    public var node: DescriptionNode?

    /// The URL with the default value of every variable.
    public var defaultURL: String {
        var url = ""
        var rest = self.url[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = rest[rest.index(after: open)..<close]
            url += rest[..<open]
            if let variable = variables.first(where: { $0.name == name }) {
                url += variable.defaultValue
            } else {
                url += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return url + rest
    }
}

/// A group of operations (Tag Object).
public struct Tag: Sendable {
    /// The name of the tag.
    public var name: String
    /// The description of the tag.
    public var description: String?
    /// A short summary (OpenAPI 3.2).
    public var summary: String?
    /// The name of the parent tag (OpenAPI 3.2).
    public var parent: String?
    /// The kind of the tag, such as `nav` (OpenAPI 3.2).
    public var kind: String?
    /// The location in the description.
    public var node: DescriptionNode
}
