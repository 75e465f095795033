import JSON

/// The documents that a schema and its references reach, and where in them the schemas and their identifiers are.
struct SchemaRegistry {
    /// A place inside of another one, as the key of a lookup.
    private struct ChildKey: Hashable {
        let parent: PlaceIndex
        let token: ExactString
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
        let key = ChildKey(parent: parent, token: ExactString(token))
        if let known = children[key] { return known }
        let resource = places[Int(parent)].resource
        let index = try append(
            SchemaPlace(parent: parent, token: token, value: value, resource: resource, isSchema: false))
        children[key] = index
        return index
    }

    /// The place inside of `parent` with a token, when there is one already.
    func knownChild(_ parent: PlaceIndex, _ token: String) -> PlaceIndex? {
        children[ChildKey(parent: parent, token: ExactString(token))]
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
