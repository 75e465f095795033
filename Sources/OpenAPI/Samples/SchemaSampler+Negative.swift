public import JSON

extension SchemaSampler {
    /// Returns values that violate exactly one constraint of a schema, at any depth.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - value: A value that is valid against the schema.
    ///   - name: The name of the value.
    ///   - isPart: Whether to prefix the names of members with the name of the value: `filter.limit` instead of
    ///     `limit`.
    ///   - limit: The maximum number of values.
    public func negatives(
        _ schema: DescriptionNode, from value: JSONValue, name: String = "", isPart: Bool = false, limit: Int = .max
    ) -> [NegativeSample] {
        var walk = NegativeWalk(sampler: self, root: schema, name: name, limit: limit)
        walk.visit([schema], value, NegativeWalk.Site(path: isPart ? name : "") { $0 })
        return walk.found
    }
}

/// A traversal of a value that violates one constraint at a time.
private struct NegativeWalk {
    /// The position of a part of the value.
    struct Site {
        /// The path to the part, or an empty string for the whole value.
        var path: String
        var depth = 0
        /// The schemas of the enclosing values.
        var ancestors: Set<DescriptionNode> = []
        /// Whether the part or an enclosing one was added to the value.
        var isAdded = false
        /// A closure that returns the whole value with the part replaced.
        var whole: (JSONValue) -> JSONValue

        init(path: String, whole: @escaping (JSONValue) -> JSONValue) {
            self.path = path
            self.whole = whole
        }

        /// Returns the site of a nested part.
        func inside(
            _ path: String, _ facts: SchemaConstraints, isAdded: Bool = false,
            _ replacing: @escaping (JSONValue) -> JSONValue
        ) -> Site {
            var site = self
            site.path = path
            site.depth += 1
            site.ancestors.formUnion(facts.visited)
            site.isAdded = self.isAdded || isAdded
            let outer = whole
            site.whole = { outer(replacing($0)) }
            return site
        }

        /// Returns the equivalent site for generating a value.
        func sample(_ name: String) -> SampleSite { SampleSite(path: [name], ancestors: ancestors) }
    }

    private static let maximumDepth = 8
    private static let maximumCount = 100
    /// The maximum number of parts to add to the value.
    private static let maximumAdded = 200

    let sampler: SchemaSampler
    let root: DescriptionNode
    let name: String
    let limit: Int
    var found: [NegativeSample] = []
    private var phrases: Set<String> = []
    private var added = 0

    init(sampler: SchemaSampler, root: DescriptionNode, name: String, limit: Int) {
        self.sampler = sampler
        self.root = root
        self.name = name
        self.limit = limit
    }

    private var isFull: Bool { found.count >= limit }

    /// Violates each constraint of a value and of everything inside it.
    mutating func visit(_ schemas: [DescriptionNode], _ value: JSONValue, _ site: Site) {
        guard !isFull, site.depth < Self.maximumDepth else { return }
        let facts = sampler.facts(schemas, describing: value)
        // A recursive schema would be added endlessly.
        if site.isAdded, !facts.visited.isDisjoint(with: site.ancestors) {
            return addWrongType(.string("text"), "a string", site)
        }
        switch value {
        case .object(let object): visit(object, facts, site)
        case .array(let elements): visit(elements, facts, site)
        case .null:
            guard let made = made(schemas, site.sample(name)), !made.isNull else { return }
            visit(schemas, made, site)
        case .bool, .number, .string:
            let member = site.path.isEmpty ? name : site.path
            for fault in ScalarFaults(value: value, facts: facts, member: member).all {
                add(fault.value, fault.fault, member, fault.phrase, site)
            }
        }
    }

    /// Adds a value that violates a constraint, unless another branch of the schema accepts it.
    private mutating func add(
        _ part: JSONValue, _ fault: NegativeSample.Fault, _ member: String, _ phrase: String, _ site: Site
    ) {
        guard !isFull, !phrases.contains(phrase) else { return }
        let value = site.whole(part)
        guard !sampler.accepts(value, root) else { return }
        phrases.insert(phrase)
        found.append(NegativeSample(value: value, fault: fault, member: member, phrase: phrase))
    }

    /// Returns a value for schemas, or `nil` if none is found or the limit of additions is reached.
    private mutating func made(_ schemas: [DescriptionNode], _ site: SampleSite) -> JSONValue? {
        guard added < Self.maximumAdded else { return nil }
        added += 1
        var run = SampleRun(sampler)
        return try? run.value(schemas, site)
    }

    private func words(_ site: Site) -> String {
        site.path.isEmpty ? (name.isEmpty ? "the value" : name) : site.path
    }

    // MARK: Objects

    private mutating func visit(_ object: JSONObject, _ facts: SchemaConstraints, _ site: Site) {
        let path = site.path
        let location = path.isEmpty ? "" : " in \(path)"
        func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        for member in facts.required where object.contains(member) {
            var less = object
            less.removeValue(forKey: member)
            add(.object(less), .missing, inner(member), "without \(inner(member))", site)
        }
        for property in facts.properties {
            guard let present = object[property.name] else { continue }
            let site = site.inside(inner(property.name), facts) { .object(object.with(property.name, $0)) }
            visit(property.schemas, present, site)
        }
        visitUnnamed(object, facts, site, inner)
        visitAbsent(object, facts, site, inner)
        addWrongType(path.isEmpty ? .array([]) : .string("text"), path.isEmpty ? "an array" : "a string", site)
        if let more = withUnknown(object, facts, site) {
            add(.object(more), .additional, path, "with an unknown property\(location)", site)
        }
        if let maximum = facts.maximumProperties, maximum < Self.maximumCount, object.count <= maximum,
            let many = extended(object, to: maximum + 1, facts, site)
        {
            add(.object(many), .count, path, "with too many properties\(location)", site)
        }
        if facts.minimumProperties > facts.required.count, object.count >= facts.minimumProperties {
            var few = object
            for key in object.map(\.key).reversed() where !facts.requiredNames.contains(key) {
                if few.count < facts.minimumProperties { break }
                few.removeValue(forKey: key)
            }
            add(.object(few), .count, path, "with too few properties\(location)", site)
        }
    }

    /// Violates the constraints of additional members, using one member for each set of schemas.
    private mutating func visitUnnamed(
        _ object: JSONObject, _ facts: SchemaConstraints, _ site: Site, _ inner: (String) -> String
    ) {
        let run = SampleRun(sampler)
        var seen: Set<[DescriptionNode]> = []
        for (name, part) in object where facts.schemas(of: name).isEmpty {
            let schemas = run.schemas(of: name, facts)
            guard !schemas.isEmpty, seen.insert(schemas).inserted else { continue }
            visit(schemas, part, site.inside(inner(name), facts) { .object(object.with(name, $0)) })
        }
        let isDescribed = facts.additional.contains { $0.value.objectValue?.isEmpty == false }
        guard isDescribed || !facts.patternProperties.isEmpty, seen.isEmpty,
            object.count < facts.maximumProperties ?? .max,
            let more = extended(object, to: object.count + 1, facts, site, isNamed: false),
            let (name, part) = more.first(where: { !object.contains($0.key) }),
            sampler.accepts(site.whole(.object(more)), root)
        else { return }
        let schemas = run.schemas(of: name, facts)
        visit(schemas, part, site.inside(inner(name), facts, isAdded: true) { .object(more.with(name, $0)) })
    }

    /// Violates the constraints of absent members.
    private mutating func visitAbsent(
        _ object: JSONObject, _ facts: SchemaConstraints, _ site: Site, _ inner: (String) -> String
    ) {
        guard object.count < facts.maximumProperties ?? .max else { return }
        for property in facts.properties where !object.contains(property.name) && !isFull {
            guard isSent(property), let part = made(property.schemas, site.sample(property.name)) else { continue }
            guard sampler.accepts(site.whole(.object(object.with(property.name, part))), root) else { continue }
            let own = site.inside(inner(property.name), facts, isAdded: true) {
                .object(object.with(property.name, $0))
            }
            visit(property.schemas, part, own)
        }
    }

    private func isSent(_ property: SchemaConstraints.Property) -> Bool {
        let run = SampleRun(sampler)
        return !property.schemas.contains { run.isExcluded($0) || $0.value["deprecated"]?.boolValue == true }
    }

    /// Returns the object with a member that its schemas forbid, or `nil` if they allow any member.
    private mutating func withUnknown(_ object: JSONObject, _ facts: SchemaConstraints, _ site: Site) -> JSONObject? {
        let extra = "unknownMember"
        let isClosed = facts.isClosed || facts.additional.contains { $0.value.boolValue == false }
        guard isClosed || !facts.propertyNames.isEmpty, !object.contains(extra) else { return nil }
        let run = SampleRun(sampler)
        if isClosed, facts.patternProperties.contains(where: { run.matches(extra, $0.pattern) }) { return nil }
        var more = object
        // The number of members is a separate constraint.
        if object.count == facts.maximumProperties {
            guard let optional = object.map(\.key).last(where: { !facts.requiredNames.contains($0) }) else {
                return nil
            }
            more.removeValue(forKey: optional)
        }
        var part = JSONValue.string("text")
        if !isClosed, !facts.additional.isEmpty {
            guard let made = made(facts.additional, site.sample(extra)) else { return nil }
            part = made
        }
        more[extra] = part
        return more
    }

    /// Returns the object with additional valid members.
    ///
    /// - Parameter isNamed: Whether to add defined members first.
    private mutating func extended(
        _ object: JSONObject, to count: Int, _ facts: SchemaConstraints, _ site: Site, isNamed: Bool = true
    ) -> JSONObject? {
        var result = object
        for property in facts.properties where isNamed && result.count < count && !object.contains(property.name) {
            guard isSent(property), let part = made(property.schemas, site.sample(property.name)) else { continue }
            result[property.name] = part
        }
        guard added < Self.maximumAdded else { return nil }
        added += 1
        var run = SampleRun(sampler)
        result = (try? run.extended(result, to: count, facts, site.sample(words(site)))) ?? result
        return result.count == count ? result : nil
    }

    private mutating func addWrongType(_ wrong: JSONValue, _ noun: String, _ site: Site) {
        add(wrong, .type, site.path, "with \(noun) as \(words(site))", site)
    }

    // MARK: Arrays

    private mutating func visit(_ elements: [JSONValue], _ facts: SchemaConstraints, _ site: Site) {
        let path = site.path
        let words = words(site)
        addWrongType(.string("text"), "a string", site)
        if facts.minimumItems > 0, elements.count >= facts.minimumItems {
            let few = JSONValue.array(Array(elements.prefix(facts.minimumItems - 1)))
            let phrase = facts.minimumItems == 1 ? "with no items in \(words)" : "with too few items in \(words)"
            add(few, .count, path, phrase, site)
        }
        guard let first = elements.first else {
            let schemas = facts.prefix.first ?? facts.items
            guard facts.maximumItems ?? 1 > 0, !schemas.isEmpty, let part = made(schemas, site.sample(words)),
                sampler.accepts(site.whole(.array([part])), root)
            else { return }
            visit(schemas, part, site.inside("\(words)[0]", facts, isAdded: true) { .array([$0]) })
            return
        }
        if let maximum = facts.maximumItems, maximum < Self.maximumCount, elements.count <= maximum {
            var many = elements
            var variation = 1
            // For unique elements, different values are needed.
            while many.count <= maximum, variation < 4 * Self.maximumCount {
                guard facts.isUnique else {
                    many.append(first)
                    continue
                }
                let schema = facts.items.first
                let next = schema.flatMap { try? sampler.sample($0, name: name, variation: variation) }
                if let next, !many.contains(next) { many.append(next) }
                variation += 1
            }
            if many.count > maximum { add(.array(many), .count, path, "with too many items in \(words)", site) }
        }
        if facts.isUnique {
            let room = facts.maximumItems ?? .max
            let twice = [first] + (elements.count < room ? elements[...] : elements.dropLast())
            if twice.count > 1 { add(.array(twice), .unique, path, "with a duplicate item in \(words)", site) }
        }
        for (position, element) in elements.enumerated().prefix(facts.prefix.count + 1) {
            let schemas = position < facts.prefix.count ? facts.prefix[position] : facts.items
            visit(
                schemas, element,
                site.inside("\(words)[\(position)]", facts) { part in
                    .array(Array(elements[..<position]) + [part] + elements[(position + 1)...])
                })
        }
    }
}

extension JSONObject {
    /// Returns the object with a member added or replaced.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONObject {
        var changed = self
        changed[name] = value
        return changed
    }
}
