import JSON

/// What OpenAPI adds: the direction of values, and discriminators.
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

    /// Lets the `discriminator` of a schema choose among the branches of its `anyOf` and `oneOf`.
    mutating func name(_ builder: NodeBuilder, _ applicators: inout [Applicator]) {
        guard let discriminator = builder.discriminator, let name = discriminator["propertyName"]?.stringValue else {
            return
        }
        let mapping = discriminator["mapping"]?.objectValue
        let standard = discriminator["defaultMapping"]?.stringValue
        for position in applicators.indices {
            switch applicators[position] {
            case .anyOf(let start, let count, _):
                let number = named(name, mapping, standard, start, count)
                applicators[position] = .anyOf(start: start, count: count, discriminator: number)
            case .oneOf(let start, let count, _):
                let number = named(name, mapping, standard, start, count)
                applicators[position] = .oneOf(start: start, count: count, discriminator: number)
            default: break
            }
        }
    }

    private mutating func named(
        _ name: String, _ mapping: JSONObject?, _ standard: String?, _ start: Int32, _ count: Int32
    ) -> Int32 {
        var texts: [[String]?] = []
        var standardBranch: Int32?
        for offset in 0..<Int(count) {
            let place = places[Int(lists[Int(start) + offset])]
            guard let reference = registry.places[Int(place)].value["$ref"]?.stringValue else {
                // A branch without a name: any value may lead there.
                texts.append(nil)
                continue
            }
            let own = SchemaCompiler.schemaName(in: reference)
            if let standard, standard == reference || standard == own { standardBranch = Int32(offset) }
            var allowed = [own]
            for (text, target) in mapping ?? JSONObject() {
                guard let target = target.stringValue, target == reference || target == own, text != own else {
                    continue
                }
                allowed.append(text)
            }
            texts.append(allowed)
        }
        discriminators.append(Discriminator(name: name, texts: texts, isNamed: true, standard: standardBranch))
        return Int32(discriminators.count - 1)
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
