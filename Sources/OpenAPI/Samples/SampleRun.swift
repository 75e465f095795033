import JSON

/// The making of one value: what it costs is bounded as a whole.
struct SampleRun {
    /// How much of what is optional a value has.
    enum Extent { case everything, required }

    /// How many values may be around another.
    static let maximumDepth = 40
    /// Beyond this depth values have only what they must.
    static let generousDepth = 8
    private static let maximumRounds = 48
    /// The steps that are left to a lenient run for values that are not checked.
    private static let reservedSteps = 1_500

    let sampler: SchemaSampler
    private var steps = 4_000
    /// Whether a value that does not follow its schemas is better than none.
    let isLenient: Bool
    /// The schemas of which no value was found, so that none is looked for again.
    private var hopeless: Set<DescriptionNode> = []

    init(_ sampler: SchemaSampler, isLenient: Bool = false) {
        self.sampler = sampler
        self.isLenient = isLenient
    }

    var description: OpenAPIDescription { sampler.description }

    /// A value that follows all of some schemas.
    mutating func value(_ schemas: [DescriptionNode], _ site: SampleSite) throws(SampleFailure) -> JSONValue {
        guard site.depth < Self.maximumDepth else {
            throw SampleFailure(message: "the schema requires itself without end", node: schemas.first)
        }
        var choices = SampleChoices()
        var failure: SampleFailure?
        var candidate: JSONValue?
        var exclusive: JSONValue?
        let isHopeless = isLenient && (steps <= Self.reservedSteps || schemas.contains { hopeless.contains($0) })
        for _ in 0..<(isHopeless ? 1 : Self.maximumRounds) {
            steps -= 1
            guard steps > 0 else { throw SampleFailure(message: "the schema has too many branches to try") }
            choices.rewind()
            var reader = FactReader(description, ancestors: site.ancestors)
            for schema in schemas { reader.read(schema, &choices) }
            let facts = reader.facts
            do throws(SampleFailure) {
                return try value(facts, schemas, site, &candidate, &exclusive, isHopeless: isHopeless)
            } catch {
                failure = failure ?? error
            }
            if !choices.advance() { break }
        }
        if let exclusive { return exclusive }
        if isLenient {
            hopeless.formUnion(schemas)
            if let candidate { return candidate }
        }
        throw failure ?? SampleFailure(message: "the schema allows no value", node: schemas.first)
    }

    /// Makes a value of a combination of branches.
    ///
    /// - Parameters:
    ///   - candidate: Is set to the first value that does not follow the schemas.
    ///   - exclusive: Is set to the first value that only a member which other branches refuse makes valid.
    ///   - isHopeless: Whether a value that does not follow the schemas is the one to return.
    private mutating func value(
        _ facts: SchemaFacts, _ schemas: [DescriptionNode], _ site: SampleSite, _ candidate: inout JSONValue?,
        _ exclusive: inout JSONValue?, isHopeless: Bool
    ) throws(SampleFailure) -> JSONValue {
        if let never = facts.never {
            throw SampleFailure(message: "the schema allows no value", node: never)
        }
        // A discriminator's value is no example's; all else that examples say is taken.
        if let given = suggestion(facts, schemas, site) { return given }
        if isLenient, let given = facts.suggestions.first.map({ trimmed($0, facts) }) ?? facts.allowed?.first {
            if isHopeless { return given }
            candidate = candidate ?? given
        }
        var failure: SampleFailure?
        for type in facts.orderedTypes {
            for extent in [Extent.everything, .required] {
                // Values of the other types have no optional parts.
                if extent == .required, type.isDisjoint(with: [.object, .array]) { continue }
                do throws(SampleFailure) {
                    let value = try made(type, facts, extent, site)
                    guard facts.needsCheck, !isHopeless, let wrong = schemas.first(where: { !isValid(value, $0) })
                    else { return value }
                    candidate = candidate ?? value
                    exclusive = exclusive ?? excludingOthers(value, facts, schemas)
                    failure =
                        failure
                        ?? SampleFailure(
                            message: sampler.validators.violation(of: value, wrong).map { "no value was found: \($0)" }
                                ?? "no value was found that follows the schema",
                            node: wrong)
                } catch {
                    failure = failure ?? error
                }
            }
        }
        throw failure ?? SampleFailure(message: "the schema allows no value", node: schemas.first)
    }

    /// An example, a value of an enumeration or a default that follows the schemas.
    private func suggestion(_ facts: SchemaFacts, _ schemas: [DescriptionNode], _ site: SampleSite) -> JSONValue? {
        var given = facts.suggestions.map { trimmed($0, facts) }
        let allowed = (facts.allowed ?? []).sorted { !$0.isNull && $1.isNull }
        // `null` says little: it is taken when nothing else is there.
        given += (facts.allowed == nil ? facts.defaults : facts.defaults.filter { allowed.contains($0) })
            .filter { !$0.isNull }
        given += allowed
        let valid = given.lazy.filter { value in schemas.allSatisfy { self.isValid(value, $0) } }
        if site.variation == 0 { return valid.first }
        var different: [JSONValue] = []
        for value in valid.prefix(200) where !different.contains(value) { different.append(value) }
        guard !different.isEmpty else { return nil }
        if site.variation < different.count { return different[site.variation] }
        return facts.allowed == nil ? nil : different[site.variation % different.count]
    }

    /// An example without the members that go the other way alone.
    private func trimmed(_ value: JSONValue, _ facts: SchemaFacts) -> JSONValue {
        guard var object = value.objectValue else { return value }
        for property in facts.properties where property.schemas.contains(where: { isExcluded($0) }) {
            object.removeValue(forKey: property.name)
        }
        return .object(object)
    }

    /// Whether a member goes the other way alone.
    func isExcluded(_ schema: DescriptionNode) -> Bool {
        description.isExcluded(schema, from: sampler.direction)
    }

    /// Returns an object with a wrong value for a member of each other branch of `oneOf` that holds, so that one holds alone.
    ///
    /// Branches with a discriminator are often told apart by nothing else.
    private func excludingOthers(
        _ value: JSONValue, _ facts: SchemaFacts, _ schemas: [DescriptionNode]
    ) -> JSONValue? {
        guard !facts.otherBranches.isEmpty, var object = value.objectValue else { return nil }
        for branch in facts.otherBranches where isValid(.object(object), branch) {
            for property in SchemaFacts(of: [branch], in: description).properties
            where object[property.name] == nil && !property.schemas.contains(where: { isExcluded($0) }) {
                // Null first, as many programs write it for what a value does not have.
                let wrong = [.null, false, 0, ""].first { value in !property.schemas.allSatisfy { isValid(value, $0) } }
                guard let wrong else { continue }
                object[property.name] = wrong
                break
            }
        }
        return schemas.allSatisfy { isValid(.object(object), $0) } ? .object(object) : nil
    }

    private func isValid(_ value: JSONValue, _ schema: DescriptionNode) -> Bool {
        sampler.validators.isValid(value, schema) ?? true
    }

    private mutating func made(
        _ type: ValueTypes, _ facts: SchemaFacts, _ extent: Extent, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        switch type {
        case .object: return try object(facts, extent, site)
        case .array: return try array(facts, extent, site)
        case .string: return .string(try text(facts, site))
        case .integer, .fraction:
            return .number(try number(facts, isInteger: !facts.types.contains(.fraction), site))
        case .boolean: return .bool(site.variation % 2 == 0)
        default: return .null
        }
    }

    /// The random numbers of a site.
    func random(_ site: SampleSite) -> SampleRandom {
        SampleRandom(seed: sampler.seed, path: site.path, variation: site.variation)
    }
}

/// Where a value stands in the whole that is made.
struct SampleSite {
    /// The names and positions that lead to it.
    var path: [String] = []
    /// Which of several values is asked for.
    var variation = 0
    /// The schemas of all values around it.
    var ancestors: Set<DescriptionNode> = []

    /// What the value is called: the last name that is no position.
    var name: String { path.last { Int($0) == nil } ?? "" }

    /// How many values are around it.
    var depth: Int { path.count }

    /// The site of a member or an element.
    func inside(_ token: String, _ facts: SchemaFacts, variation: Int? = nil) -> SampleSite {
        SampleSite(
            path: path + [token], variation: variation ?? self.variation, ancestors: ancestors.union(facts.visited))
    }
}

/// The branches that are taken where a schema offers several, and the next ones to try.
struct SampleChoices {
    private var taken: [Int] = []
    private var counts: [Int] = []
    private var position = 0

    /// Begins another round with the same branches.
    mutating func rewind() { position = 0 }

    /// The branch to take of `count` ones.
    mutating func choose(_ count: Int) -> Int {
        defer { position += 1 }
        if position < taken.count { return taken[position] }
        taken.append(0)
        counts.append(count)
        return 0
    }

    /// Moves on to the next combination of branches; false after the last one.
    mutating func advance() -> Bool {
        // Rounds that ended early leave choices that were not met.
        taken.removeLast(taken.count - min(taken.count, position))
        counts.removeLast(counts.count - taken.count)
        position = 0
        while let last = taken.last, let count = counts.last {
            if last + 1 < count {
                taken[taken.count - 1] = last + 1
                return true
            }
            taken.removeLast()
            counts.removeLast()
        }
        return false
    }
}
