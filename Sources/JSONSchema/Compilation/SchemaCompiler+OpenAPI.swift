import JSON

/// The additions of OpenAPI: the direction of values, and discriminators.
extension SchemaCompiler {
    /// How many references in a row are followed to find out whether a member is `readOnly` or `writeOnly`.
    private static let longestChain = 64

    /// The node for a member where values go in one direction; notes that it need not be there.
    mutating func directed(
        _ node: NodeIndex, _ member: String, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) -> NodeIndex {
        guard let direction = options.openAPI?.direction else { return node }
        let keyword = direction == .request ? "readOnly" : "writeOnly"
        guard try isMarked(keyword, at: places[Int(node)]) else { return node }
        builder.exempt.insert(ExactString(member))
        // A client may send back what it was given, and a server leaves it aside; what clients keep secret stays so.
        guard direction == .response else { return node }
        var never = SchemaNode()
        never.types = []
        never.isNever = true
        never.isWriteOnly = true
        never.resource = registry.places[Int(places[Int(node)])].resource
        nodes.append(never)
        places.append(places[Int(node)])
        return NodeIndex(nodes.count - 1)
    }

    /// Whether a schema, or what it refers to, has a flag.
    private mutating func isMarked(_ keyword: String, at place: PlaceIndex) throws(JSONSchemaError) -> Bool {
        var place = place
        for _ in 0..<SchemaCompiler.longestChain {
            guard case .object(let schema) = registry.places[Int(place)].value else { return false }
            let reference = schema["$ref"]?.stringValue
            if schema[keyword] == true,
                reference == nil || !registry.dialect(at: place).draft.hidesSiblingsOfReferences
            {
                return true
            }
            guard let reference else { return false }
            place = try registry.target(of: reference, from: place, keyword: "$ref")
        }
        return false
    }

    /// Notes the `discriminator` of a schema for the branches of its `anyOf` and `oneOf`.
    mutating func noteHint(_ builder: NodeBuilder) {
        guard let discriminator = builder.discriminator, discriminator["propertyName"]?.stringValue != nil else {
            return
        }
        for applicator in builder.applicators {
            switch applicator {
            case .anyOf(let start, let count, _), .oneOf(let start, let count, _):
                pendingHints.append((start, count, discriminator))
            default: break
            }
        }
    }

    /// Works out which values of the named member mean which branch, once all branches are compiled.
    mutating func findHints() {
        for (start, count, discriminator) in pendingHints {
            guard let name = discriminator["propertyName"]?.stringValue else { continue }
            hints[start] = hint(name, discriminator, start, count)
        }
    }

    private func hint(_ name: String, _ discriminator: JSONObject, _ start: Int32, _ count: Int32) -> BranchHint {
        var mapping: [String: [String]] = [:]
        for (text, target) in discriminator["mapping"]?.objectValue ?? JSONObject() {
            if let target = target.stringValue { mapping[target, default: []].append(text) }
        }
        let standard = discriminator["defaultMapping"]?.stringValue
        var texts: [[String]?] = []
        var standardBranch: Int?
        for offset in 0..<Int(count) {
            let branch = lists[Int(start) + offset]
            let allowed = allowedTexts(ofMember: name, in: branch)
            guard let reference = registry.places[Int(places[Int(branch)])].value["$ref"]?.stringValue else {
                // A branch without a name: only its own values tell.
                texts.append(allowed)
                continue
            }
            let own = SchemaCompiler.schemaName(in: reference)
            if let standard, standard == reference || standard == own { standardBranch = offset }
            let mapped = (mapping[reference] ?? []) + (own == reference ? [] : mapping[own] ?? [])
            let names = [own] + mapped.filter { $0 != own }
            // A branch never holds for a name that its own values exclude, so these are its names then.
            let possible = allowed.map { allowed in names.filter(allowed.contains) } ?? names
            texts.append(possible.isEmpty ? allowed : possible)
        }
        return BranchHint(name: name, texts: texts, standard: standardBranch)
    }

    /// The name by which a discriminator knows what a reference leads to: the last part of it.
    private static func schemaName(in reference: String) -> String {
        let fragment = URIReference(reference).decodedFragment
        if let pointer = try? JSONPointer(fragment), let last = pointer.tokens.last { return last }
        let path = reference.prefix { $0 != "#" }
        let file = path.split(separator: "/").last ?? path
        return String(file.prefix { $0 != "." })
    }
}
