public import Diagnostics

/// An API that an OpenAPI description documents: read once, with every reference outside of schemas resolved.
public struct OpenAPIDescription: Sendable {
    /// The version that it follows.
    public var version: OpenAPIVersion
    /// `info.title`.
    public var title: String
    /// `info.version`: the version of the API.
    public var apiVersion: String
    /// The servers; one with the URL `/` when the description names none.
    public var servers: [Server]
    /// The paths, in the order of the file.
    public var paths: [PathItem]
    /// The requests that the API's provider may send, by name.
    public var webhooks: [PathItem]
    /// The security schemes by name, in the order of the file.
    public var securitySchemes: [SecurityScheme]
    /// What operations without `security` of their own require; nil when the description does not say.
    public var security: [SecurityRequirement]?
    /// The tags, in the order of the file.
    public var tags: [Tag]
    /// The dialect of schemas without `$schema` (`jsonSchemaDialect`); nil for that of the version.
    public var schemaDialect: String?
    /// The whole description.
    public var root: DescriptionNode
    /// The files that it is made of.
    public var files: DescriptionFiles
    /// What is wrong with it: errors for parts that are left out, and warnings.
    public var problems: [Diagnostic]

    /// All operations of all paths, in the order of the file.
    public var operations: [Operation] { paths.flatMap(\.operations) }

    /// What a schema stands for: itself, or what its `$ref` leads to in the end; nil when that is nowhere.
    public func resolved(_ schema: DescriptionNode) -> DescriptionNode? { try? files.resolve(schema) }

    /// The security scheme of a name.
    public func securityScheme(named name: String) -> SecurityScheme? { securitySchemes.first { $0.name == name } }
}
