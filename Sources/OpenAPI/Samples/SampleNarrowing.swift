package import JSON
import JSONSchema
import RegularExpressions

/// Constraints on the parts of a value in addition to those of its schema, such as the rules that a server enforces
/// without describing them.
///
/// A path consists of the names of members. A constraint applies to all elements of the arrays on the way.
package struct SampleNarrowing: Sendable {
    /// The constraints on one part.
    struct Part: Sendable {
        /// The keywords of JSON Schema 2020-12, except the ones below.
        var keywords = JSONObject()
        var patterns: [String] = []
        var required: [String] = []
        var forbidden: Set<String> = []
        /// The names of the members with constraints.
        var members: [String] = []
    }

    /// The maximum number of names in a path.
    package static let maximumDepth = 6

    private var parts: [[String]: Part] = [:]
    /// The compiled constraints of each part with those of its members.
    private var compiled: [[String]: JSONSchema] = [:]

    /// Creates constraints that allow all values.
    package init() {}

    /// Whether the list of constraints is empty.
    package var isEmpty: Bool { parts.isEmpty }

    /// Adds a keyword of JSON Schema 2020-12. Of several bounds, the most restrictive one applies. Invalid patterns and
    /// paths that are too long are ignored.
    package mutating func add(_ keyword: String, _ value: JSONValue, at path: [String]) {
        guard path.count <= Self.maximumDepth else { return }
        if keyword == "pattern", let pattern = value.stringValue {
            guard (try? RegularExpression(pattern, dialect: .ecmaScript)) != nil else { return }
            reach(path)
            if parts[path]?.patterns.contains(pattern) == false { parts[path]?.patterns.append(pattern) }
        } else {
            reach(path)
            let known = parts[path]?.keywords[keyword]
            parts[path]?.keywords[keyword] = known.map { Self.stricter($0, value, keyword) } ?? value
        }
        compile(path)
    }

    /// Requires the member at a path, and the objects that contain it.
    package mutating func require(_ path: [String]) {
        guard path.count <= Self.maximumDepth else { return }
        reach(path)
        for (position, name) in path.enumerated() {
            let outer = Array(path[..<position])
            if parts[outer]?.required.contains(name) == false { parts[outer]?.required.append(name) }
        }
        compile(path)
    }

    /// Forbids the member at a path.
    package mutating func forbid(_ path: [String]) {
        guard let name = path.last, path.count <= Self.maximumDepth else { return }
        let outer = Array(path.dropLast())
        reach(outer)
        parts[outer]?.forbidden.insert(name)
        parts[outer]?.required.removeAll { $0 == name }
        compile(outer)
    }

    /// Returns whether a part of a value satisfies the constraints on it and on its members.
    package func accepts(_ value: JSONValue, at path: [String] = []) -> Bool {
        compiled[path]?.isValid(value) ?? true
    }

    /// Returns whether the member at a path is required.
    package func isRequired(_ path: [String]) -> Bool {
        path.last.map { parts[Array(path.dropLast())]?.required.contains($0) ?? false } ?? false
    }

    /// Returns whether the member at a path is forbidden.
    package func isForbidden(_ path: [String]) -> Bool {
        path.last.map { parts[Array(path.dropLast())]?.forbidden.contains($0) ?? false } ?? false
    }

    /// Returns the constraints on the value at a path.
    func part(_ path: [String]) -> Part? { parts[path] }

    // MARK: Construction

    /// Adds the parts on the way to a path.
    private mutating func reach(_ path: [String]) {
        for length in 0...path.count { parts[Array(path[..<length]), default: Part()].members += [] }
        for (position, name) in path.enumerated() {
            let outer = Array(path[..<position])
            if parts[outer]?.members.contains(name) == false { parts[outer]?.members.append(name) }
        }
    }

    private static func stricter(_ known: JSONValue, _ other: JSONValue, _ keyword: String) -> JSONValue {
        switch keyword {
        case "minLength", "minItems", "minimum", "exclusiveMinimum":
            guard let left = known.numberValue, let right = other.numberValue else { return other }
            return left < right ? other : known
        case "maxLength", "maxItems", "maximum", "exclusiveMaximum":
            guard let left = known.numberValue, let right = other.numberValue else { return other }
            return left < right ? known : other
        case "enum":
            let common = (known.arrayValue ?? []).filter { other.arrayValue?.contains($0) ?? false }
            return common.isEmpty ? other : .array(common)
        default: return other
        }
    }

    /// Compiles the parts that contain a path. Without a compiled schema, a part allows all values.
    private mutating func compile(_ path: [String]) {
        for length in (0...path.count).reversed() {
            let outer = Array(path[..<length])
            let options = JSONSchemaOptions(assertsFormat: true)
            compiled[outer] = try? JSONSchema(schema(outer), options: options)
        }
    }

    private func schema(_ path: [String]) -> JSONValue {
        guard let part = parts[path] else { return true }
        var schema = part.keywords
        var all = part.patterns.map { JSONValue.object(["pattern": .string($0)]) }
        all += part.forbidden.sorted().map { ["not": ["required": [.string($0)], "type": "object"]] }
        if !all.isEmpty { schema["allOf"] = .array(all) }
        var inner = JSONObject()
        if !part.members.isEmpty {
            inner["properties"] = .object(JSONObject(part.members.map { ($0, self.schema(path + [$0])) }))
        }
        if !part.required.isEmpty { inner["required"] = .array(part.required.map { .string($0) }) }
        guard !inner.isEmpty else { return .object(schema) }
        for (name, value) in inner { schema[name] = value }
        // The names also refer to the members of elements.
        schema["items"] = .object(inner)
        return .object(schema)
    }
}

extension ConstraintReader {
    /// Applies additional constraints. A constraint that contradicts the schemas is ignored.
    mutating func narrow(_ part: SampleNarrowing.Part) {
        let keywords = part.keywords
        func decimal(_ name: String) -> ScaledDecimal? { keywords[name]?.numberValue.flatMap { ScaledDecimal($0) } }
        func count(_ name: String) -> Int? {
            keywords[name]?.numberValue?.int64.flatMap { $0 >= 0 ? Int(exactly: min($0, 1 << 32)) : nil }
        }
        if let keyword = keywords["type"] {
            let types = facts.types.intersection(ValueTypes(keyword: keyword))
            if !types.isEmpty { facts.types = types }
        }
        if let values = keywords["enum"]?.arrayValue {
            let common = facts.allowed.map { known in known.filter { values.contains($0) } } ?? values
            if !common.isEmpty { facts.allow(common) }
        }
        if let value = decimal("minimum") { facts.raiseLower(value, isExclusive: false) }
        if let value = decimal("exclusiveMinimum") { facts.raiseLower(value, isExclusive: true) }
        if let value = decimal("maximum") { facts.reduceUpper(value, isExclusive: false) }
        if let value = decimal("exclusiveMaximum") { facts.reduceUpper(value, isExclusive: true) }
        if let value = count("minLength") { facts.minimumLength = max(facts.minimumLength, value) }
        if let value = count("maxLength") { facts.maximumLength = min(facts.maximumLength ?? value, value) }
        if let value = count("minItems") { facts.minimumItems = max(facts.minimumItems, value) }
        if let value = count("maxItems") { facts.maximumItems = min(facts.maximumItems ?? value, value) }
        facts.patterns += part.patterns
        if let format = keywords["format"]?.stringValue { facts.format = format }
        let bounds = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"]
        if bounds.contains(where: { keywords[$0] != nil }) { facts.hints.insert(.number) }
        if keywords["format"] != nil || keywords["minLength"] != nil || !part.patterns.isEmpty {
            facts.hints.insert(.string)
        }
        if !part.members.isEmpty { facts.hints.insert(.object) }
        let isClosed = facts.isClosed || facts.additional.contains { $0.value.boolValue == false }
        for name in part.required where !isClosed || !facts.schemas(of: name).isEmpty {
            if facts.requiredNames.insert(name).inserted { facts.required.append(name) }
        }
        facts.excluded = part.forbidden.subtracting(facts.requiredNames)
    }
}

extension SchemaSampler {
    /// Returns a value that is valid against a schema and satisfies additional constraints where it can.
    ///
    /// - Parameters:
    ///   - name: The name of the value, which helps to find a realistic one.
    ///   - variation: The index among alternative values.
    ///   - narrowing: The additional constraints. Paths start at the value.
    /// - Throws: ``SampleFailure`` if no valid value was found.
    package func sample(
        _ schema: DescriptionNode, name: String = "", variation: Int = 0, narrowedBy narrowing: SampleNarrowing?
    ) throws(SampleFailure) -> JSONValue {
        guard let narrowing, !narrowing.isEmpty else {
            return try sample(schema, name: name, variation: variation)
        }
        var run = SampleRun(self)
        run.narrowing = narrowing
        run.narrowingDepth = name.isEmpty ? 0 : 1
        let value = try run.value(
            [schema], SampleSite(path: name.isEmpty ? [] : [name], variation: min(max(0, variation), 1_000_000)))
        guard accepts(value, schema) else {
            throw SampleFailure(message: "found no value that matches the schema and the learned rules", node: schema)
        }
        return value
    }
}
