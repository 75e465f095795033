import Basics
import JSON

extension SchemaCompiler {
    /// Reads the keywords of a schema.
    mutating func read(_ schema: JSONObject, into builder: inout NodeBuilder) throws(JSONSchemaError) {
        if builder.dialect.draft.hidesSiblingsOfReferences, let reference = schema["$ref"] {
            try readReference(reference, .ref, &builder)
            builder.isReferenceOnly = true
            return
        }
        for (name, value) in schema {
            guard let keyword = builder.dialect.keyword(name) else { continue }
            try read(keyword, value, schema, &builder)
        }
        if builder.dialect.draft.order > JSONSchemaDialect.draft7.order, schema.contains("$ref") {
            builder.isReferenceOnly = schema.keys.allSatisfy { name in
                switch builder.dialect.keyword(name) {
                case nil, .ref, .comment, .title, .description, .deprecated, .readOnly, .writeOnly, .examples, .defs,
                    .definitions, .nullable, .discriminator:
                    true
                default: false
                }
            }
        }
    }

    private mutating func read(
        _ keyword: Keyword, _ value: JSONValue, _ schema: JSONObject, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        switch keyword {
        // These were read when the registry searched for identifiers.
        case .plainID, .id, .schema, .anchor, .dynamicAnchor, .recursiveAnchor: break
        case .ref: try readReference(value, .ref, &builder)
        case .dynamicRef: try readReference(value, .dynamicRef, &builder)
        case .recursiveRef: try readReference(value, .recursiveRef, &builder)
        case .vocabularyList: break
        case .comment, .title, .description, .contentEncoding, .contentMediaType:
            _ = try string(value, keyword, builder)
        case .deprecated, .readOnly, .writeOnly: _ = try flag(value, keyword, builder)
        // This has an effect only next to `type` in the same schema (OpenAPI 3.0.3, Schema Object).
        case .nullable:
            if try flag(value, keyword, builder), schema.contains("type") { builder.isNullable = true }
        case .discriminator: if options.openAPI != nil { builder.discriminator = value.objectValue }
        case .examples: _ = try array(value, keyword, builder)
        case .contentSchema: _ = try node(builder.location, keyword.rawValue, value: value)
        case .defs, .definitions:
            for (name, member) in try object(value, keyword, builder) {
                _ = try node(builder.location, keyword.rawValue, name, value: member)
            }
        case .type: builder.types = try types(value, builder)
        case .enumeration: builder.values.append(try enumeration(value, builder))
        case .const: builder.values.append(ValueSet([value], keyword: .const))
        case .multipleOf, .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum:
            try readNumberKeyword(keyword, value, schema, &builder)
        case .minLength: builder.minimumLength = try count(value, keyword, builder)
        case .maxLength: builder.maximumLength = try count(value, keyword, builder)
        case .pattern:
            builder.pattern = try expression(try string(value, keyword, builder), builder, [keyword.rawValue])
        case .format: try readFormat(value, &builder)
        case .items, .prefixItems, .additionalItems, .contains, .minContains, .maxContains, .minItems, .maxItems,
            .uniqueItems, .unevaluatedItems:
            try readArrayKeyword(keyword, value, &builder)
        case .properties, .patternProperties, .additionalProperties, .propertyNames, .dependencies, .dependentSchemas,
            .dependentRequired, .required, .minProperties, .maxProperties, .unevaluatedProperties:
            try readObjectKeyword(keyword, value, &builder)
        case .allOf, .anyOf, .oneOf:
            try readBranches(keyword, value, &builder)
        case .not:
            let node = try node(builder.location, keyword.rawValue, value: value)
            if !isPartial { builder.applicators.append(.not(node)) }
        case .condition:
            let node = try node(builder.location, keyword.rawValue, value: value)
            if !isPartial { builder.condition = node }
        case .then: builder.then = try node(builder.location, keyword.rawValue, value: value)
        case .otherwise: builder.otherwise = try node(builder.location, keyword.rawValue, value: value)
        }
    }

    private mutating func readReference(
        _ value: JSONValue, _ keyword: ReferenceKeyword, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        guard case .string(let text) = value else {
            throw registry.schemaError(
                "\"\(keyword.rawValue)\" must be a URI reference (a string), got \(ValueDescription.typed(value))",
                at: builder.location, [keyword.rawValue])
        }
        if keyword == .recursiveRef, text != "#" {
            throw registry.schemaError(
                "\"$recursiveRef\" must be \"#\", got \(ValueDescription.quoted(text))", at: builder.location,
                [keyword.rawValue])
        }
        let target = try registry.target(of: text, from: builder.location, keyword: keyword.rawValue)
        let node = try node(at: target)
        var name: String?
        let resource = registry.resources[Int(registry.locations[Int(target)].resource)]
        switch keyword {
        case .ref: break
        case .recursiveRef: name = ""
        case .dynamicRef: name = URIReference(text).decodedFragment
        }
        // Only a target with its own dynamic anchor of that name starts the search (2020-12 Core, section 8.2.3.2).
        if let name, resource.dynamicAnchors[ExactText(name)] == target {
            builder.applicators.append(
                .dynamicReference(initial: node, anchor: dynamicAnchor(name), keyword: keyword))
        } else {
            builder.applicators.append(.reference(node, keyword: keyword))
        }
    }

    private mutating func readBranches(
        _ keyword: Keyword, _ value: JSONValue, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        let branches = try schemas(value, keyword, builder)
        let start = Int32(lists.count)
        let count = Int32(branches.count)
        lists += branches
        switch keyword {
        case .allOf: builder.applicators.append(.allOf(start: start, count: count))
        case .anyOf: builder.applicators.append(.anyOf(start: start, count: count, discriminator: -1))
        default: builder.applicators.append(.oneOf(start: start, count: count, discriminator: -1))
        }
    }

    /// Returns the nodes of a non-empty array of schemas.
    private mutating func schemas(
        _ value: JSONValue, _ keyword: Keyword, _ builder: NodeBuilder
    ) throws(JSONSchemaError) -> [NodeIndex] {
        guard case .array(let elements) = value, !elements.isEmpty else {
            throw wrong(keyword, builder, "a non-empty array of schemas", value)
        }
        var result: [NodeIndex] = []
        result.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            result.append(try node(builder.location, keyword.rawValue, String(index), value: element))
        }
        return result
    }

    private mutating func readArrayKeyword(
        _ keyword: Keyword, _ value: JSONValue, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        switch keyword {
        case .items:
            if builder.dialect.draft == .draft202012, case .array = value {
                throw registry.schemaError(
                    "\"items\" must be a schema in draft 2020-12, got an array; use "
                        + "\"prefixItems\" for the first elements",
                    at: builder.location, ["items"])
            }
            if case .array = value {
                builder.prefix = try schemas(value, keyword, builder)
                builder.hasPrefix = true
            } else {
                builder.items = try node(builder.location, keyword.rawValue, value: value)
            }
        case .prefixItems:
            builder.prefix = try schemas(value, keyword, builder)
            builder.hasPrefix = true
        case .additionalItems: builder.additionalItems = try node(builder.location, keyword.rawValue, value: value)
        case .contains: builder.contains = try node(builder.location, keyword.rawValue, value: value)
        case .minContains: builder.minimumContained = try count(value, keyword, builder)
        case .maxContains: builder.maximumContained = try count(value, keyword, builder)
        case .minItems: builder.minimumItems = try count(value, keyword, builder)
        case .maxItems: builder.maximumItems = try count(value, keyword, builder)
        case .uniqueItems: builder.isUnique = try flag(value, keyword, builder)
        default: builder.unevaluatedItems = try node(builder.location, keyword.rawValue, value: value)
        }
    }

    private mutating func readObjectKeyword(
        _ keyword: Keyword, _ value: JSONValue, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        let name = keyword.rawValue
        switch keyword {
        case .properties:
            for (member, schema) in try object(value, keyword, builder) {
                let own = try node(builder.location, name, member, value: schema)
                builder.properties.append((member, try directed(own, member, &builder)))
            }
        case .patternProperties:
            for (pattern, schema) in try object(value, keyword, builder) {
                let expression = try expression(pattern, builder, [name, pattern])
                let node = try node(builder.location, name, pattern, value: schema)
                builder.patterns.append(ObjectKeywords.Pattern(expression: expression, node: node))
            }
        case .additionalProperties:
            let node = try node(builder.location, name, value: value)
            builder.additionalNode = node
            builder.additional = value == false ? .forbidden : .schema(node)
        case .propertyNames: builder.propertyNames = try node(builder.location, name, value: value)
        case .dependencies: try readDependencies(value, &builder)
        case .dependentSchemas:
            for (member, schema) in try object(value, keyword, builder) {
                let node = try node(builder.location, name, member, value: schema)
                builder.dependentSchemas.append(
                    ObjectKeywords.DependentSchema(name: member, node: node, keyword: name))
            }
        case .dependentRequired:
            for (member, list) in try object(value, keyword, builder) {
                let names = try self.names(list, builder, [name, member])
                if isPartial { continue }
                builder.dependentNames.append(
                    ObjectKeywords.RequiredNames(name: member, names: names, keyword: name))
            }
        case .required:
            let names = try required(value, builder)
            if !isPartial { builder.required = names }
        case .minProperties:
            let count = try count(value, keyword, builder)
            if !isPartial { builder.minimumProperties = count }
        case .maxProperties: builder.maximumProperties = try count(value, keyword, builder)
        default: builder.unevaluatedProperties = try node(builder.location, name, value: value)
        }
    }

    private mutating func readDependencies(
        _ value: JSONValue, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        let name = Keyword.dependencies.rawValue
        for (member, dependency) in try object(value, .dependencies, builder) {
            if case .array = dependency {
                let names = try self.names(dependency, builder, [name, member])
                if isPartial { continue }
                builder.dependentNames.append(
                    ObjectKeywords.RequiredNames(name: member, names: names, keyword: name))
            } else {
                let node = try node(builder.location, name, member, value: dependency)
                builder.dependentSchemas.append(
                    ObjectKeywords.DependentSchema(name: member, node: node, keyword: name))
            }
        }
    }
}

/// The OpenAPI extensions: the direction of values, partial values, and discriminators.
extension SchemaCompiler {
    /// Whether values may lack members.
    var isPartial: Bool { options.openAPI?.isPartial ?? false }

    /// The maximum number of references to follow when looking for `readOnly` or `writeOnly`.
    private static let maximumChainLength = 64

    /// Returns the node of a member for values in one direction, and records that the member may be missing.
    mutating func directed(
        _ node: NodeIndex, _ member: String, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) -> NodeIndex {
        guard let direction = options.openAPI?.direction else { return node }
        let keyword = direction == .request ? "readOnly" : "writeOnly"
        guard try isMarked(keyword, at: locations[Int(node)]) else { return node }
        builder.exempt.insert(ExactText(member))
        // A client may send back the read-only members of a response, and the server ignores them. A server must not
        // return write-only members.
        guard direction == .response else { return node }
        var never = SchemaNode()
        never.types = []
        never.isNever = true
        never.isWriteOnly = true
        never.resource = registry.locations[Int(locations[Int(node)])].resource
        nodes.append(never)
        locations.append(locations[Int(node)])
        return NodeIndex(nodes.count - 1)
    }

    /// Returns whether a schema or the target of its reference sets a flag.
    private mutating func isMarked(_ keyword: String, at location: LocationIndex) throws(JSONSchemaError) -> Bool {
        var location = location
        for _ in 0..<SchemaCompiler.maximumChainLength {
            guard case .object(let schema) = registry.locations[Int(location)].value else { return false }
            let reference = schema["$ref"]?.stringValue
            if schema[keyword] == true,
                reference == nil || !registry.dialect(at: location).draft.hidesSiblingsOfReferences
            {
                return true
            }
            guard let reference else { return false }
            location = try registry.target(of: reference, from: location, keyword: "$ref")
        }
        return false
    }

    /// Records the `discriminator` of a schema for the branches of its `anyOf` and `oneOf`.
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

    /// Maps the values of each discriminator to branches. All branches must be compiled.
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
            guard let reference = registry.locations[Int(locations[Int(branch)])].value["$ref"]?.stringValue else {
                // A branch without a name is identified only by the values of its own schema.
                texts.append(allowed)
                continue
            }
            let own = SchemaCompiler.schemaName(in: reference)
            if let standard, standard == reference || standard == own { standardBranch = offset }
            let mapped = (mapping[reference] ?? []) + (own == reference ? [] : mapping[own] ?? [])
            let names = [own] + mapped.filter { $0 != own }
            // A branch never matches a name that its schema excludes. In that case, the values of its schema identify
            // it.
            let possible = allowed.map { allowed in names.filter(allowed.contains) } ?? names
            texts.append(possible.isEmpty ? allowed : possible)
        }
        return BranchHint(name: name, texts: texts, standard: standardBranch)
    }

    /// Returns the name that a discriminator uses for the target of a reference, which is the reference's last
    /// component.
    private static func schemaName(in reference: String) -> String {
        let fragment = URIReference(reference).decodedFragment
        if let pointer = try? JSONPointer(fragment), let last = pointer.tokens.last { return last }
        let path = reference.prefix { $0 != "#" }
        let file = path.split(separator: "/").last ?? path
        return String(file.prefix { $0 != "." })
    }
}
