package import JSON

extension SchemaSampler {
    /// Returns a value that differs from earlier ones where a server is likely to accept a different value.
    ///
    /// Identifiers, references, kinds, and states remain unchanged, and so do arrays.
    package func changed(_ value: JSONValue, _ schema: DescriptionNode, from previous: [JSONValue]) -> JSONValue {
        var search = ChangeSearch(sampler: self)
        search.visit([schema], value, previous, SampleSite())
        let whole = search.found.reduce(value) { $0.replacing($1.path[...], with: $1.value) }
        if accepts(whole, schema) { return whole }
        return search.found.reduce(value) { value, change in
            let next = value.replacing(change.path[...], with: change.value)
            return accepts(next, schema) ? next : value
        }
    }
}

/// A search for different values of members.
private struct ChangeSearch {
    private static let maximumChanges = 100
    private static let triedVariations = 9
    /// The last words of member names whose values cannot be chosen freely.
    private static let fixed: Set = [
        "id", "ids", "uuid", "guid", "key", "href", "url", "uri", "link", "self", "slug", "etag", "token", "secret",
        "password", "version", "revision", "code", "type", "kind", "state", "status",
    ]
    /// The last words of member names whose values are free text.
    private static let free: Set = [
        "name", "title", "subtitle", "description", "summary", "note", "notes", "comment", "comments", "remark",
        "remarks", "text", "message", "label", "subject", "caption", "bio", "about", "headline", "reason",
    ]

    let sampler: SchemaSampler
    var found: [(path: [String], value: JSONValue)] = []

    /// Collects the changes to a value.
    ///
    /// - Parameter previous: The earlier values, oldest first.
    mutating func visit(_ schemas: [DescriptionNode], _ value: JSONValue, _ previous: [JSONValue], _ site: SampleSite) {
        guard found.count < Self.maximumChanges, site.depth < SampleRun.generousDepth else { return }
        let facts = sampler.facts(schemas, describing: value)
        switch value {
        case .object(let object):
            let discriminators = Set(facts.discriminators.map(\.name))
            for (name, part) in object {
                let word = Identifier.words(name).last?.lowercased() ?? ""
                let inner = facts.schemas(of: name)
                let others = previous.compactMap { $0.objectValue?[name] }
                guard !inner.isEmpty, !Self.fixed.contains(word), !discriminators.contains(name) else { continue }
                visit(inner, part, others, site.inside(name, facts))
            }
        case .bool, .number, .string:
            // A value that already differs remains unchanged.
            guard previous.contains(value), let next = other(than: value, previous, schemas, facts, site) else {
                return
            }
            found.append((site.path, next))
        case .null, .array: return
        }
    }

    private func other(
        than value: JSONValue, _ previous: [JSONValue], _ schemas: [DescriptionNode], _ facts: SchemaConstraints,
        _ site: SampleSite
    ) -> JSONValue? {
        if let allowed = facts.allowed {
            let others = allowed.filter { !$0.isNull && schemas.allAccept($0, sampler) }
            return others.first { !previous.contains($0) } ?? others.first { $0 != previous.last }
        }
        switch value {
        case .bool: return previous.last?.boolValue.map { .bool(!$0) }
        case .number: return sample(schemas, site) { $0.numberValue != nil && !previous.contains($0) }
        case .string(let text):
            let given = facts.suggestions + facts.defaults
            if let next = given.first(where: {
                $0.stringValue?.isEmpty == false && !previous.contains($0) && schemas.allAccept($0, sampler)
            }) {
                return next
            }
            if given.isEmpty, value == sample(schemas, site, variations: 0..<1, where: { _ in true }) {
                return sample(schemas, site) { $0.stringValue != nil && !previous.contains($0) }
            }
            return rewritten(text, facts, site, number: previous.count + 1)
        case .null, .array, .object: return nil
        }
    }

    private func sample(
        _ schemas: [DescriptionNode], _ site: SampleSite, variations: Range<Int> = 1..<triedVariations,
        where isWanted: (JSONValue) -> Bool
    ) -> JSONValue? {
        variations.lazy.compactMap { variation in
            var run = SampleRun(sampler)
            var site = site
            site.variation = variation
            return try? run.value(schemas, site)
        }.first(where: isWanted)
    }

    /// Returns an example string with a number appended, if any string is acceptable.
    private func rewritten(_ text: String, _ facts: SchemaConstraints, _ site: SampleSite, number: Int) -> JSONValue? {
        guard facts.format == nil, facts.patterns.isEmpty, facts.contentEncoding == nil, !text.isEmpty,
            Self.free.contains(Identifier.words(site.name).last?.lowercased() ?? "")
        else { return nil }
        let result = text + (text.contains(" ") ? " " : "") + "\(number)"
        guard result.unicodeScalars.count <= facts.maximumLength ?? .max else { return nil }
        return .string(result)
    }
}

extension [DescriptionNode] {
    fileprivate func allAccept(_ value: JSONValue, _ sampler: SchemaSampler) -> Bool {
        allSatisfy { sampler.accepts(value, $0) }
    }
}

extension JSONValue {
    /// Returns the value with the part at a path of names and indices replaced.
    package func replacing(_ path: ArraySlice<String>, with value: JSONValue) -> JSONValue {
        guard let token = path.first else { return value }
        switch self {
        case .object(var object):
            guard let part = object[token] else { return self }
            object[token] = part.replacing(path.dropFirst(), with: value)
            return .object(object)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].replacing(path.dropFirst(), with: value)
            return .array(elements)
        case .null, .bool, .number, .string: return self
        }
    }
}
