public import JSON

/// A compiled schema: checked once, used as often as needed, from several tasks at once.
public struct JSONSchema: Sendable {
    private let program: Program
    private let limits: JSONSchemaLimits

    /// Compiles a schema, with everything that it refers to.
    ///
    /// - Parameters:
    ///   - document: The schema, an object or a boolean.
    ///   - resources: What its references may reach beside the document itself and the metaschemas.
    ///   - options: The dialect of a schema without `$schema`, whether formats count, and bounds.
    /// - Throws: The first mistake in the schema or in what it refers to.
    public init(
        _ document: JSONValue, resources: JSONSchemaResources = .init(), options: JSONSchemaOptions = .init()
    ) throws(JSONSchemaError) {
        var compiler = SchemaCompiler(resources: resources, options: options)
        program = try compiler.compile(document, pointer: JSONPointer())
        limits = options.limits
    }

    /// Compiles the part of a document that a pointer leads to; the rest is read only where it is referred to.
    ///
    /// - Parameters:
    ///   - pointer: The place of the schema in the document.
    ///   - document: A document that is, or contains, schemas.
    ///   - resources: What references may reach beside the document itself and the metaschemas.
    ///   - options: The dialect of schemas without `$schema`, whether formats count, and bounds.
    /// - Throws: The first mistake in the schema or in what it refers to.
    public init(
        at pointer: JSONPointer, in document: JSONValue, resources: JSONSchemaResources = .init(),
        options: JSONSchemaOptions = .init()
    ) throws(JSONSchemaError) {
        var compiler = SchemaCompiler(resources: resources, options: options)
        program = try compiler.compile(document, pointer: pointer)
        limits = options.limits
    }

    /// Whether a value follows the schema; false when a bound of the evaluation was reached before that was known.
    public func isValid(_ value: JSONValue) -> Bool {
        var evaluator = Evaluator(program, limits: limits)
        return evaluator.judge(value)
    }

    /// How a value does not follow the schema, the most telling violations first; none when it does.
    ///
    /// The last one has the kind `limit` when a bound of the evaluation was reached before everything was known.
    public func violations(of value: JSONValue) -> [JSONSchemaViolation] {
        violations(of: value, upTo: limits.maximumViolations)
    }

    /// How a value does not follow the schema, with a bound of its own on the number of violations.
    ///
    /// - Parameter count: The most violations; those inside of each one are bounded by the schema's limits.
    public func violations(of value: JSONValue, upTo count: Int) -> [JSONSchemaViolation] {
        var evaluator = Evaluator(program, limits: limits)
        if evaluator.judge(value) { return [] }
        var explanation = Explanation(program, limits: limits)
        return explanation.violations(of: value, upTo: count)
    }
}

/// A draft of JSON Schema.
public enum JSONSchemaDialect: String, Sendable, Hashable {
    /// Draft 4 of 2013.
    case draft4
    /// Draft 6 of 2017.
    case draft6
    /// Draft 7 of 2018.
    case draft7
    /// Draft 2019-09.
    case draft201909
    /// Draft 2020-12.
    case draft202012
    /// The dialect of OpenAPI 3.0, made from draft 5 (Schema Object): no `$schema` names it.
    case openAPI30

    /// The drafts that `$schema` may name, by age.
    public static let drafts: [JSONSchemaDialect] = [.draft4, .draft6, .draft7, .draft201909, .draft202012]

    /// The dialect that a `$schema` URI names, or nil.
    ///
    /// An empty fragment makes no difference, nor does `https` in the place of `http` or the other way round.
    public init?(uri: String) {
        var place = uri.hasSuffix("#") ? uri.dropLast() : uri[...]
        if place.hasPrefix("https:") { place = "http:" + place.dropFirst(6) }
        switch place {
        case "http://json-schema.org/draft-04/schema": self = .draft4
        case "http://json-schema.org/draft-06/schema": self = .draft6
        case "http://json-schema.org/draft-07/schema": self = .draft7
        case "http://json-schema.org/draft/2019-09/schema": self = .draft201909
        case "http://json-schema.org/draft/2020-12/schema": self = .draft202012
        // The dialects of OpenAPI 3.1 and 3.2 are 2020-12 with keywords that say nothing about validity.
        case _ where place.hasPrefix("http://spec.openapis.org/oas/3.") && place.contains("/dialect/"):
            self = .draft202012
        default: return nil
        }
    }

    /// The URI that `$schema` names the dialect by.
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

    /// The place in time, so that drafts can be compared.
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

    /// Whether `$ref` hides all keywords beside it.
    var hidesSiblingsOfReferences: Bool { order <= 7 }
}

/// How a schema is read and evaluated.
public struct JSONSchemaOptions: Sendable, Hashable {
    /// The dialect of a schema without `$schema`.
    public var dialect: JSONSchemaDialect
    /// What OpenAPI adds to the dialect: its formats where they are checked, discriminators, and the direction; nil for
    /// plain JSON Schema.
    public var openAPI: OpenAPIExtension?
    /// Whether `format` is checked; otherwise it says nothing about validity, as all drafts but the first have it.
    public var assertsFormat: Bool
    /// The URI that the schema was found by, such as that of its file: relative references start there.
    public var baseURI: String?
    /// What compiling and evaluating may cost.
    public var limits: JSONSchemaLimits

    /// Makes options.
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

/// What compiling and evaluating a schema may cost at most.
public struct JSONSchemaLimits: Sendable, Hashable {
    /// How many schemas may be evaluated inside one another; values over 1,536 count as 1,536.
    ///
    /// Each level of a value's nesting takes one, and each `allOf`, `anyOf`, `oneOf`, `not`, `if` and `$ref` on the way.
    public var maximumDepth: Int
    /// How many steps an evaluation may take: one for each schema applied, member and element looked at.
    public var maximumSteps: Int
    /// How many violations are kept, at the top and inside of each one.
    public var maximumViolations: Int
    /// How many schemas a compiled schema may consist of, those it refers to included.
    public var maximumSchemas: Int

    /// Makes limits; the defaults fit any API's schemas and responses.
    public init(
        maximumDepth: Int = 1_024, maximumSteps: Int = 50_000_000, maximumViolations: Int = 100,
        maximumSchemas: Int = 250_000
    ) {
        self.maximumDepth = maximumDepth
        self.maximumSteps = maximumSteps
        self.maximumViolations = maximumViolations
        self.maximumSchemas = maximumSchemas
    }

    /// The depth beyond which a limit has no effect, so that recursion always fits a thread's stack.
    static let deepestNesting = 1_536
}

/// A mistake in a schema: where it is and what to do about it.
public struct JSONSchemaError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, and what would be right, without a final full stop.
    public let message: String
    /// The place in the document.
    public let pointer: JSONPointer
    /// The URI by which the document was found; empty for the schema itself when it was given without a base URI.
    public let uri: String

    /// Makes an error.
    public init(message: String, pointer: JSONPointer, uri: String) {
        self.message = message
        self.pointer = pointer
        self.uri = uri
    }

    /// The message and its place.
    public var description: String { "\(message) (\(uri)#\(URIReference.fragment(of: pointer)))" }
}

/// What OpenAPI adds to a dialect of JSON Schema.
public struct OpenAPIExtension: Sendable, Hashable {
    /// Which way a value goes.
    public enum Direction: Sendable, Hashable, CaseIterable {
        /// From a client to a server: members that are `readOnly` need not be there.
        case request
        /// From a server to a client: members that are `writeOnly` need not, and may not, be there.
        case response
    }

    /// Which way the values go that are checked; nil when that makes no difference.
    public var direction: Direction?

    /// Creates the extension.
    public init(direction: Direction? = nil) {
        self.direction = direction
    }
}
