public import Basics
public import JSON

/// A compiled JSON Schema. It is immutable, and several tasks can use it concurrently.
public struct JSONSchema: Sendable {
    private let program: Program
    private let limits: JSONSchemaLimits

    /// Compiles a schema and everything that it refers to.
    ///
    /// - Parameters:
    ///   - document: The schema, an object or a Boolean.
    ///   - resources: The documents that references can reach besides the document itself and the metaschemas.
    ///   - options: The default dialect, the handling of `format`, and the limits.
    /// - Throws: ``JSONSchemaError`` for the first error in the schema or a document that it refers to.
    public init(
        _ document: JSONValue, resources: JSONSchemaResources = .init(), options: JSONSchemaOptions = .init()
    ) throws(JSONSchemaError) {
        var compiler = SchemaCompiler(resources: resources, options: options)
        program = try compiler.compile(document, pointer: JSONPointer())
        limits = options.limits
    }

    /// Compiles the schema at a pointer in a document. The rest of the document is read only if it is referred to.
    ///
    /// - Parameters:
    ///   - pointer: The location of the schema in the document.
    ///   - document: A document that is a schema or contains schemas.
    ///   - resources: The documents that references can reach besides the document itself and the metaschemas.
    ///   - options: The default dialect, the handling of `format`, and the limits.
    /// - Throws: ``JSONSchemaError`` for the first error in the schema or a document that it refers to.
    public init(
        at pointer: JSONPointer, in document: JSONValue, resources: JSONSchemaResources = .init(),
        options: JSONSchemaOptions = .init()
    ) throws(JSONSchemaError) {
        var compiler = SchemaCompiler(resources: resources, options: options)
        program = try compiler.compile(document, pointer: pointer)
        limits = options.limits
    }

    /// Returns whether a value is valid against the schema, or `false` if the evaluation reached a limit first.
    public func isValid(_ value: JSONValue) -> Bool {
        var evaluator = Evaluator(program, limits: limits)
        return evaluator.judge(value)
    }

    /// Returns the violations of a value, most relevant first. The array is empty for a valid value.
    ///
    /// If the evaluation reached a limit, the last violation has the kind ``JSONSchemaViolation/Kind/limit``.
    public func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        violations(of: value, upTo: limits.maximumViolations)
    }

    /// Returns the violations of a value up to a maximum number, most relevant first.
    ///
    /// - Parameter count: The maximum number of violations. The schema's limits apply to the causes of each violation.
    public func violations(of value: JSONValue, upTo count: Int) -> [JSONSchemaViolation] {
        var evaluator = Evaluator(program, limits: limits)
        if evaluator.judge(value) { return [] }
        var explanation = Explanation(program, limits: limits)
        return explanation.violations(of: value, upTo: count)
    }
}

/// A dialect of JSON Schema.
public enum JSONSchemaDialect: String, Sendable, Hashable {
    /// Draft 4 (2013).
    case draft4
    /// Draft 6 (2017).
    case draft6
    /// Draft 7 (2018).
    case draft7
    /// Draft 2019-09.
    case draft201909
    /// Draft 2020-12.
    case draft202012
    /// The dialect of OpenAPI 3.0, derived from draft 5 (Schema Object). `$schema` cannot name it.
    case openAPI30

    /// The drafts that `$schema` can name, oldest first.
    public static let drafts: [JSONSchemaDialect] = [.draft4, .draft6, .draft7, .draft201909, .draft202012]

    /// Creates the dialect with a `$schema` URI, or `nil` if the URI is unknown.
    ///
    /// An empty fragment and the difference between `http` and `https` are ignored.
    public init?(uri: String) {
        var location = uri.hasSuffix("#") ? uri.dropLast() : uri[...]
        if location.hasPrefix("https:") { location = "http:" + location.dropFirst(6) }
        switch location {
        case "http://json-schema.org/draft-04/schema": self = .draft4
        case "http://json-schema.org/draft-06/schema": self = .draft6
        case "http://json-schema.org/draft-07/schema": self = .draft7
        case "http://json-schema.org/draft/2019-09/schema": self = .draft201909
        case "http://json-schema.org/draft/2020-12/schema": self = .draft202012
        // The dialects of OpenAPI 3.1 and 3.2 are 2020-12 with keywords that do not affect validity.
        case _ where location.hasPrefix("http://spec.openapis.org/oas/3.") && location.contains("/dialect/"):
            self = .draft202012
        default: return nil
        }
    }

    /// The `$schema` URI of the dialect.
    public var uri: String {
        switch self {
        case .draft4: "http://json-schema.org/draft-04/schema#"
        case .draft6: "http://json-schema.org/draft-06/schema#"
        case .draft7: "http://json-schema.org/draft-07/schema#"
        case .draft201909: "https://json-schema.org/draft/2019-09/schema"
        case .draft202012: "https://json-schema.org/draft/2020-12/schema"
        case .openAPI30: "https://spec.openapis.org/oas/3.0/schema/2024-10-18"
        }
    }

    /// The age rank of the dialect, for comparisons.
    var order: Int {
        switch self {
        case .draft4: 4
        case .openAPI30: 5
        case .draft6: 6
        case .draft7: 7
        case .draft201909: 8
        case .draft202012: 9
        }
    }

    /// Whether `$ref` hides its sibling keywords.
    var hidesSiblingsOfReferences: Bool { order <= 7 }
}

/// The options for compiling and evaluating a schema.
public struct JSONSchemaOptions: Sendable, Hashable {
    /// The dialect of schemas without `$schema`.
    public var dialect: JSONSchemaDialect
    /// The OpenAPI extensions of the dialect, or `nil` for plain JSON Schema.
    ///
    /// The extensions are discriminators, the direction of values, and the formats of OpenAPI, if formats are validated.
    public var openAPI: OpenAPIExtension?
    /// Whether to validate `format`. If `false`, formats do not affect validity, which is the default of drafts after
    /// 4.
    public var assertsFormat: Bool
    /// The base URI of the schema, such as the URI of its file. Relative references resolve against it.
    public var baseURI: String?
    /// The limits for compilation and evaluation.
    public var limits: JSONSchemaLimits

    /// Creates options.
    public init(
        dialect: JSONSchemaDialect = .draft202012, openAPI: OpenAPIExtension? = nil, assertsFormat: Bool = false,
        baseURI: String? = nil,
        limits: JSONSchemaLimits = JSONSchemaLimits()
    ) {
        self.dialect = dialect
        self.openAPI = openAPI
        self.assertsFormat = assertsFormat
        self.baseURI = baseURI
        self.limits = limits
    }
}

/// The limits for compiling and evaluating a schema.
public struct JSONSchemaLimits: Sendable, Hashable {
    /// The maximum depth of nested schema evaluations. Values over 1,536 have the effect of 1,536.
    ///
    /// Each nesting level of a value counts, and so does each `allOf`, `anyOf`, `oneOf`, `not`, `if`, and `$ref` on the
    /// path.
    public var maximumDepth: Int
    /// The maximum number of steps of an evaluation: one for each applied schema and each visited member or element.
    public var maximumSteps: Int
    /// The maximum number of violations to keep, both at the top level and as causes of each violation.
    public var maximumViolations: Int
    /// The maximum number of schemas in a compiled schema, including those it refers to.
    public var maximumSchemas: Int

    /// Creates limits. The defaults suit the schemas and responses of any API.
    public init(
        maximumDepth: Int = 1_024, maximumSteps: Int = 50_000_000, maximumViolations: Int = 100,
        maximumSchemas: Int = 250_000
    ) {
        self.maximumDepth = maximumDepth
        self.maximumSteps = maximumSteps
        self.maximumViolations = maximumViolations
        self.maximumSchemas = maximumSchemas
    }

    /// The maximum effective depth, which ensures that the recursion fits on the stack of a thread.
    static let deepestNesting = 1_536
}

/// An error in a schema, with its location.
public struct JSONSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message, which states the error and the expectation, without a period.
    public var message: String { wording.text }
    /// The description with the distinction of words and data.
    public let wording: MessageText
    /// The location in the document.
    public let pointer: JSONPointer
    /// The URI of the document. Empty for the schema itself if it has no base URI.
    public let uri: String

    /// Creates an error.
    public init(message: MessageText, pointer: JSONPointer, uri: String) {
        wording = message
        self.pointer = pointer
        self.uri = uri
    }

    /// The message, followed by the location.
    public var description: String { "\(message) (\(uri)#\(URIReference.fragment(of: pointer)))" }
}

/// The extensions that OpenAPI adds to a dialect of JSON Schema.
public struct OpenAPIExtension: Sendable, Hashable {
    /// The direction of a value between client and server.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// From client to server: `readOnly` members may be missing.
        case request
        /// From server to client: `writeOnly` members must be missing, even if they are required.
        case response
    }

    /// The direction of the validated values, or `nil` to ignore `readOnly` and `writeOnly`.
    public var direction: Direction?
    /// A Boolean value that indicates whether objects may lack members, because only some of them are known.
    ///
    /// If it is `true`, the number of members and required members are not validated, at least one branch of `oneOf`
    /// must match instead of exactly one, and `not` and `if` are ignored, because all of these can depend on unknown
    /// members.
    public var isPartial: Bool

    /// Creates the extension.
    public init(direction: Direction? = nil, isPartial: Bool = false) {
        self.direction = direction
        self.isPartial = isPartial
    }
}
