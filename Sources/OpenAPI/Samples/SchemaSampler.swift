public import JSON
import JSONSchema

/// A generator of values that are valid against schemas. The same seed always produces the same values.
///
/// The sampler uses examples first, then `const` and `enum`, then `default`, and finally values built from the
/// constraints. It validates a value before returning it if the construction alone does not guarantee validity.
public struct SchemaSampler: Sendable {
    /// The description that contains the schemas.
    package let description: OpenAPIDescription
    let direction: SampleDirection
    let seed: UInt64
    let validators: SchemaValidators
    private static let maximumVariation = 1_000_000

    /// Creates a sampler.
    ///
    /// - Parameters:
    ///   - description: The description that contains the schemas.
    ///   - direction: The direction of the values.
    ///   - seed: The seed for values that no example provides.
    public init(_ description: OpenAPIDescription, direction: SampleDirection, seed: UInt64 = 1) {
        self.description = description
        self.direction = direction
        self.seed = seed
        validators = SchemaValidators(description, direction)
    }

    /// Returns a value that is valid against a schema.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - name: The name of the value, which helps to find a realistic one.
    ///   - variation: The index among alternative values. Each index produces a different value if the schema allows
    ///     it.
    /// - Throws: ``SampleFailure`` if no valid value was found.
    public func sample(
        _ schema: DescriptionNode, name: String = "", variation: Int = 0
    ) throws(SampleFailure) -> JSONValue {
        var run = SampleRun(self)
        let site = SampleSite(
            path: name.isEmpty ? [] : [name], variation: min(max(0, variation), Self.maximumVariation))
        let value = try run.value([schema], site)
        if let isValid = validators.isValid(value, schema), !isValid {
            throw SampleFailure(
                message: validators.violation(of: value, schema).map { "found no valid value: \($0)" }
                    ?? "found no value that matches the schema",
                node: schema)
        }
        return value
    }

    /// Returns a value as an XML document, with the names of its schema (OpenAPI 3.2, XML Object).
    ///
    /// - Returns: The document; nil if the schema has no name for the root element.
    public func xmlDocument(_ value: JSONValue, _ schema: DescriptionNode) -> String? {
        SchemaXMLWriter.document(value, schema, self, unnamed: nil)
    }

    /// Returns the best value for a schema with its first violation, or with `nil` if the value is valid.
    ///
    /// If branches are equal or overlap, or if a schema is too large to try all branches, there may be no valid value,
    /// or none may be found.
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

    /// Returns an empty value of a type that a schema allows.
    private func simplest(_ schema: DescriptionNode) -> JSONValue {
        switch SchemaConstraints(of: [schema], in: description).orderedTypes.first {
        case ValueTypes.object?: return .object(JSONObject())
        case ValueTypes.array?: return .array([])
        case ValueTypes.string?: return .string("")
        case ValueTypes.integer?, ValueTypes.fraction?: return .number(JSONNumber(0))
        case ValueTypes.boolean?: return .bool(true)
        default: return .null
        }
    }

    /// Returns whether a value is valid against a schema in this direction. Returns `true` if the schema cannot be
    /// compiled.
    public func accepts(_ value: JSONValue, _ schema: DescriptionNode) -> Bool {
        validators.isValid(value, schema) ?? true
    }

    /// Returns the first violation of a schema by a value, or `nil` if there is none or the schema cannot be compiled.
    func problem(of value: JSONValue, _ schema: DescriptionNode) -> String? {
        validators.violation(of: value, schema)
    }
}

extension SchemaSampler {
    private static let maximumBranches = 16

    /// Returns the constraints of schemas for the branches that match a value.
    func facts(_ schemas: [DescriptionNode], describing value: JSONValue) -> SchemaConstraints {
        var choices = SampleChoices()
        var first: SchemaConstraints?
        for _ in 0..<Self.maximumBranches {
            choices.rewind()
            var reader = ConstraintReader(description)
            for schema in schemas { reader.read(schema, &choices) }
            if reader.facts.mayDescribe(value) { return reader.facts }
            first = first ?? reader.facts
            if !choices.advance() { break }
        }
        return first ?? SchemaConstraints()
    }

    /// Returns whether a schema may restrict a part of a value to certain values.
    package func mayRestrictParts(_ schema: DescriptionNode) -> Bool {
        var seen: Set<DescriptionNode> = []
        var left = [schema]
        while let node = left.popLast() {
            guard seen.insert(node).inserted else { continue }
            if node["enum"] != nil || node["const"] != nil { return true }
            if let reference = node.reference, let target = try? description.files.target(of: reference, from: node) {
                left.append(target)
            }
            left += node.members + node.elements
        }
        return false
    }

    /// Returns the restrictions of the parts of a value.
    package func restrictions(of value: JSONValue, _ schema: DescriptionNode) -> PartRestrictions {
        PartRestrictions(self, value, schema)
    }
}

/// The values to which a schema restricts the parts of a value.
///
/// Each part is read once, because the parts inside of it depend on it.
package struct PartRestrictions {
    private typealias Part = (value: JSONValue, facts: SchemaConstraints)

    private let sampler: SchemaSampler
    /// The parts by the names and indices that lead to them, with `nil` for one that does not exist.
    private var parts: [[String]: Part?]

    fileprivate init(_ sampler: SchemaSampler, _ value: JSONValue, _ schema: DescriptionNode) {
        self.sampler = sampler
        parts = [[]: (value, sampler.facts([schema], describing: value))]
    }

    /// Returns the values to which the schema restricts a part, or `nil` if it does not.
    ///
    /// - Parameter path: The names and indices that lead to the part.
    package mutating func allowedValues(at path: [String]) -> [JSONValue]? { part(at: path)?.facts.allowed }

    private mutating func part(at path: [String]) -> Part? {
        if let known = parts[path] { return known }
        var found: Part?
        if let token = path.last, let parent = part(at: Array(path.dropLast())) { found = part(token, of: parent) }
        parts.updateValue(found, forKey: path)
        return found
    }

    private func part(_ token: String, of parent: Part) -> Part? {
        switch parent.value {
        case .object(let object):
            guard let member = object[token] else { return nil }
            return (member, sampler.facts(parent.facts.schemas(of: token), describing: member))
        case .array(let elements):
            guard let index = Int(token), elements.indices.contains(index) else { return nil }
            let prefix = parent.facts.prefix
            let schemas = prefix.indices.contains(index) ? prefix[index] : parent.facts.items
            return (elements[index], sampler.facts(schemas, describing: elements[index]))
        case .null, .bool, .number, .string: return nil
        }
    }
}

extension SchemaConstraints {
    /// Returns whether the type and required members of a value match the branches.
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

/// The direction of a value, which determines its members.
public enum SampleDirection: Sendable, Hashable, CaseIterable {
    /// Toward the server. Members that are `readOnly` are omitted.
    case request
    /// From the server. Members that are `writeOnly` are omitted.
    case response

    /// The keyword of the omitted members.
    var excludingKeyword: String { self == .request ? "readOnly" : "writeOnly" }
}

/// An error that reports why no value was generated for a schema.
public struct SampleFailure: Error, Sendable {
    /// The reason, in one sentence without a period.
    public var message: String
    /// The schema that caused the failure, if known.
    public var node: DescriptionNode?

    package init(message: String, node: DescriptionNode? = nil) {
        self.message = message
        self.node = node
    }
}

/// The compiled schemas for validating samples, each compiled on first use.
final class SchemaValidators: Sendable {
    private let schemas: ContractSchemas
    private let direction: OpenAPIExtension.Direction

    init(_ description: OpenAPIDescription, _ direction: SampleDirection) {
        schemas = ContractSchemas(description, assertsFormat: true)
        self.direction = direction == .request ? .request : .response
    }

    /// Returns whether a value is valid against a schema, or `nil` if the schema cannot be compiled.
    func isValid(_ value: JSONValue, _ schema: DescriptionNode) -> Bool? {
        compiled(schema).map { $0.isValid(value) }
    }

    /// Returns the first violation of a schema by a value.
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
    /// Returns whether a member exists only in the opposite direction (`readOnly`, `writeOnly`).
    func isExcluded(_ schema: DescriptionNode, from direction: SampleDirection) -> Bool {
        let keyword = direction.excludingKeyword
        if schema.value[keyword]?.boolValue == true { return true }
        return schema.reference != nil && resolved(schema)?.value[keyword]?.boolValue == true
    }
}
