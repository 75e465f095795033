public import JSON

/// Makes values that follow schemas, always the same ones for the same seed.
///
/// Examples come first, then `const` and `enum`, then `default`, then values that are made of what the schema says. A value
/// is held against the schema before it is given out wherever making it alone does not suffice.
public struct SchemaSampler: Sendable {
    let description: OpenAPIDescription
    let direction: SampleDirection
    let seed: UInt64
    let validators: SchemaValidators
    private static let largestVariation = 1_000_000

    /// Creates a sampler.
    ///
    /// - Parameters:
    ///   - description: The description that the schemas are in.
    ///   - direction: Which way the values go.
    ///   - seed: What the values that no example gives are drawn from.
    public init(_ description: OpenAPIDescription, direction: SampleDirection, seed: UInt64 = 1) {
        self.description = description
        self.direction = direction
        self.seed = seed
        validators = SchemaValidators(description, direction)
    }

    /// A value that follows a schema.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - name: What the value is called, which helps to find a telling one.
    ///   - variation: Which of several values; each gives another one where the schema allows it.
    /// - Throws: Why there is none.
    public func sample(
        _ schema: DescriptionNode, name: String = "", variation: Int = 0
    ) throws(SampleFailure) -> JSONValue {
        var run = SampleRun(self)
        let site = SampleSite(
            path: name.isEmpty ? [] : [name], variation: min(max(0, variation), Self.largestVariation))
        let value = try run.value([schema], site)
        if let isValid = validators.isValid(value, schema), !isValid {
            throw SampleFailure(
                message: validators.violation(of: value, schema).map { "no value was found: \($0)" }
                    ?? "no value was found that follows the schema",
                node: schema)
        }
        return value
    }

    /// Whether a value follows a schema in this direction; true for a schema that cannot be compiled.
    public func accepts(_ value: JSONValue, _ schema: DescriptionNode) -> Bool {
        validators.isValid(value, schema) ?? true
    }
}
