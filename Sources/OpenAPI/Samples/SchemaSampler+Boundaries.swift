public import JSON

/// A valid value with one part at a boundary of its constraints.
public struct BoundarySample: Sendable {
    /// The whole value.
    public var value: JSONValue
    /// The boundary as the end of a test name: `with the smallest price`, `without note`.
    public var phrase: String
}

extension SchemaSampler {
    /// Returns valid values with one part at a boundary of its constraints, at any depth.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - value: A value that is valid against the schema.
    ///   - name: The name of the value.
    ///   - isPart: Whether to prefix the names of members with the name of the value.
    ///   - limit: The maximum number of values.
    public func boundaries(
        _ schema: DescriptionNode, from value: JSONValue, name: String = "", isPart: Bool = false, limit: Int = .max
    ) -> [BoundarySample] {
        var walk = BoundaryWalk(sampler: self, root: schema, whole: value, name: name, limit: limit)
        walk.visit([schema], value, path: [], words: isPart ? name : "")
        return walk.found
    }
}

/// A traversal of a value that moves one part at a time to a boundary of its constraints.
private struct BoundaryWalk {
    private static let maximumDepth = 8
    private static let maximumLength = 4_096
    private static let maximumCount = 100
    private static let maximumListed = 50

    let sampler: SchemaSampler
    let root: DescriptionNode
    let whole: JSONValue
    let name: String
    let limit: Int
    var found: [BoundarySample] = []
    private var known: Set<JSONValue> = []

    init(sampler: SchemaSampler, root: DescriptionNode, whole: JSONValue, name: String, limit: Int) {
        self.sampler = sampler
        self.root = root
        self.whole = whole
        self.name = name
        self.limit = limit
        known = [whole]
    }

    /// Moves a part, and everything inside it, to its boundaries.
    mutating func visit(_ schemas: [DescriptionNode], _ value: JSONValue, path: [String], words: String) {
        guard found.count < limit, path.count < Self.maximumDepth else { return }
        let facts = sampler.facts(schemas, describing: value)
        let noun = words.isEmpty ? (name.isEmpty ? "the value" : name) : words
        if facts.types.contains(.null), !value.isNull { add(.null, "with null as \(noun)", path) }
        if let allowed = facts.allowed {
            for other in allowed.prefix(Self.maximumListed) where other != value {
                add(other, "with \(ParameterText.scalar(other)) as \(noun)", path)
            }
        }
        switch value {
        case .null: break
        case .bool(let flag): add(.bool(!flag), "with \(!flag) as \(noun)", path)
        case .number: visitNumber(facts, noun, path)
        case .string(let text): visitText(text, facts, noun, path)
        case .array(let elements): visit(elements, facts, noun, path)
        case .object(let object): visit(object, facts, words, path)
        }
    }

    /// Adds a value unless it is invalid or known.
    private mutating func add(_ part: JSONValue, _ phrase: String, _ path: [String]) {
        guard found.count < limit else { return }
        let value = whole.replacing(path[...], with: part)
        guard known.insert(value).inserted, sampler.accepts(value, root) else { return }
        found.append(BoundarySample(value: value, phrase: phrase))
    }

    private mutating func visitNumber(_ facts: SchemaConstraints, _ noun: String, _ path: [String]) {
        let unit = facts.steps.first ?? ScaledDecimal(units: 1)
        func moved(_ bound: (value: ScaledDecimal, isExclusive: Bool), by sign: Int128) -> JSONNumber? {
            guard bound.isExclusive else { return bound.value.number }
            let scale = max(bound.value.scale, unit.scale)
            guard let units = bound.value.units(at: scale), let step = unit.units(at: scale) else { return nil }
            return ScaledDecimal(units: units + sign * step, scale: scale).number
        }
        if let lowest = facts.lower.flatMap({ moved($0, by: 1) }) {
            add(.number(lowest), "with the smallest \(noun)", path)
        }
        if let highest = facts.upper.flatMap({ moved($0, by: -1) }) {
            add(.number(highest), "with the largest \(noun)", path)
        }
        add(.number(0), "with 0 as \(noun)", path)
        if facts.lower == nil { add(.number(-1), "with a negative \(noun)", path) }
    }

    private mutating func visitText(_ text: String, _ facts: SchemaConstraints, _ noun: String, _ path: [String]) {
        guard facts.allowed == nil else { return }
        let lengths = [(facts.minimumLength, "the shortest"), (facts.maximumLength, "the longest")]
        for case (let length?, let word) in lengths where length <= Self.maximumLength {
            var changed = facts
            changed.minimumLength = length
            changed.maximumLength = length
            let site = SampleSite(path: path.isEmpty ? [name] : path)
            guard let part = try? SampleRun(sampler).text(changed, site) else { continue }
            add(.string(part), "with \(word) \(noun)", path)
        }
    }

    private mutating func visit(
        _ elements: [JSONValue], _ facts: SchemaConstraints, _ noun: String, _ path: [String]
    ) {
        if facts.minimumItems < elements.count {
            let few = Array(elements.prefix(facts.minimumItems))
            add(.array(few), few.isEmpty ? "with no items in \(noun)" : "with the fewest items in \(noun)", path)
        }
        if let maximum = facts.maximumItems, maximum <= Self.maximumCount, maximum > elements.count {
            var changed = facts
            changed.minimumItems = maximum
            var run = SampleRun(sampler)
            if let many = try? run.array(changed, .required, SampleSite(path: path.isEmpty ? [name] : path)) {
                add(many, "with the most items in \(noun)", path)
            }
        }
        guard let first = elements.first else { return }
        visit(facts.prefix.first ?? facts.items, first, path: path + ["0"], words: "\(noun)[0]")
    }

    private mutating func visit(_ object: JSONObject, _ facts: SchemaConstraints, _ words: String, _ path: [String]) {
        func inner(_ member: String) -> String { words.isEmpty ? member : "\(words).\(member)" }
        let optional = object.map(\.key).filter { !facts.requiredNames.contains($0) }
        for member in optional {
            var less = object
            less.removeValue(forKey: member)
            add(.object(less), "without \(inner(member))", path)
        }
        if optional.count > 1 {
            var least = object
            for member in optional { least.removeValue(forKey: member) }
            add(.object(least), "with required members only\(words.isEmpty ? "" : " in \(words)")", path)
        }
        for property in facts.properties {
            guard let part = object[property.name] else { continue }
            visit(property.schemas, part, path: path + [property.name], words: inner(property.name))
        }
    }
}
