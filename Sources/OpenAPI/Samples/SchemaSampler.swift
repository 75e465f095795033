public import JSON
import JSONSchema

/// Makes values that follow schemas, always the same ones for the same seed.
///
/// Examples come first, then `const` and `enum`, then `default`, then values that are made of what the schema says. A value
/// is held against the schema before it is given out wherever making it alone does not suffice.
public struct SchemaSampler: Sendable {
    package let description: OpenAPIDescription
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
        switch SchemaFacts(of: [schema], in: description).orderedTypes.first {
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

extension SchemaSampler {
    private static let maximumBranches = 16

    /// The facts of schemas in the branches that a value follows.
    func facts(_ schemas: [DescriptionNode], describing value: JSONValue) -> SchemaFacts {
        var choices = SampleChoices()
        var first: SchemaFacts?
        for _ in 0..<Self.maximumBranches {
            choices.rewind()
            var reader = FactReader(description)
            for schema in schemas { reader.read(schema, &choices) }
            if reader.facts.mayDescribe(value) { return reader.facts }
            first = first ?? reader.facts
            if !choices.advance() { break }
        }
        return first ?? SchemaFacts()
    }
}

extension SchemaFacts {
    /// Whether a value may be one that was made of these branches: its type and required members fit.
    fileprivate func mayDescribe(_ value: JSONValue) -> Bool {
        if let allowed, !allowed.contains(value) { return false }
        switch value {
        case .null: return types.contains(.null)
        case .bool: return types.contains(.boolean)
        case .number: return !types.isDisjoint(with: .number)
        case .string: return types.contains(.string)
        case .array: return types.contains(.array)
        case .object(let object):
            guard types.contains(.object), required.allSatisfy({ object.contains($0) }) else { return false }
            let isClosed = additional.contains { $0.value.boolValue == false } && patternProperties.isEmpty
            return !isClosed || object.allSatisfy { !schemas(of: $0.key).isEmpty }
        }
    }
}

/// The way that a value goes, which decides what members it has.
public enum SampleDirection: Sendable, Hashable, CaseIterable {
    /// To the server: members that are `readOnly` are left out.
    case request
    /// From the server: members that are `writeOnly` are left out.
    case response

    /// The keyword of the members that are left out.
    var excludingKeyword: String { self == .request ? "readOnly" : "writeOnly" }
}

/// Why no value of a schema was made.
public struct SampleFailure: Error, Sendable {
    /// The reason, as one sentence without a final full stop.
    public var message: String
    /// The schema that stands in the way, where it is known.
    public var node: DescriptionNode?

    package init(message: String, node: DescriptionNode? = nil) {
        self.message = message
        self.node = node
    }
}

/// The compiled schemas that samples are held against, each compiled at its first use.
final class SchemaValidators: Sendable {
    private let schemas: ContractSchemas
    private let direction: OpenAPIExtension.Direction

    init(_ description: OpenAPIDescription, _ direction: SampleDirection) {
        schemas = ContractSchemas(description, assertsFormat: true)
        self.direction = direction == .request ? .request : .response
    }

    /// Whether a value follows a schema; nil when the schema cannot be compiled.
    func isValid(_ value: JSONValue, _ schema: DescriptionNode) -> Bool? {
        compiled(schema).map { $0.isValid(value) }
    }

    /// The first thing in a value that does not follow a schema.
    func violation(of value: JSONValue, _ schema: DescriptionNode) -> String? {
        compiled(schema)?.violations(of: value).first?.description
    }

    private func compiled(_ schema: DescriptionNode) -> JSONSchema? {
        switch schemas.compiled(schema, direction) {
        case .schema(let compiled): compiled
        case .unusable: nil
        }
    }
}

extension OpenAPIDescription {
    /// Whether a member goes the other way alone (`readOnly`, `writeOnly`).
    func isExcluded(_ schema: DescriptionNode, from direction: SampleDirection) -> Bool {
        let keyword = direction.excludingKeyword
        if schema.value[keyword]?.boolValue == true { return true }
        return schema.reference != nil && resolved(schema)?.value[keyword]?.boolValue == true
    }
}
