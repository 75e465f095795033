import JSON
import RegularExpressions

extension SampleRun {
    /// Creates an object.
    mutating func object(
        _ original: SchemaConstraints, _ extent: Extent, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        let facts = withDependents(original, extent, site)
        let names = names(facts, extent, site)
        var object = JSONObject()
        for name in names {
            let schemas = schemas(of: name, facts)
            do throws(SampleFailure) {
                object.append(name, try member(name, schemas, facts, site))
            } catch {
                if facts.requiredNames.contains(name), !isLenient { throw error }
            }
        }
        try fill(&object, facts, extent, site)
        return .object(object)
    }

    /// Returns the names of the members to create, in schema order.
    private func names(_ facts: SchemaConstraints, _ extent: Extent, _ site: SampleSite) -> [String] {
        var wanted = Set(facts.required)
        if extent == .everything, site.depth < Self.generousDepth {
            for property in facts.properties
            where !property.schemas.contains(where: { isDeprecated($0) || isAncestor($0, facts, site) }) {
                wanted.insert(property.name)
            }
        }
        // A dependent name may require further names.
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for entry in facts.dependentRequired where wanted.contains(entry.name) {
                for name in entry.names where wanted.insert(name).inserted { isGrowing = true }
            }
        }
        for property in facts.properties where property.schemas.contains(where: { isExcluded($0) }) {
            wanted.remove(property.name)
        }
        wanted.subtract(facts.excluded)
        var names = facts.properties.map(\.name).filter { wanted.contains($0) }
        let known = Set(names)
        names += facts.required.filter { wanted.contains($0) && !known.contains($0) }
        names += facts.dependentRequired.flatMap(\.names).filter {
            wanted.contains($0) && !known.contains($0) && !facts.requiredNames.contains($0)
        }
        if let maximum = facts.maximumProperties, names.count > maximum {
            // Required members come first, then the others in their order.
            let required = names.filter { facts.requiredNames.contains($0) }
            let optional = names.filter { !facts.requiredNames.contains($0) }.prefix(max(0, maximum - required.count))
            let kept = Set(required + optional)
            names = names.filter { kept.contains($0) }
        }
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// Returns the constraints including those of `dependentSchemas` for the members to create.
    private func withDependents(_ original: SchemaConstraints, _ extent: Extent, _ site: SampleSite)
        -> SchemaConstraints
    {
        guard !original.dependentSchemas.isEmpty else { return original }
        var reader = ConstraintReader(description)
        reader.facts = original
        reader.facts.needsCheck = true
        for _ in 0..<4 {
            let present = Set(names(reader.facts, extent, site))
            let pending = reader.facts.dependentSchemas.filter {
                present.contains($0.name) && !reader.facts.visited.contains($0.schema)
            }
            if pending.isEmpty { break }
            var choices = SampleChoices()
            for entry in pending { reader.read(entry.schema, &choices) }
        }
        return reader.facts
    }

    private func isDeprecated(_ schema: DescriptionNode) -> Bool { schema.value["deprecated"]?.boolValue == true }

    /// Returns whether a schema is that of an enclosing value, or contains one as its elements.
    private func isAncestor(_ schema: DescriptionNode, _ facts: SchemaConstraints, _ site: SampleSite) -> Bool {
        var current = schema
        for _ in 0..<4 {
            guard let target = description.resolved(current) else { return false }
            if facts.visited.contains(target) || site.ancestors.contains(target) { return true }
            guard let items = target["items"] ?? target["additionalProperties"] else {
                return [target["allOf"], target["oneOf"], target["anyOf"]].contains { list in
                    guard let parts = list?.elements, !parts.isEmpty else { return false }
                    return parts.contains { part in
                        description.resolved(part).map {
                            facts.visited.contains($0) || site.ancestors.contains($0)
                        } ?? false
                    }
                }
            }
            current = items
        }
        return false
    }

    /// Returns all schemas of a member.
    func schemas(of name: String, _ facts: SchemaConstraints) -> [DescriptionNode] {
        var schemas = facts.schemas(of: name)
        for entry in facts.patternProperties where matches(name, entry.pattern) { schemas.append(entry.schema) }
        return schemas.isEmpty ? facts.additional : schemas
    }

    /// Returns whether a member's name matches a pattern.
    func matches(_ name: String, _ pattern: String) -> Bool {
        guard let expression = try? RegularExpression(pattern, dialect: .ecmaScript) else { return false }
        return (try? expression.matches(name)) ?? false
    }

    private mutating func member(
        _ name: String, _ schemas: [DescriptionNode], _ facts: SchemaConstraints, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        let inside = site.inside(name, facts)
        for entry in facts.discriminators where entry.name == name {
            let text = JSONValue.string(entry.value)
            if schemas.allSatisfy({ sampler.accepts(text, $0) }) { return text }
        }
        return try value(schemas, inside)
    }

    // MARK: Additional members

    /// Adds additional members: the required number, and one as an illustration.
    private mutating func fill(
        _ object: inout JSONObject, _ facts: SchemaConstraints, _ extent: Extent, _ site: SampleSite
    ) throws(SampleFailure) {
        var needed = facts.minimumProperties
        let showsOne = facts.properties.isEmpty && object.isEmpty && extent == .everything
        let hasSchema =
            facts.additional.contains { $0.value.objectValue?.isEmpty == false }
            || !facts.patternProperties.isEmpty
        if showsOne, hasSchema, site.depth < Self.generousDepth { needed = max(needed, 1) }
        needed = min(needed, facts.maximumProperties ?? needed)
        guard object.count < needed else { return }
        guard needed <= 1_000 else { throw SampleFailure(message: "an object requires \(needed) properties") }
        let isOptional = object.count >= facts.minimumProperties
        var attempt = 0
        while object.count < needed {
            attempt += 1
            guard attempt <= needed + 50 else {
                throw SampleFailure(message: "found no names for \(needed) properties")
            }
            guard let name = newName(facts, attempt, site), object[name] == nil else { continue }
            let schemas = schemas(of: name, facts)
            if isOptional, schemas.contains(where: { isAncestor($0, facts, site) }) { return }
            do throws(SampleFailure) {
                object.append(name, try value(schemas, site.inside(name, facts, variation: attempt - 1)))
            } catch {
                if isOptional { return }
                throw error
            }
        }
    }

    /// Returns an object with additional members up to a number of members.
    mutating func extended(
        _ object: JSONObject, to count: Int, _ facts: SchemaConstraints, _ site: SampleSite
    ) throws(SampleFailure) -> JSONObject {
        var facts = facts
        facts.minimumProperties = count
        facts.maximumProperties = nil
        var result = object
        try fill(&result, facts, .required, site)
        return result
    }

    /// Returns a name that the schemas allow.
    private mutating func newName(_ facts: SchemaConstraints, _ attempt: Int, _ site: SampleSite) -> String? {
        if !facts.propertyNames.isEmpty {
            let inside = site.inside("name", facts, variation: attempt - 1)
            return (try? value(facts.propertyNames, inside))?.stringValue
        }
        let allowsOthers = !facts.additional.contains { $0.value.boolValue == false }
        if !facts.patternProperties.isEmpty, !allowsOthers || attempt <= facts.patternProperties.count {
            let entry = facts.patternProperties[(attempt - 1) % facts.patternProperties.count]
            guard let expression = try? RegularExpression(entry.pattern, dialect: .ecmaScript) else { return nil }
            var random = random(site.inside("name", facts, variation: attempt))
            return expression.sample(attempt: attempt - 1, using: &random)
        }
        return allowsOthers ? (attempt == 1 ? "key" : "key\(attempt)") : nil
    }
}

extension SampleRun {
    /// Creates an array.
    mutating func array(
        _ facts: SchemaConstraints, _ extent: Extent, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        let containedCount = facts.contained.reduce(0) { $0 + $1.minimum }
        let minimum = max(facts.minimumItems, containedCount)
        guard minimum <= 1_000 else { throw SampleFailure(message: "an array requires \(minimum) elements") }
        var count = max(
            minimum, extent == .everything && site.depth < Self.generousDepth ? max(1, facts.prefix.count) : 0)
        if let maximum = facts.maximumItems { count = min(count, maximum) }
        var elements: [JSONValue] = []
        for position in 0..<count {
            do throws(SampleFailure) {
                elements.append(try element(position, elements, facts, site))
            } catch {
                // Optional elements are omitted.
                if position >= minimum || isLenient { break }
                throw error
            }
        }
        return .array(elements)
    }

    private mutating func element(
        _ position: Int, _ previous: [JSONValue], _ facts: SchemaConstraints, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        var schemas = position < facts.prefix.count ? facts.prefix[position] : facts.items
        if position >= facts.minimumItems, site.ancestors.count > 0 || !facts.visited.isEmpty {
            for schema in schemas {
                if let target = description.resolved(schema),
                    site.ancestors.contains(target) || facts.visited.contains(target)
                {
                    throw SampleFailure(message: "the schema contains itself", node: schema)
                }
            }
        }
        var offset = position
        for contained in facts.contained {
            if offset < contained.minimum {
                schemas.append(contained.schema)
                break
            }
            offset -= contained.minimum
        }
        guard facts.isUnique else {
            return try value(schemas, site.inside("\(position)", facts, variation: site.variation &+ position))
        }
        for attempt in 0..<64 {
            let inside = site.inside("\(position)", facts, variation: site.variation &+ position &+ attempt)
            let candidate = try value(schemas, inside)
            if !previous.contains(candidate) { return candidate }
        }
        throw SampleFailure(message: "found fewer than \(position + 1) unique elements")
    }
}
