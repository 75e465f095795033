import Basics
import JSON
import JSONSchema
import OpenAPI

/// The values of a generated column: a typical one, the boundaries of its schema, and then random ones.
///
/// Each value is validated against the schema before it is used. All values of an invalid column violate the schema.
struct GeneratedColumn {
    /// The number of rounds that use the first samples, which are examples of the schema or typical for the name.
    private static let typicalRounds = 16
    /// The maximum number of boundaries and violations, the same for every count of rows, so that a smaller count gives
    /// the first of the same rows.
    private static let maximumFixed = 1_000
    private static let maximumVariation = 1_000_000
    /// The number of attempts to find a value that the column does not have.
    private static let maximumAttempts = 16
    /// Values of all types, for schemas whose constraints are too unusual to violate one at a time.
    private static let simple: [JSONValue] = [.null, true, 0, "", .array([]), .object(JSONObject())]

    let name: String
    let isInvalid: Bool
    /// The values so far, each once. The first one is typical, and the ones up to ``fixedCount`` are boundaries.
    private(set) var values: [JSONValue] = []
    /// The number of values that do not depend on the seed: the typical one and the boundaries or violations.
    private(set) var fixedCount = 0
    private let sampler: SchemaSampler
    private let schema: DescriptionNode
    private let check: JSONSchema
    private var known: Set<JSONValue> = []
    private var random: SplitMix64
    private var round = 0
    private var isExhausted = false

    /// Creates a column with its boundaries, or with its violations if it is invalid.
    ///
    /// - Parameters:
    ///   - description: The description whose root is the schema.
    ///   - check: The compiled schema, which validates each value.
    ///   - seed: The seed of the random values.
    /// - Throws: `SampleFailure` if no value is found.
    init(
        _ name: String, _ description: OpenAPIDescription, check: JSONSchema, isInvalid: Bool, seed: UInt64
    ) throws(SampleFailure) {
        self.name = name
        self.isInvalid = isInvalid
        self.check = check
        sampler = SchemaSampler(description, direction: .request, seed: seed)
        schema = description.root
        random = SplitMix64(seed: StableHash().adding(name).value ^ seed)
        if isInvalid {
            addViolations()
        } else {
            try addBoundaries()
        }
        fixedCount = values.count
    }

    private mutating func addBoundaries() throws(SampleFailure) {
        let typical = try sampler.sample(schema, name: name)
        guard add(typical) else {
            throw SampleFailure(
                message: check.violations(of: typical, upTo: 1).first.map { "found no valid value: \($0.description)" }
                    ?? "found no value that matches the schema",
                node: schema)
        }
        for boundary in sampler.boundaries(schema, from: typical, name: name, limit: Self.maximumFixed) {
            _ = add(boundary.value)
        }
    }

    private mutating func addViolations() {
        if let typical = try? sampler.sample(schema, name: name) {
            for violation in sampler.negatives(schema, from: typical, name: name, limit: Self.maximumFixed) {
                _ = add(violation.value)
            }
        }
        if values.isEmpty {
            for value in Self.simple { _ = add(value) }
        }
    }

    /// Adds a value, and returns whether it is new and has the wanted validity.
    private mutating func add(_ value: JSONValue) -> Bool {
        guard !known.contains(value), check.isValid(value) != isInvalid else { return false }
        known.insert(value)
        values.append(value)
        return true
    }

    /// Adds a new random value, and returns it; nil if none is found.
    mutating func next() -> JSONValue? {
        guard !isExhausted else { return nil }
        for _ in 0..<Self.maximumAttempts {
            guard let value = isInvalid ? violation() : variant() else { continue }
            if add(value) { return value }
        }
        isExhausted = true
        return nil
    }

    /// Returns one of the values so far.
    mutating func earlier() -> JSONValue { values.randomElement(using: &random) ?? .null }

    /// Returns a sample, or an earlier value with a part that programs often handle wrongly.
    private mutating func variant() -> JSONValue? {
        round += 1
        if round.isMultiple(of: 2) {
            return sampler.mutation(of: earlier(), schema, name: name, using: &random)?.value
        }
        return sample()
    }

    /// Returns a sample with one violation.
    private mutating func violation() -> JSONValue? {
        round += 1
        guard let sample = sample() else { return nil }
        if round.isMultiple(of: 2) {
            return sampler.mutation(of: sample, schema, name: name, using: &random)?.value
        }
        return sampler.negatives(schema, from: sample, name: name).randomElement(using: &random)?.value
    }

    private mutating func sample() -> JSONValue? {
        let variation =
            round <= Self.typicalRounds
            ? (round + 1) / 2 : Int.random(in: Self.typicalRounds..<Self.maximumVariation, using: &random)
        return try? sampler.sample(schema, name: name, variation: variation)
    }
}
