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

    /// The value that follows a schema best, with what is wrong with it; nil for nothing.
    ///
    /// Branches that are equal or overlap, and schemas too large to try all of their branches, have no value, or none that
    /// is found.
    func best(_ schema: DescriptionNode, name: String = "") -> (value: JSONValue, problem: String?) {
        let failure: SampleFailure
        do throws(SampleFailure) {
            return (try sample(schema, name: name), nil)
        } catch {
            failure = error
        }
        var run = SampleRun(self, isLenient: true)
        let site = SampleSite(path: name.isEmpty ? [] : [name])
        guard let value = try? run.value([schema], site) else { return (simplest(schema), failure.message) }
        guard validators.isValid(value, schema) == false else { return (value, nil) }
        return (value, validators.violation(of: value, schema) ?? failure.message)
    }

    /// An empty value of a type that a schema names.
    private func simplest(_ schema: DescriptionNode) -> JSONValue {
        var reader = FactReader(description)
        var choices = SampleChoices()
        reader.read(schema, &choices)
        switch reader.facts.orderedTypes.first {
        case ValueTypes.object?: return .object(JSONObject())
        case ValueTypes.array?: return .array([])
        case ValueTypes.string?: return .string("")
        case ValueTypes.integer?, ValueTypes.fraction?: return .number(JSONNumber(0))
        case ValueTypes.boolean?: return .bool(true)
        default: return .null
        }
    }

    /// Whether a value follows a schema in this direction; true for a schema that cannot be compiled.
    public func accepts(_ value: JSONValue, _ schema: DescriptionNode) -> Bool {
        validators.isValid(value, schema) ?? true
    }

    /// The first violation of a schema by a value; nil for none, and for a schema that cannot be compiled.
    func problem(of value: JSONValue, _ schema: DescriptionNode) -> String? {
        validators.violation(of: value, schema)
    }
}
