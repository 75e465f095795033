import JSON

/// The generation of one value, with a limit for its total cost.
struct SampleRun {
    /// The amount of optional content in a value.
    enum Extent { case everything, required }

    /// The maximum nesting depth of values.
    static let maximumDepth = 40
    /// The depth beyond which values contain only required content.
    static let generousDepth = 8
    private static let maximumRounds = 48
    /// The steps reserved for values of a lenient run that are not validated.
    private static let reservedSteps = 1_500

    let sampler: SchemaSampler
    private var steps = 4_000
    /// Whether an invalid value is better than none.
    let isLenient: Bool
    /// The constraints in addition to those of the schemas.
    var narrowing: SampleNarrowing?
    /// The number of path components before the value to which the additional constraints apply.
    var narrowingDepth = 0
    /// The schemas without a known value, which are not searched again.
    private var hopeless: Set<DescriptionNode> = []

    init(_ sampler: SchemaSampler, isLenient: Bool = false) {
        self.sampler = sampler
        self.isLenient = isLenient
    }

    var description: OpenAPIDescription { sampler.description }

    /// Returns a value that is valid against all given schemas.
    mutating func value(_ schemas: [DescriptionNode], _ site: SampleSite) throws(SampleFailure) -> JSONValue {
        guard let part = narrowing?.part(names(site)) else { return try value(schemas, site, narrowedBy: nil) }
        if let value = try? value(schemas, site, narrowedBy: part) { return value }
        // The additional constraints contradict the schema or each other.
        return try value(schemas, site, narrowedBy: nil)
    }

    /// Returns the path of a site for the additional constraints, without the indices of elements.
    private func names(_ site: SampleSite) -> [String] {
        site.path.dropFirst(narrowingDepth).filter { Int($0) == nil }
    }

    private mutating func value(
        _ schemas: [DescriptionNode], _ site: SampleSite, narrowedBy part: SampleNarrowing.Part?
    ) throws(SampleFailure) -> JSONValue {
        guard site.depth < Self.maximumDepth else {
            throw SampleFailure(message: "the schema requires itself recursively", node: schemas.first)
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
            var reader = ConstraintReader(description, ancestors: site.ancestors)
            for schema in schemas { reader.read(schema, &choices) }
            if let part { reader.narrow(part) }
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

    /// Creates a value for one combination of branches.
    ///
    /// - Parameters:
    ///   - candidate: Set to the first value that is not valid against the schemas.
    ///   - exclusive: Set to the first value that becomes valid only with a member that other branches reject.
    ///   - isHopeless: Whether to return a value even if it is invalid.
    private mutating func value(
        _ facts: SchemaConstraints, _ schemas: [DescriptionNode], _ site: SampleSite, _ candidate: inout JSONValue?,
        _ exclusive: inout JSONValue?, isHopeless: Bool
    ) throws(SampleFailure) -> JSONValue {
        if let never = facts.never {
            throw SampleFailure(message: "the schema allows no value", node: never)
        }
        // An example must not override the value of a discriminator. Everything else in examples is used.
        if let given = suggestion(facts, schemas, site) { return given }
        if isLenient, let given = facts.suggestions.first.map({ trimmed($0, facts) }) ?? facts.allowed?.first {
            if isHopeless { return given }
            candidate = candidate ?? given
        }
        var failure: SampleFailure?
        for type in facts.orderedTypes {
            for extent in [Extent.everything, .required] {
                // Values of other types have no optional content.
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
                            message: sampler.validators.violation(of: value, wrong).map {
                                "found no valid value: \($0)"
                            }
                                ?? "found no value that matches the schema",
                            node: wrong)
                } catch {
                    failure = failure ?? error
                }
            }
        }
        throw failure ?? SampleFailure(message: "the schema allows no value", node: schemas.first)
    }

    /// Returns an example, an enumeration value, or a default that is valid against the schemas.
    private func suggestion(_ facts: SchemaConstraints, _ schemas: [DescriptionNode], _ site: SampleSite) -> JSONValue?
    {
        var given = facts.suggestions.map { trimmed($0, facts) }
        let allowed = (facts.allowed ?? []).sorted { !$0.isNull && $1.isNull }
        // `null` conveys little, so it is used only as a last resort.
        given += (facts.allowed == nil ? facts.defaults : facts.defaults.filter { allowed.contains($0) })
            .filter { !$0.isNull }
        given += allowed
        let valid = given.lazy.filter { value in
            schemas.allSatisfy { self.isValid(value, $0) }
                && self.narrowing?.accepts(value, at: self.names(site)) ?? true
        }
        if site.variation == 0 { return valid.first }
        var different: [JSONValue] = []
        for value in valid.prefix(200) where !different.contains(value) { different.append(value) }
        guard !different.isEmpty else { return nil }
        if site.variation < different.count { return different[site.variation] }
        return facts.allowed == nil ? nil : different[site.variation % different.count]
    }

    /// Returns an example without the members of the opposite direction.
    private func trimmed(_ value: JSONValue, _ facts: SchemaConstraints) -> JSONValue {
        guard var object = value.objectValue else { return value }
        for property in facts.properties where property.schemas.contains(where: { isExcluded($0) }) {
            object.removeValue(forKey: property.name)
        }
        for name in facts.excluded { object.removeValue(forKey: name) }
        return .object(object)
    }

    /// Returns whether a member exists only in the opposite direction.
    func isExcluded(_ schema: DescriptionNode) -> Bool {
        description.isExcluded(schema, from: sampler.direction)
    }

    /// Returns an object with an invalid member for each other matching branch of `oneOf`, so that only one matches.
    ///
    /// Branches with a discriminator often have no other difference.
    private func excludingOthers(
        _ value: JSONValue, _ facts: SchemaConstraints, _ schemas: [DescriptionNode]
    ) -> JSONValue? {
        guard !facts.otherBranches.isEmpty, var object = value.objectValue else { return nil }
        for branch in facts.otherBranches where isValid(.object(object), branch) {
            for property in SchemaConstraints(of: [branch], in: description).properties
            where object[property.name] == nil && !property.schemas.contains(where: { isExcluded($0) }) {
                // `null` is tried first, because many programs use it for absent values.
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
        _ type: ValueTypes, _ facts: SchemaConstraints, _ extent: Extent, _ site: SampleSite
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

    /// Returns the random number generator of a site.
    func random(_ site: SampleSite) -> SampleRandom {
        SampleRandom(seed: sampler.seed, path: site.path, variation: site.variation)
    }
}

/// The position of a value within the generated whole.
struct SampleSite {
    /// The names and indices that lead to the value.
    var path: [String] = []
    /// The index among alternative values.
    var variation = 0
    /// The schemas of all enclosing values.
    var ancestors: Set<DescriptionNode> = []

    /// The name of the value: the last path component that is not an index.
    var name: String { path.last { Int($0) == nil } ?? "" }

    /// The number of enclosing values.
    var depth: Int { path.count }

    /// Returns the site of a member or an element.
    func inside(_ token: String, _ facts: SchemaConstraints, variation: Int? = nil) -> SampleSite {
        SampleSite(
            path: path + [token], variation: variation ?? self.variation, ancestors: ancestors.union(facts.visited))
    }
}

/// The branches chosen in each choice of a schema, and an iteration over the combinations.
struct SampleChoices {
    private var taken: [Int] = []
    private var counts: [Int] = []
    private var position = 0

    /// Restarts the sequence of choices with the same branches.
    mutating func rewind() { position = 0 }

    /// Returns the branch to use out of `count`.
    mutating func choose(_ count: Int) -> Int {
        defer { position += 1 }
        if position < taken.count { return taken[position] }
        taken.append(0)
        counts.append(count)
        return 0
    }

    /// Advances to the next combination of branches. Returns `false` after the last one.
    mutating func advance() -> Bool {
        // An attempt that failed early did not reach the remaining choices.
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
