import Basics
import JSON

extension SchemaRegistry {
    /// Returns the place of a reference's target.
    ///
    /// - Parameters:
    ///   - reference: The value of `$ref`, `$dynamicRef`, or `$recursiveRef`.
    ///   - location: The schema with the reference.
    ///   - keyword: The keyword, for errors.
    mutating func target(
        of reference: String, from location: LocationIndex, keyword: String
    ) throws(JSONSchemaError) -> LocationIndex {
        let here = locations[Int(location)].resource
        let full = URIReference(reference).resolved(against: resources[Int(here)].base)
        let uri = full.withoutFragment
        // A reference that is only a fragment stays in its resource, even if another resource has the same URI.
        let resource =
            reference.utf8.first == UInt8(ascii: "#")
            ? here : try self.resource(uri, dialect: dialect(at: location), at: location, [keyword])
        guard let resource else {
            throw schemaError(missingDocument(uri, reference: reference, keyword: keyword), at: location, [keyword])
        }
        let fragment = full.decodedFragment
        if fragment.isEmpty { return try schema(at: resources[Int(resource)].root) }
        if fragment.utf8.first == UInt8(ascii: "/") {
            let pointer: JSONPointer
            do {
                pointer = try JSONPointer(fragment)
            } catch {
                throw schemaError(
                    "the fragment of \(ValueDescription.quoted(reference)) is not a JSON Pointer: \(error.wording)",
                    at: location,
                    [keyword])
            }
            return try schema(at: follow(pointer, in: resource, from: location, [keyword], reference: reference))
        }
        if let anchor = resources[Int(resource)].anchors[ExactText(fragment)] { return anchor }
        throw schemaError(
            missingAnchor(fragment, in: resource, reference: reference, keyword: keyword), at: location, [keyword])
    }

    /// Returns the place at a pointer in a resource's document.
    mutating func schema(
        at pointer: JSONPointer, in resource: Int32
    ) throws(JSONSchemaError) -> LocationIndex {
        let root = resources[Int(resource)].root
        return try schema(at: follow(pointer, in: resource, from: root, [], reference: "#\(pointer)"))
    }

    /// Returns the place after finding the identifiers inside it.
    private mutating func schema(at location: LocationIndex) throws(JSONSchemaError) -> LocationIndex {
        if !locations[Int(location)].isSchema {
            locations[Int(location)].isSchema = true
            try scan(from: location)
        }
        return location
    }

    private mutating func follow(
        _ pointer: JSONPointer, in resource: Int32, from origin: LocationIndex, _ keyword: [String], reference: String
    ) throws(JSONSchemaError) -> LocationIndex {
        var location = resources[Int(resource)].root
        for (count, token) in pointer.tokens.enumerated() {
            if let known = knownChild(location, token) {
                location = known
                continue
            }
            guard let value = SchemaRegistry.member(token, of: locations[Int(location)].value) else {
                throw schemaError(
                    missingLocation(JSONPointer(tokens: Array(pointer.tokens[..<count])), token, location, reference),
                    at: origin, keyword)
            }
            location = try child(location, token, value)
        }
        return location
    }

    private static func member(_ token: String, of value: JSONValue) -> JSONValue? {
        switch value {
        case .object(let object): return object[token]
        case .array(let array):
            guard let index = Int(token), array.indices.contains(index), String(index) == token else { return nil }
            return array[index]
        default: return nil
        }
    }

    /// Returns the resource with an absolute URI, or `nil` if neither the documents nor the loader have it.
    mutating func resource(
        _ uri: String, dialect: SchemaDialect, at location: LocationIndex, _ tokens: [String]
    ) throws(JSONSchemaError) -> Int32? {
        if let known = resourcesByURI[uri] { return known }
        if let position = given.position(of: uri) {
            return try registerGiven(position, dialect: dialect)
        }
        if let metaschema = Metaschemas.document(uri) {
            return try register(metaschema, uri: uri, dialect: SchemaDialect(.draft202012))
        }
        // The URI may be an `$id` inside a document that no reference has reached yet.
        for position in given.documents.indices where !registeredGiven.contains(position) {
            _ = try registerGiven(position, dialect: dialect)
            if let known = resourcesByURI[uri] { return known }
        }
        guard let loader = given.loader else { return nil }
        let document: JSONValue?
        do throws(JSONSchemaResourceError) {
            document = try loader(uri)
        } catch {
            throw schemaError(
                "\(ValueDescription.quoted(uri)) cannot be loaded: \(error.wording)", at: location, tokens)
        }
        guard let document else { return nil }
        return try register(document, uri: uri, dialect: dialect)
    }

    private mutating func registerGiven(_ position: Int, dialect: SchemaDialect) throws(JSONSchemaError) -> Int32 {
        registeredGiven.insert(position)
        let (uri, document) = given.documents[position]
        return try register(document, uri: uri, dialect: dialect)
    }
}

/// The messages for unresolved references.
extension SchemaRegistry {
    func missingDocument(_ uri: String, reference: String, keyword: String) -> MessageText {
        let quoted = ValueDescription.quoted(reference)
        if uri.isEmpty {
            return "the \"\(keyword)\" \(quoted) cannot be resolved without a base URI; only \"#…\" can"
        }
        let known = resourcesByURI.keys.filter { !$0.isEmpty } + given.documents.map(\.uri)
        let hint: MessageText =
            Spelling.nearest(to: uri, among: known.sorted()).map { "; did you mean \(ValueDescription.quoted($0))?" }
            ?? ""
        let resolved: MessageText = uri == reference ? "" : " (\(ValueDescription.quoted(uri)))"
        return "the \"\(keyword)\" \(quoted)\(resolved) refers to an unknown document\(hint)"
    }

    func missingAnchor(_ anchor: String, in resource: Int32, reference: String, keyword: String) -> MessageText {
        let names = resources[Int(resource)].anchors.keys.map(\.text).sorted()
        let quoted = ValueDescription.quoted(reference)
        let base: MessageText =
            "the \"\(keyword)\" \(quoted) cannot be resolved: no schema there has the anchor \(ValueDescription.quoted(anchor))"
        let root = locations[Int(resources[Int(resource)].root)].value
        for container in ["$defs", "definitions"] where root[container]?[anchor] != nil {
            return "\(base); did you mean \"#/\(container)/\(anchor)\"?"
        }
        if let near = Spelling.nearest(to: anchor, among: names) { return "\(base); did you mean \"#\(near)\"?" }
        return names.isEmpty ? base : "\(base); known anchors: \(ValueDescription.names(names))"
    }

    func missingLocation(
        _ existing: JSONPointer, _ token: String, _ location: LocationIndex, _ reference: String
    ) -> MessageText {
        let value = locations[Int(location)].value
        let start: MessageText = "\(ValueDescription.quoted(reference)) cannot be resolved: \"#\(existing)\""
        switch value {
        case .object(let object):
            let names = Array(object.keys)
            let missing: MessageText = "\(start) has no member \(ValueDescription.quoted(token))"
            if let near = Spelling.nearest(to: token, among: names) {
                return "\(missing); did you mean \(ValueDescription.quoted(near))?"
            }
            return names.isEmpty ? "\(missing); it is empty" : "\(missing); it has \(ValueDescription.names(names))"
        case .array(let array):
            return
                "\(start) has no element \(ValueDescription.quoted(token)); it has \(ValueDescription.count(array.count, "element"))"
        default:
            return "\(start) is \(ValueDescription.typed(value)), which has no members"
        }
    }
}
