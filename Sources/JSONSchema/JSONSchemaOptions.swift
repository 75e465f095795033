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
