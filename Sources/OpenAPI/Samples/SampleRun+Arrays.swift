import JSON

extension SampleRun {
    /// Makes an array.
    mutating func array(
        _ facts: SchemaFacts, _ extent: Extent, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        let containedCount = facts.contained.reduce(0) { $0 + $1.minimum }
        let fewest = max(facts.minimumItems, containedCount)
        guard fewest <= 1_000 else { throw SampleFailure(message: "an array needs \(fewest) elements") }
        var count = max(
            fewest, extent == .everything && site.depth < Self.generousDepth ? max(1, facts.prefix.count) : 0)
        if let maximum = facts.maximumItems { count = min(count, maximum) }
        var elements: [JSONValue] = []
        for position in 0..<count {
            do throws(SampleFailure) {
                elements.append(try element(position, elements, facts, site))
            } catch {
                // What need not be there is left out.
                if position >= fewest || isLenient { break }
                throw error
            }
        }
        return .array(elements)
    }

    private mutating func element(
        _ position: Int, _ earlier: [JSONValue], _ facts: SchemaFacts, _ site: SampleSite
    ) throws(SampleFailure) -> JSONValue {
        var schemas = position < facts.prefix.count ? facts.prefix[position] : facts.items
        if position >= facts.minimumItems, site.ancestors.count > 0 || !facts.visited.isEmpty {
            for schema in schemas {
                if let target = description.resolved(schema),
                    site.ancestors.contains(target) || facts.visited.contains(target)
                {
                    throw SampleFailure(message: "the schema holds itself", node: schema)
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
            if !earlier.contains(candidate) { return candidate }
        }
        throw SampleFailure(message: "no \(position + 1) different elements were found")
    }
}
