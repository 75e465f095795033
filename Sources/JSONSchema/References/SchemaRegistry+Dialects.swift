import JSON

extension SchemaRegistry {
    /// The dialect that the value of a `$schema` names.
    mutating func dialect(named name: JSONValue, at place: PlaceIndex) throws(JSONSchemaError) -> SchemaDialect {
        guard case .string(let uri) = name else {
            throw mistake(
                "\"$schema\" must be the URI of a metaschema as a string, got \(ValueDescription.typed(name))",
                at: place,
                ["$schema"])
        }
        if let draft = JSONSchemaDialect(uri: uri) { return SchemaDialect(draft) }
        let base = resources[Int(places[Int(place)].resource)].base
        let target = URIReference(uri).resolved(against: base).withoutFragment
        if let known = dialects[target] { return known }
        let known = JSONSchemaDialect.drafts.map(\.uri).joined(separator: ", ")
        guard pendingDialects.insert(target).inserted else {
            throw mistake(
                "the metaschema \(ValueDescription.quoted(uri)) is described by itself; its \"$schema\" must be one of \(known)",
                at: place, ["$schema"])
        }
        defer { pendingDialects.remove(target) }
        guard let resource = try self.resource(target, dialect: dialect(at: place), at: place, ["$schema"]) else {
            throw mistake(
                "unknown dialect \(ValueDescription.quoted(uri)); known are \(known), and metaschemas among the resources",
                at: place, ["$schema"])
        }
        let dialect = try self.dialect(ofMetaschema: resource)
        dialects[target] = dialect
        return dialect
    }

    /// What a metaschema asks for: the draft it is written in, with the vocabularies it lists.
    private func dialect(ofMetaschema resource: Int32) throws(JSONSchemaError) -> SchemaDialect {
        let base = resources[Int(resource)].dialect
        let root = resources[Int(resource)].root
        guard base.draft.order >= JSONSchemaDialect.draft201909.order,
            let list = places[Int(root)].value["$vocabulary"]
        else { return base }
        guard case .object(let members) = list else {
            throw mistake(
                "\"$vocabulary\" must be an object of URIs with true or false, got \(ValueDescription.typed(list))",
                at: root,
                ["$vocabulary"])
        }
        var vocabularies: Vocabularies = []
        var assertsFormat = false
        for (uri, value) in members {
            guard case .bool(let isRequired) = value else {
                throw mistake(
                    "a vocabulary must be true (required) or false, got \(ValueDescription.typed(value))", at: root,
                    ["$vocabulary", uri])
            }
            if let named = Vocabularies.named(uri, isRequired: isRequired) {
                vocabularies.formUnion(named.vocabulary)
                assertsFormat = assertsFormat || named.assertsFormat
            } else if isRequired {
                throw mistake(
                    "the vocabulary \(ValueDescription.quoted(uri)) is required but unknown; with false in the place of true "
                        + "its keywords are ignored",
                    at: root, ["$vocabulary", uri])
            }
        }
        return SchemaDialect(base.draft, vocabularies: vocabularies, assertsFormat: assertsFormat)
    }
}
