import JSON

/// The documents that a schema and its references reach, and where in them the schemas and their identifiers are.
struct SchemaRegistry {
    /// A place inside of another one, as the key of a lookup.
    private struct ChildKey: Hashable {
        let parent: PlaceIndex
        let token: ExactText
    }

    let given: JSONSchemaResources
    let maximumPlaces: Int
    var places: [SchemaPlace] = []
    var resources: [SchemaResource] = []
    /// Resources by URI without fragment.
    var resourcesByURI: [String: Int32] = [:]
    /// The URIs that documents were found by.
    var documentURIs: [String] = []
    /// Which of the given documents have been registered.
    var registeredGiven: Set<Int> = []
    /// Dialects by the URI of their metaschema.
    var dialects: [String: SchemaDialect] = [:]
    /// Metaschemas whose own dialect is being looked for.
    var pendingDialects: Set<String> = []
    private var children: [ChildKey: PlaceIndex] = [:]

    init(given: JSONSchemaResources, maximumSchemas: Int) {
        self.given = given
        // Schemas are some of the places; a map of schemas takes one for itself.
        maximumPlaces = Int(Int32.max / 4) / 4 < maximumSchemas ? Int(Int32.max / 4) : maximumSchemas * 4
    }

    /// The place inside of `parent` with a token; made when it is not there yet, in the parent's resource.
    mutating func child(_ parent: PlaceIndex, _ token: String, _ value: JSONValue) throws(JSONSchemaError)
        -> PlaceIndex
    {
        let key = ChildKey(parent: parent, token: ExactText(token))
        if let known = children[key] { return known }
        let resource = places[Int(parent)].resource
        let index = try append(
            SchemaPlace(parent: parent, token: token, value: value, resource: resource, isSchema: false))
        children[key] = index
        return index
    }

    /// The place inside of `parent` with a token, when there is one already.
    func knownChild(_ parent: PlaceIndex, _ token: String) -> PlaceIndex? {
        children[ChildKey(parent: parent, token: ExactText(token))]
    }

    private mutating func append(_ place: SchemaPlace) throws(JSONSchemaError) -> PlaceIndex {
        guard places.count < maximumPlaces else {
            throw mistake(
                "the schema is too large: more than \(maximumPlaces) places in it are schemas", at: place.parent)
        }
        places.append(place)
        return PlaceIndex(places.count - 1)
    }

    /// Adds a document as a resource of its own, without looking at what is inside.
    private mutating func addDocument(
        _ value: JSONValue, uri: String, dialect: SchemaDialect
    ) throws(JSONSchemaError) -> Int32 {
        let index = try append(
            SchemaPlace(
                parent: -1, token: "", value: value, resource: Int32(resources.count), isSchema: false))
        documentURIs.append(uri)
        resources.append(
            SchemaResource(
                base: URIReference(uri).normalized, root: index, document: Int32(documentURIs.count - 1),
                dialect: dialect))
        let resource = Int32(resources.count - 1)
        if resourcesByURI[uri] == nil { resourcesByURI[uri] = resource }
        return resource
    }

    /// Adds a document that may contain schemas anywhere; identifiers are found where a reference leads to a schema.
    mutating func registerContainer(
        _ value: JSONValue, uri: String, dialect: SchemaDialect
    ) throws(JSONSchemaError) -> Int32 {
        try addDocument(value, uri: uri, dialect: dialect)
    }

    /// Adds a document that is a schema and finds the identifiers in it.
    ///
    /// - Parameter dialect: What counts when the document has no `$schema`.
    mutating func register(
        _ value: JSONValue, uri: String, dialect: SchemaDialect
    ) throws(JSONSchemaError) -> Int32 {
        let resource = try addDocument(value, uri: uri, dialect: dialect)
        let root = resources[Int(resource)].root
        if dialect.draft != .openAPI30, let name = value["$schema"] {
            resources[Int(resource)].dialect = try self.dialect(named: name, at: root)
        }
        places[Int(root)].isSchema = true
        try scan(from: root)
        return places[Int(root)].resource
    }

    /// The pointer of a place in its document.
    func pointer(of place: PlaceIndex) -> JSONPointer {
        var tokens: [String] = []
        var index = place
        while index >= 0, places[Int(index)].parent >= 0 {
            tokens.append(places[Int(index)].token)
            index = places[Int(index)].parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }

    /// The URI of a place's document.
    func documentURI(of place: PlaceIndex) -> String {
        guard place >= 0 else { return "" }
        let resource = resources[Int(places[Int(place)].resource)]
        return documentURIs[Int(resource.document)]
    }

    /// An error about something inside of a place.
    func mistake(_ message: String, at place: PlaceIndex, _ tokens: [String] = []) -> JSONSchemaError {
        JSONSchemaError(
            message: message, pointer: JSONPointer(tokens: pointer(of: place).tokens + tokens),
            uri: documentURI(of: place))
    }

    /// The dialect that counts at a place.
    func dialect(at place: PlaceIndex) -> SchemaDialect {
        resources[Int(places[Int(place)].resource)].dialect
    }
}

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

/// A schema with a URI of its own (2020-12 Core, section 4.3.5): the root of a document, or a schema with `$id`.
struct SchemaResource {
    /// The base for references inside, without a fragment.
    var base: URIReference
    /// The base as text.
    var uri: String
    let root: PlaceIndex
    /// Which document the resource is in.
    let document: Int32
    var dialect: SchemaDialect
    /// Places by plain-name fragment.
    var anchors: [ExactText: PlaceIndex] = [:]
    /// Those of the anchors that `$dynamicRef` can find; the empty name stands for `$recursiveAnchor`.
    var dynamicAnchors: [ExactText: PlaceIndex] = [:]

    init(base: URIReference, root: PlaceIndex, document: Int32, dialect: SchemaDialect) {
        var base = base
        base.fragment = nil
        self.base = base
        uri = base.withoutFragment
        self.root = root
        self.document = document
        self.dialect = dialect
    }
}

/// An index into a registry's places.
typealias PlaceIndex = Int32

/// An index into a program's nodes.
typealias NodeIndex = Int32

/// A value in one of the documents: a schema, or something on the way to one.
struct SchemaPlace {
    /// The place this one is directly inside of; -1 for a whole document.
    let parent: PlaceIndex
    /// The last token of the JSON Pointer.
    let token: String
    let value: JSONValue
    /// The schema resource that the place belongs to.
    var resource: Int32
    /// Whether the place is known to be a schema, so that identifiers inside of it have been found.
    var isSchema: Bool
    /// The node that the schema here is compiled to; -1 until then.
    var node: NodeIndex = -1
}
