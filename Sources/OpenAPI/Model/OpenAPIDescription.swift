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

/// Where an API can be reached (Server Object).
public struct Server: Sendable {
    /// A part of a server's URL that may be chosen.
    public struct Variable: Sendable {
        /// The name.
        public var name: String
        /// The value unless another is chosen.
        public var defaultValue: String
        /// The values that it may have; empty for any.
        public var values: [String]
        /// What it is for.
        public var description: String?
    }

    /// The URL, which may be relative and may hold names in braces.
    public var url: String
    /// The name (3.2).
    public var name: String?
    /// What it is.
    public var description: String?
    /// The parts of the URL that may be chosen, in the order of the file.
    public var variables: [Variable]
    /// Where it stands; nil for the server that a description without any has.
    public var node: DescriptionNode?

    /// The URL with the default of every variable.
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
    /// The name.
    public var name: String
    /// What it is.
    public var description: String?
    /// A short text on it (3.2).
    public var summary: String?
    /// The name of the tag that it is a part of (3.2).
    public var parent: String?
    /// What it is used for, such as `nav` (3.2).
    public var kind: String?
    /// Where it stands.
    public var node: DescriptionNode
}
