public import JSON

extension SchemaSampler {
    /// Returns values in which exactly one thing, at any depth, does not follow a schema.
    ///
    /// - Parameters:
    ///   - schema: The schema.
    ///   - value: A value that follows it.
    ///   - name: The name of the value where it is not an object.
    ///   - limit: The maximum number of values.
    public func negatives(
        _ schema: DescriptionNode, from value: JSONValue, name: String = "", limit: Int = .max
    ) -> [NegativeSample] {
        var walk = NegativeWalk(sampler: self, root: schema, name: name, limit: limit)
        walk.visit([schema], value, "", 0) { $0 }
        return walk.found
    }
}

/// A walk through a value that breaks one constraint at a time.
private struct NegativeWalk {
    private static let maximumDepth = 8
    private static let largestCount = 100

    let sampler: SchemaSampler
    let root: DescriptionNode
    let name: String
    let limit: Int
    var found: [NegativeSample] = []

    /// Breaks each constraint of a value and of everything in it.
    ///
    /// - Parameter whole: Returns the whole value with this part of it replaced.
    mutating func visit(
        _ schemas: [DescriptionNode], _ value: JSONValue, _ path: String, _ depth: Int,
        _ whole: (JSONValue) -> JSONValue
    ) {
        guard found.count < limit, depth < Self.maximumDepth else { return }
        let facts = sampler.facts(schemas, describing: value)
        switch value {
        case .object(let object): visit(object, facts, path, depth, whole)
        case .array(let elements): visit(elements, facts, path, depth, whole)
        case .null, .bool, .number, .string:
            let member = path.isEmpty ? name : path
            for fault in ScalarFaults(value: value, facts: facts, member: member).all {
                add(whole(fault.value), fault.fault, member, fault.phrase)
            }
        }
    }

    /// Adds a value that breaks a constraint, unless another branch of the schema allows it.
    private mutating func add(_ value: JSONValue, _ fault: NegativeSample.Fault, _ member: String, _ phrase: String) {
        guard found.count < limit, !found.contains(where: { $0.phrase == phrase }), !sampler.accepts(value, root)
        else { return }
        found.append(NegativeSample(value: value, fault: fault, member: member, phrase: phrase))
    }

    // MARK: Objects

    private mutating func visit(
        _ object: JSONObject, _ facts: SchemaFacts, _ path: String, _ depth: Int, _ whole: (JSONValue) -> JSONValue
    ) {
        func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        let place = path.isEmpty ? "" : " in \(path)"
        for member in facts.required where object.contains(member) {
            var less = object
            less.removeValue(forKey: member)
            add(whole(.object(less)), .missing, inner(member), "without \(inner(member))")
        }
        for property in facts.properties {
            guard let present = object[property.name] else { continue }
            visit(property.schemas, present, inner(property.name), depth + 1) { part in
                var changed = object
                changed[property.name] = part
                return whole(.object(changed))
            }
        }
        if path.isEmpty {
            addWrongType(.array([]), "an array", path, whole)
        } else {
            addWrongType(.string("text"), "a text", path, whole)
        }
        var more = object
        let extra = "unknownMember"
        if !more.contains(extra) {
            more[extra] = .string("text")
            add(whole(.object(more)), .additional, path, "with an unknown member\(place)")
        }
        if let maximum = facts.maximumProperties, maximum < Self.largestCount, object.count <= maximum {
            var many = object
            for number in 1...(maximum + 1 - object.count) { many["key\(number)"] = .string("text") }
            add(whole(.object(many)), .count, path, "with too many members\(place)")
        }
        if facts.minimumProperties > facts.required.count, object.count >= facts.minimumProperties {
            var few = object
            for key in object.map(\.key).reversed() where !facts.requiredNames.contains(key) {
                if few.count < facts.minimumProperties { break }
                few.removeValue(forKey: key)
            }
            add(whole(.object(few)), .count, path, "with too few members\(place)")
        }
    }

    private mutating func addWrongType(
        _ wrong: JSONValue, _ noun: String, _ path: String, _ whole: (JSONValue) -> JSONValue
    ) {
        let words = path.isEmpty ? (name.isEmpty ? "the value" : name) : path
        add(whole(wrong), .type, path, "with \(noun) as \(words)")
    }

    // MARK: Arrays

    private mutating func visit(
        _ elements: [JSONValue], _ facts: SchemaFacts, _ path: String, _ depth: Int,
        _ whole: (JSONValue) -> JSONValue
    ) {
        let words = path.isEmpty ? (name.isEmpty ? "the value" : name) : path
        addWrongType(.string("text"), "a text", path, whole)
        if facts.minimumItems > 0, elements.count >= facts.minimumItems {
            let few = JSONValue.array(Array(elements.prefix(facts.minimumItems - 1)))
            let phrase = facts.minimumItems == 1 ? "with no items in \(words)" : "with too few items in \(words)"
            add(whole(few), .count, path, phrase)
        }
        if let first = elements.first {
            if let maximum = facts.maximumItems, maximum < Self.largestCount, elements.count <= maximum {
                var many = elements
                var variation = 1
                // Where each element is there once, others are needed.
                while many.count <= maximum, variation < 4 * Self.largestCount {
                    guard facts.isUnique else {
                        many.append(first)
                        continue
                    }
                    let schema = facts.items.first
                    let next = schema.flatMap { try? sampler.sample($0, name: name, variation: variation) }
                    if let next, !many.contains(next) { many.append(next) }
                    variation += 1
                }
                if many.count > maximum { add(whole(.array(many)), .count, path, "with too many items in \(words)") }
            }
            if facts.isUnique {
                let room = facts.maximumItems ?? .max
                let twice = [first] + (elements.count < room ? elements[...] : elements.dropLast())
                if twice.count > 1 { add(whole(.array(twice)), .unique, path, "with an item of \(words) twice") }
            }
            let schemas = facts.prefix.first ?? facts.items
            visit(schemas, first, "\(words)[0]", depth + 1) { part in whole(.array([part] + elements.dropFirst())) }
        }
    }
}
