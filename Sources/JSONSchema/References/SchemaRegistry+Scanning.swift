import Basics
import JSON

extension SchemaRegistry {
    /// Finds all schemas inside a schema, with their identifiers.
    mutating func scan(from start: LocationIndex) throws(JSONSchemaError) {
        var stack = [start]
        while let index = stack.popLast() {
            guard case .object(let schema) = locations[Int(index)].value else { continue }
            try identify(index, schema)
            let dialect = dialect(at: index)
            let resource = locations[Int(index)].resource
            let first = stack.count
            for (name, value) in schema {
                guard let keyword = dialect.keyword(name) else { continue }
                switch (keyword.shape(in: dialect.draft), value) {
                case (.none, _): break
                case (.schema, _), (.schemaOrArray, .object), (.schemaOrArray, .bool):
                    try visit(child(index, name, value), resource: resource, &stack)
                case (.schemaArray, .array(let elements)), (.schemaOrArray, .array(let elements)):
                    let list = try child(index, name, value)
                    locations[Int(list)].resource = resource
                    for (offset, element) in elements.enumerated() {
                        try visit(child(list, String(offset), element), resource: resource, &stack)
                    }
                case (.schemaMap, .object(let members)), (.dependencies, .object(let members)):
                    let map = try child(index, name, value)
                    locations[Int(map)].resource = resource
                    for (name, member) in members {
                        if keyword == .dependencies, case .array = member { continue }
                        try visit(child(map, name, member), resource: resource, &stack)
                    }
                default: break
                }
            }
            // The stack is last in, first out, but schemas must be visited in the order in which they are written.
            stack[first...].reverse()
        }
    }

    private mutating func visit(_ location: LocationIndex, resource: Int32, _ stack: inout [LocationIndex]) {
        guard !locations[Int(location)].isSchema else { return }
        locations[Int(location)].isSchema = true
        locations[Int(location)].resource = resource
        stack.append(location)
    }

    /// Records the identifiers of a schema: `$id`, `$anchor`, and related keywords.
    private mutating func identify(_ location: LocationIndex, _ schema: JSONObject) throws(JSONSchemaError) {
        var dialect = dialect(at: location)
        let isRoot = locations[Int(location)].parent < 0
        // A dialect can change only at the root of a resource.
        if dialect.draft == .openAPI30 { return }
        if !isRoot, let name = schema["$schema"], (schema["$id"] ?? schema["id"])?.stringValue != nil {
            dialect = try self.dialect(named: name, at: location)
        }
        if !(dialect.draft.hidesSiblingsOfReferences && schema.contains("$ref")),
            let identifier = dialect.identifier, let id = schema[identifier]
        {
            guard case .string(let text) = id else {
                throw schemaError(
                    "\"\(identifier)\" must be a URI reference (a string), got \(ValueDescription.typed(id))",
                    at: location, [identifier])
            }
            try identify(location, as: text, dialect)
        }
        guard dialect.draft.order >= JSONSchemaDialect.draft201909.order else { return }
        if let anchor = schema["$anchor"] { try note(anchor, "$anchor", of: location, isDynamic: false) }
        if dialect.draft == .draft202012, let anchor = schema["$dynamicAnchor"] {
            try note(anchor, "$dynamicAnchor", of: location, isDynamic: true)
        }
        if dialect.draft == .draft201909, let flag = schema["$recursiveAnchor"] {
            guard case .bool(let isRecursive) = flag else {
                throw schemaError(
                    "\"$recursiveAnchor\" must be true or false, got \(ValueDescription.typed(flag))", at: location,
                    ["$recursiveAnchor"])
            }
            let resource = Int(locations[Int(location)].resource)
            if isRecursive, resources[resource].root == location {
                resources[resource].dynamicAnchors[ExactText("")] = location
            }
        }
    }

    /// Makes a place the root of a new resource, or names it within its resource (drafts 4 to 7).
    private mutating func identify(
        _ location: LocationIndex, as text: String, _ dialect: SchemaDialect
    ) throws(JSONSchemaError) {
        let reference = URIReference(text)
        let fragment = reference.decodedFragment
        let identifier = dialect.identifier ?? "$id"
        if dialect.draft.hidesSiblingsOfReferences {
            if text.utf8.first == UInt8(ascii: "#") {
                if !fragment.isEmpty { try name(location, fragment, keyword: identifier) }
                return
            }
        } else if !fragment.isEmpty {
            throw schemaError(
                "\"$id\" must not have a fragment, got \(ValueDescription.quoted(text)); use \"$anchor\" to name a location",
                at: location, ["$id"])
        }
        let outer = resources[Int(locations[Int(location)].resource)]
        let base = reference.resolved(against: outer.base)
        var resource = SchemaResource(base: base, root: location, document: outer.document, dialect: dialect)
        if let known = resourcesByURI[resource.uri], resources[Int(known)].root != location,
            resources[Int(known)].document == outer.document,
            locations[Int(resources[Int(known)].root)].value != locations[Int(location)].value
        {
            throw schemaError(
                "another schema in this document, at \"#\(pointer(of: resources[Int(known)].root))\", also has the URI "
                    + "\(ValueDescription.quoted(resource.uri)); give each schema its own \"\(identifier)\"",
                at: location, [identifier])
        }
        let index: Int32
        if outer.root == location {
            index = locations[Int(location)].resource
            resource.anchors = outer.anchors
            resource.dynamicAnchors = outer.dynamicAnchors
            resources[Int(index)] = resource
        } else {
            index = Int32(resources.count)
            resources.append(resource)
            locations[Int(location)].resource = index
        }
        if resourcesByURI[resource.uri] == nil { resourcesByURI[resource.uri] = index }
        if !fragment.isEmpty { try name(location, fragment, keyword: identifier) }
    }

    private mutating func note(
        _ anchor: JSONValue, _ keyword: String, of location: LocationIndex, isDynamic: Bool
    ) throws(JSONSchemaError) {
        guard case .string(let text) = anchor, SchemaRegistry.isAnchor(text) else {
            throw schemaError(
                "\"\(keyword)\" must be a name of letters, digits, \"-\", \"_\" and \".\" that starts with a letter or "
                    + "\"_\", got \(ValueDescription.typed(anchor))",
                at: location, [keyword])
        }
        try name(location, text, keyword: keyword)
        if isDynamic {
            resources[Int(locations[Int(location)].resource)].dynamicAnchors[ExactText(text)] = location
        }
    }

    private mutating func name(_ location: LocationIndex, _ anchor: String, keyword: String) throws(JSONSchemaError) {
        let resource = Int(locations[Int(location)].resource)
        if let known = resources[resource].anchors[ExactText(anchor)], known != location {
            throw schemaError(
                "the schema at \"#\(pointer(of: known))\" already has the anchor \(ValueDescription.quoted(anchor)); anchors "
                    + "must be unique within a schema resource",
                at: location, [keyword])
        }
        resources[resource].anchors[ExactText(anchor)] = location
    }

    /// Returns whether a string is a valid anchor (2020-12 Core, section 8.2.2).
    private static func isAnchor(_ text: String) -> Bool {
        guard let first = text.utf8.first, ASCII.isLetter(first) || first == UInt8(ascii: "_") else { return false }
        return text.utf8.allSatisfy {
            ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
        }
    }
}
