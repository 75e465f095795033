import JSON

extension SchemaConstraints {
    /// Reads the constraints of schemas for one value, using the first branch of each choice.
    package init(of schemas: [DescriptionNode], in description: OpenAPIDescription) {
        var reader = ConstraintReader(description)
        var choices = SampleChoices()
        for schema in schemas { reader.read(schema, &choices) }
        self = reader.facts
    }
}

/// A reader of the constraints that schemas place on one value. It follows references and chooses branches.
struct ConstraintReader {
    let description: OpenAPIDescription
    /// The schemas of the enclosing values. Branches with these schemas are tried last.
    var ancestors: Set<DescriptionNode> = []
    var facts = SchemaConstraints()
    /// The named schemas on the path to the current one, for the discriminators of the schemas that they extend.
    private var names: [DescriptionNode] = []
    private var depth = 0

    init(_ description: OpenAPIDescription, ancestors: Set<DescriptionNode> = []) {
        self.description = description
        self.ancestors = ancestors
    }

    private var isOld: Bool { description.version.usesSchemaDialect30 }

    /// Reads a schema.
    mutating func read(_ schema: DescriptionNode, _ choices: inout SampleChoices) {
        guard depth < 64, facts.visited.insert(schema).inserted else { return }
        depth += 1
        defer { depth -= 1 }
        guard let object = schema.value.objectValue else {
            if schema.value.boolValue == false { facts.never = facts.never ?? schema }
            return
        }
        if object["$ref"] != nil {
            if description.resolved(schema) != nil,
                let target = try? description.files.target(of: schema.reference ?? "", from: schema)
            {
                names.append(target)
                read(target, &choices)
                names.removeLast()
            } else {
                facts.never = facts.never ?? schema
            }
            // In OpenAPI 3.0, siblings of a reference are ignored.
            if isOld { return }
        }
        readGeneral(schema, object)
        readNumbers(object)
        readTexts(object)
        readArrays(schema, object)
        readObjects(schema, object)
        readApplicators(schema, object, &choices)
    }

    private mutating func readGeneral(_ schema: DescriptionNode, _ object: JSONObject) {
        if let keyword = object["type"] {
            var types = ValueTypes(keyword: keyword)
            if isOld, object["nullable"]?.boolValue == true { types.insert(.null) }
            facts.types.formIntersection(types)
            if facts.types.isEmpty { facts.never = facts.never ?? schema }
        }
        if let values = object["enum"]?.arrayValue { facts.allow(values) }
        if let value = object["const"], !isOld { facts.allow([value]) }
        if let example = object["example"] { facts.suggestions.append(example) }
        if !isOld, let examples = object["examples"]?.arrayValue { facts.suggestions += examples }
        if let value = object["default"] { facts.defaults.append(value) }
    }

    private mutating func readNumbers(_ object: JSONObject) {
        func decimal(_ name: String) -> ScaledDecimal? { object[name]?.numberValue.flatMap { ScaledDecimal($0) } }
        // In OpenAPI 3.0 and in draft 4, the exclusive bounds are Boolean.
        if let value = decimal("minimum") {
            facts.hints.insert(.number)
            facts.raiseLower(value, isExclusive: object["exclusiveMinimum"]?.boolValue == true)
        }
        if let value = decimal("maximum") {
            facts.hints.insert(.number)
            facts.reduceUpper(value, isExclusive: object["exclusiveMaximum"]?.boolValue == true)
        }
        if let value = decimal("exclusiveMinimum") {
            facts.hints.insert(.number)
            facts.raiseLower(value, isExclusive: true)
        }
        if let value = decimal("exclusiveMaximum") {
            facts.hints.insert(.number)
            facts.reduceUpper(value, isExclusive: true)
        }
        if let value = decimal("multipleOf"), value.units > 0 {
            facts.hints.insert(.number)
            facts.steps.append(value)
        }
        switch object["format"]?.stringValue {
        case "int8"?: bound(-128, 127)
        case "uint8"?: bound(0, 255)
        case "int16"?: bound(-32_768, 32_767)
        case "uint16"?: bound(0, 65_535)
        case "int32"?: bound(-2_147_483_648, 2_147_483_647)
        case "uint32"?: bound(0, 4_294_967_295)
        case "uint64"?: facts.raiseLower(ScaledDecimal(units: 0), isExclusive: false)
        default: break
        }
    }

    /// Applies the bounds of a number format.
    private mutating func bound(_ lower: Int128, _ upper: Int128) {
        facts.raiseLower(ScaledDecimal(units: lower), isExclusive: false)
        facts.reduceUpper(ScaledDecimal(units: upper), isExclusive: false)
    }

    /// The maximum count. Larger counts are clamped so that sums cannot overflow.
    private static let maximumCount: Int64 = 1 << 40

    private func count(_ object: JSONObject, _ name: String) -> Int? {
        object[name]?.numberValue?.int64.flatMap { $0 >= 0 ? Int(exactly: min($0, Self.maximumCount)) : nil }
    }

    private mutating func readTexts(_ object: JSONObject) {
        if let value = count(object, "minLength") {
            facts.hints.insert(.string)
            facts.minimumLength = max(facts.minimumLength, value)
        }
        if let value = count(object, "maxLength") {
            facts.hints.insert(.string)
            facts.maximumLength = min(facts.maximumLength ?? value, value)
        }
        if let pattern = object["pattern"]?.stringValue {
            facts.hints.insert(.string)
            facts.patterns.append(pattern)
        }
        if let format = object["format"]?.stringValue {
            facts.format = format
            switch format {
            case "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64":
                facts.hints.insert(.integer)
            case "float", "double", "decimal": facts.hints.insert(.number)
            default: facts.hints.insert(.string)
            }
        }
        if !isOld {
            facts.contentEncoding = object["contentEncoding"]?.stringValue ?? facts.contentEncoding
            facts.contentMediaType = object["contentMediaType"]?.stringValue ?? facts.contentMediaType
        }
    }

    private mutating func readArrays(_ schema: DescriptionNode, _ object: JSONObject) {
        if let value = count(object, "minItems") { facts.minimumItems = max(facts.minimumItems, value) }
        if let value = count(object, "maxItems") { facts.maximumItems = min(facts.maximumItems ?? value, value) }
        if object["uniqueItems"]?.boolValue == true { facts.isUnique = true }
        if let items = schema["items"] {
            facts.hints.insert(.array)
            // Earlier drafts of JSON Schema use an array here instead of `prefixItems`.
            if items.value.arrayValue == nil { facts.items.append(items) } else { facts.addPrefix(items.elements) }
        }
        guard !isOld else { return }
        facts.addPrefix(schema["prefixItems"]?.elements ?? [])
        if let contains = schema["contains"] {
            facts.hints.insert(.array)
            facts.needsCheck = true
            facts.contained.append(.init(schema: contains, minimum: count(object, "minContains") ?? 1))
        }
        if object["unevaluatedItems"] != nil { facts.needsCheck = true }
    }

    private mutating func readObjects(_ schema: DescriptionNode, _ object: JSONObject) {
        for member in schema["properties"]?.members ?? [] {
            facts.hints.insert(.object)
            facts.add(member, to: member.name)
        }
        for name in (object["required"]?.arrayValue ?? []).compactMap(\.stringValue)
        where facts.requiredNames.insert(name).inserted {
            facts.hints.insert(.object)
            facts.required.append(name)
        }
        if let value = count(object, "minProperties") { facts.minimumProperties = max(facts.minimumProperties, value) }
        if let value = count(object, "maxProperties") {
            facts.maximumProperties = min(facts.maximumProperties ?? value, value)
        }
        if let additional = schema["additionalProperties"] {
            facts.hints.insert(.object)
            // A member that is additional for one of several schemas may be defined by another.
            facts.needsCheck = true
            facts.additional.append(additional)
        }
        guard !isOld else { return }
        for member in schema["patternProperties"]?.members ?? [] {
            facts.hints.insert(.object)
            facts.patternProperties.append((member.name, member))
        }
        if let names = schema["propertyNames"] { facts.propertyNames.append(names) }
        for member in schema["dependentRequired"]?.members ?? [] {
            facts.dependentRequired.append((member.name, (member.value.arrayValue ?? []).compactMap(\.stringValue)))
        }
        for member in schema["dependentSchemas"]?.members ?? [] {
            facts.dependentSchemas.append((member.name, member))
        }
        if let unevaluated = object["unevaluatedProperties"] {
            facts.needsCheck = true
            if unevaluated.boolValue == false { facts.isClosed = true }
        }
    }

    // MARK: Branches

    private mutating func readApplicators(
        _ schema: DescriptionNode, _ object: JSONObject, _ choices: inout SampleChoices
    ) {
        for part in schema["allOf"]?.elements ?? [] { read(part, &choices) }
        for keyword in ["oneOf", "anyOf"] {
            guard let branches = schema[keyword]?.elements, !branches.isEmpty else { continue }
            facts.needsCheck = true
            let order = order(branches)
            let branch = order[choices.choose(order.count)]
            discriminate(schema, branch)
            if keyword == "oneOf" { facts.otherBranches += branches.filter { $0 != branch } }
            read(branch, &choices)
        }
        if schema["oneOf"] == nil, schema["anyOf"] == nil, schema["discriminator"] != nil {
            discriminate(schema, names.first ?? schema)
        }
        if object["not"] != nil { facts.needsCheck = true }
        guard !isOld, let condition = schema["if"] else { return }
        facts.needsCheck = true
        if choices.choose(2) == 0 {
            read(condition, &choices)
            if let consequence = schema["then"] { read(consequence, &choices) }
        } else if let alternative = schema["else"] {
            read(alternative, &choices)
        }
    }

    /// Returns the branches in the order to try: recursive branches come late and `null` last, because it conveys
    /// least.
    private func order(_ branches: [DescriptionNode]) -> [DescriptionNode] {
        func rank(_ branch: DescriptionNode) -> Int {
            if branch.value["type"]?.stringValue == "null" { return 2 }
            return ancestors.contains(description.resolved(branch) ?? branch) ? 1 : 0
        }
        let ranked = branches.map { (branch: $0, rank: rank($0)) }
        return (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.branch) }
    }

    /// Records the discriminator values of a branch: first the names in the mapping, then the schema's own name.
    private mutating func discriminate(_ schema: DescriptionNode, _ branch: DescriptionNode) {
        guard let discriminator = schema["discriminator"],
            let property = discriminator.value["propertyName"]?.stringValue
        else { return }
        let target = description.resolved(branch) ?? branch
        for entry in discriminator["mapping"]?.members ?? [] {
            guard let text = entry.value.stringValue else { continue }
            let reference =
                text.contains("/") || text.contains("#") || text.contains(".")
                ? text : "#/components/schemas/\(text)"
            if let mapped = try? description.files.target(of: reference, from: entry),
                mapped == branch || mapped == target
            {
                facts.discriminators.append((property, entry.name))
            }
        }
        let tokens = target.pointer.tokens
        if tokens.count >= 2, tokens[tokens.count - 2] == "schemas" || tokens[tokens.count - 2] == "definitions" {
            facts.discriminators.append((property, target.name))
        }
    }
}
