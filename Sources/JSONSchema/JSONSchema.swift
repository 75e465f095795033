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
