import Basics
import JSON

/// The documents that a schema and its references reach, with the places of their schemas and identifiers.
struct SchemaRegistry {
    /// The parent and the token of a place, as a lookup key.
    private struct ChildKey: Hashable {
        let parent: LocationIndex
        let token: ExactText
    }

    let given: JSONSchemaResources
    let maximumLocations: Int
    var locations: [SchemaLocation] = []
    var resources: [SchemaResource] = []
    /// The resources by URI without a fragment.
    var resourcesByURI: [String: Int32] = [:]
    /// The retrieval URIs of the documents.
    var documentURIs: [String] = []
    /// The indices of the given documents that have been registered.
    var registeredGiven: Set<Int> = []
    /// The dialects by the URI of their metaschema.
    var dialects: [String: SchemaDialect] = [:]
    /// The metaschemas whose own dialect is being resolved.
    var pendingDialects: Set<String> = []
    private var children: [ChildKey: LocationIndex] = [:]

    init(given: JSONSchemaResources, maximumSchemas: Int) {
        self.given = given
        // Only some places are schemas. For example, an object of schemas is also a place.
        maximumLocations = Int(Int32.max / 4) / 4 < maximumSchemas ? Int(Int32.max / 4) : maximumSchemas * 4
    }

    /// Returns the place with a token inside `parent`. A new place is created in the parent's resource.
    mutating func child(_ parent: LocationIndex, _ token: String, _ value: JSONValue) throws(JSONSchemaError)
        -> LocationIndex
    {
        let key = ChildKey(parent: parent, token: ExactText(token))
        if let known = children[key] { return known }
        let resource = locations[Int(parent)].resource
        let index = try append(
            SchemaLocation(parent: parent, token: token, value: value, resource: resource, isSchema: false))
        children[key] = index
        return index
    }

    /// Returns the place with a token inside `parent`, or `nil` if it does not exist yet.
    func knownChild(_ parent: LocationIndex, _ token: String) -> LocationIndex? {
        children[ChildKey(parent: parent, token: ExactText(token))]
    }

    private mutating func append(_ location: SchemaLocation) throws(JSONSchemaError) -> LocationIndex {
        guard locations.count < maximumLocations else {
            throw schemaError(
                "the schema is too large: it contains more than \(maximumLocations) schemas", at: location.parent)
        }
        locations.append(location)
        return LocationIndex(locations.count - 1)
    }

    /// Adds a document as a new resource without inspecting its content.
    private mutating func addDocument(
        _ value: JSONValue, uri: String, dialect: SchemaDialect
    ) throws(JSONSchemaError) -> Int32 {
        let index = try append(
            SchemaLocation(
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

    /// Adds a document that may contain schemas anywhere. Identifiers are found once a reference reaches a schema.
    mutating func registerContainer(
        _ value: JSONValue, uri: String, dialect: SchemaDialect
    ) throws(JSONSchemaError) -> Int32 {
        try addDocument(value, uri: uri, dialect: dialect)
    }

    /// Adds a document that is a schema and finds its identifiers.
    ///
    /// - Parameter dialect: The dialect if the document has no `$schema`.
    mutating func register(
        _ value: JSONValue, uri: String, dialect: SchemaDialect
    ) throws(JSONSchemaError) -> Int32 {
        let resource = try addDocument(value, uri: uri, dialect: dialect)
        let root = resources[Int(resource)].root
        if dialect.draft != .openAPI30, let name = value["$schema"] {
            resources[Int(resource)].dialect = try self.dialect(named: name, at: root)
        }
        locations[Int(root)].isSchema = true
        try scan(from: root)
        return locations[Int(root)].resource
    }

    /// Returns the pointer of a place in its document.
    func pointer(of location: LocationIndex) -> JSONPointer {
        var tokens: [String] = []
        var index = location
        while index >= 0, locations[Int(index)].parent >= 0 {
            tokens.append(locations[Int(index)].token)
            index = locations[Int(index)].parent
        }
        return JSONPointer(tokens: tokens.reversed())
    }

    /// Returns the URI of a place's document.
    func documentURI(of location: LocationIndex) -> String {
        guard location >= 0 else { return "" }
        let resource = resources[Int(locations[Int(location)].resource)]
        return documentURIs[Int(resource.document)]
    }

    /// Returns an error at a location inside a place.
    func schemaError(_ message: MessageText, at location: LocationIndex, _ tokens: [String] = []) -> JSONSchemaError {
        JSONSchemaError(
            message: message, pointer: JSONPointer(tokens: pointer(of: location).tokens + tokens),
            uri: documentURI(of: location))
    }

    /// Returns the dialect in effect at a place.
    func dialect(at location: LocationIndex) -> SchemaDialect {
        resources[Int(locations[Int(location)].resource)].dialect
    }
}

extension SchemaRegistry {
    /// Returns the dialect that a `$schema` value names.
    mutating func dialect(named name: JSONValue, at location: LocationIndex) throws(JSONSchemaError) -> SchemaDialect {
        guard case .string(let uri) = name else {
            throw schemaError(
                "\"$schema\" must be the URI of a metaschema, got \(ValueDescription.typed(name))",
                at: location,
                ["$schema"])
        }
        if let draft = JSONSchemaDialect(uri: uri) { return SchemaDialect(draft) }
        let base = resources[Int(locations[Int(location)].resource)].base
        let target = URIReference(uri).resolved(against: base).withoutFragment
        if let known = dialects[target] { return known }
        let known = JSONSchemaDialect.drafts.map(\.uri).joined(separator: ", ")
        guard pendingDialects.insert(target).inserted else {
            throw schemaError(
                "the metaschema \(ValueDescription.quoted(uri)) refers to itself; its \"$schema\" must be one of \(known)",
                at: location, ["$schema"])
        }
        defer { pendingDialects.remove(target) }
        guard let resource = try self.resource(target, dialect: dialect(at: location), at: location, ["$schema"]) else {
            throw schemaError(
                "unknown dialect \(ValueDescription.quoted(uri)); known dialects are \(known), and the metaschemas among the resources",
                at: location, ["$schema"])
        }
        let dialect = try self.dialect(ofMetaschema: resource)
        dialects[target] = dialect
        return dialect
    }

    /// Returns the dialect that a metaschema defines: its own draft with the vocabularies that it lists.
    private func dialect(ofMetaschema resource: Int32) throws(JSONSchemaError) -> SchemaDialect {
        let base = resources[Int(resource)].dialect
        let root = resources[Int(resource)].root
        guard base.draft.order >= JSONSchemaDialect.draft201909.order,
            let list = locations[Int(root)].value["$vocabulary"]
        else { return base }
        guard case .object(let members) = list else {
            throw schemaError(
                "\"$vocabulary\" must be an object that maps URIs to true or false, got \(ValueDescription.typed(list))",
                at: root,
                ["$vocabulary"])
        }
        var vocabularies: Vocabularies = []
        var assertsFormat = false
        for (uri, value) in members {
            guard case .bool(let isRequired) = value else {
                throw schemaError(
                    "a vocabulary must be true (required) or false, got \(ValueDescription.typed(value))", at: root,
                    ["$vocabulary", uri])
            }
            if let named = Vocabularies.named(uri, isRequired: isRequired) {
                vocabularies.formUnion(named.vocabulary)
                assertsFormat = assertsFormat || named.assertsFormat
            } else if isRequired {
                throw schemaError(
                    "the vocabulary \(ValueDescription.quoted(uri)) is required but unknown; set it to false "
                        + "to ignore its keywords",
                    at: root, ["$vocabulary", uri])
            }
        }
        return SchemaDialect(base.draft, vocabularies: vocabularies, assertsFormat: assertsFormat)
    }
}

/// A schema resource (2020-12 Core, section 4.3.5): the root of a document, or a schema with `$id`.
struct SchemaResource {
    /// The base URI for references inside the resource, without a fragment.
    var base: URIReference
    /// The base URI as a string.
    var uri: String
    let root: LocationIndex
    /// The index of the document with the resource.
    let document: Int32
    var dialect: SchemaDialect
    /// The places by plain-name fragment.
    var anchors: [ExactText: LocationIndex] = [:]
    /// The anchors that `$dynamicRef` can find. The empty name represents `$recursiveAnchor`.
    var dynamicAnchors: [ExactText: LocationIndex] = [:]

    init(base: URIReference, root: LocationIndex, document: Int32, dialect: SchemaDialect) {
        var base = base
        base.fragment = nil
        self.base = base
        uri = base.withoutFragment
        self.root = root
        self.document = document
        self.dialect = dialect
    }
}

/// An index into the places of a registry.
typealias LocationIndex = Int32

/// An index into the nodes of a program.
typealias NodeIndex = Int32

/// A value in one of the documents: a schema, or a value on the path to one.
struct SchemaLocation {
    /// The place that directly contains this one, or -1 for a whole document.
    let parent: LocationIndex
    /// The last token of the JSON Pointer.
    let token: String
    let value: JSONValue
    /// The schema resource of the place.
    var resource: Int32
    /// Whether the place is known to be a schema, which means that the identifiers inside it have been found.
    var isSchema: Bool
    /// The node that the schema compiles to, or -1 before compilation.
    var node: NodeIndex = -1
}
