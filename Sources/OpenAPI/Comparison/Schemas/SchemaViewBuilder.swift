import JSON

/// A builder of views for schemas that must all match.
struct SchemaViewBuilder {
    private let description: OpenAPIDescription
    private let is30: Bool
    private var view = SchemaView()
    private var seen: Set<DescriptionNode> = []
    /// Whether every schema with a type allows `null`, or `nil` if no schema has a type.
    private var typesAllowNull: Bool?
    /// Whether the outer schema allows `null` with `nullable` or with an alternative of type `null`.
    private var allowsNull = false

    /// Creates a builder for the schemas of a description.
    init(_ description: OpenAPIDescription) {
        self.description = description
        is30 = description.version.usesSchemaDialect30
    }

    /// Returns the view of schemas that must all match.
    mutating func view(of schemas: [DescriptionNode]) -> SchemaView {
        view = SchemaView()
        seen = []
        typesAllowNull = nil
        allowsNull = false
        for (index, schema) in schemas.enumerated() { add(schema, isOuter: index == 0, depth: 0) }
        view.node = schemas.first.map { description.resolved($0) ?? $0 }
        if allowsNull {
            view.isNullable = true
        } else if let typesAllowNull {
            view.isNullable = typesAllowNull
        } else if !view.alternatives.isEmpty {
            view.isNullable = false
        }
        dropNullFromEnumeration()
        makeIntegerLimitsInclusive()
        return view
    }

    private mutating func add(_ node: DescriptionNode, isOuter: Bool, depth: Int) {
        // At a greater depth of `allOf` and `$ref`, a schema is treated as unconstrained.
        guard depth < 64, seen.insert(node).inserted else { return }
        guard case .object(let object) = node.value else {
            if node.value.boolValue == false { view.isNever = true }
            return
        }
        if node.reference != nil {
            if let target = description.resolved(node) { add(target, isOuter: isOuter, depth: depth + 1) }
            if is30 { return }
        }
        var types: DescriptionNode?
        var nullable = false
        var exclusive: [SchemaLimit: DescriptionNode] = [:]
        var constant: DescriptionNode?
        for (name, value) in object {
            let member = DescriptionNode(file: node.file, pointer: node.pointer.appending(name), value: value)
            switch name {
            case "type": types = member
            case "nullable": nullable = is30 && value.boolValue == true
            case "format": view.format = view.format ?? member
            case "enum": addEnumeration(value.arrayValue ?? [], member, isConstant: false)
            case "const": constant = member
            case "pattern":
                // The empty pattern matches every string.
                if value == .string("") { continue }
                if !view.patterns.contains(where: { $0.value == value }) { view.patterns.append(member) }
            case "exclusiveMaximum": exclusive[.maximum] = member
            case "exclusiveMinimum": exclusive[.minimum] = member
            case "allOf":
                if isOuter { view.allOf += member.elements }
                for element in member.elements { add(element, isOuter: false, depth: depth + 1) }
                continue
            case "oneOf", "anyOf":
                addAlternatives(member, isOuter: isOuter, depth: depth)
                continue
            case "properties":
                for property in member.members { addProperty(property.name) { $0.schemas.append(property) } }
            case "required":
                for element in member.elements {
                    guard let name = element.value.stringValue else { continue }
                    addProperty(name) { property in
                        property.isRequired = true
                        property.requirement = property.requirement ?? element
                    }
                }
            case "additionalProperties": addAdditionalProperties(member)
            case "prefixItems":
                for (index, element) in member.elements.enumerated() {
                    if index < view.prefixItems.count {
                        view.prefixItems[index].append(element)
                    } else {
                        view.prefixItems.append([element])
                    }
                }
            case "patternProperties":
                for schema in member.members {
                    if let index = view.patternProperties.firstIndex(where: { $0.pattern == schema.name }) {
                        view.patternProperties[index].schemas.append(schema)
                    } else {
                        view.patternProperties.append((schema.name, [schema]))
                    }
                }
            case "dependentRequired": view.dependentRequired += member.members.map { ($0.name, $0) }
            case "dependentSchemas": view.dependentSchemas += member.members.map { ($0.name, [$0]) }
            default:
                if let limit = SchemaLimit(rawValue: name) {
                    if let number = value.numberValue {
                        addLimit(limit, SchemaView.Limit(value: number, isExclusive: false, node: member))
                    }
                } else if let keyword = SchemaView.SchemaKeyword(rawValue: name) {
                    if keyword == .items, value.arrayValue != nil { continue }
                    if value.boolValue != true || keyword == .not { view.schemas[keyword, default: []].append(member) }
                } else if let keyword = SchemaView.ValueKeyword(rawValue: name) {
                    if value.boolValue != false || keyword == .default {
                        view.values[keyword] = view.values[keyword] ?? member
                    }
                    continue
                } else {
                    continue
                }
            }
            if name != "type", name != "nullable", name != "format" { view.hasOtherKeywords = true }
        }
        for (limit, member) in exclusive { addExclusive(limit, member, of: node) }
        if let constant { addEnumeration([constant.value], constant, isConstant: true) }
        addTypes(types, nullable: nullable, isOuter: isOuter)
    }

    // MARK: Types

    private mutating func addTypes(_ node: DescriptionNode?, nullable: Bool, isOuter: Bool) {
        // Next to `allOf` or `$ref`, `nullable` is meant for the whole schema, although the dialect ties it to `type`.
        if nullable, isOuter { allowsNull = true }
        guard let node else { return }
        var types: SchemaTypes = []
        for text in node.value.arrayValue ?? [node.value] {
            guard let name = text.stringValue else { continue }
            if let type = SchemaTypes(name: name) {
                types.formUnion(type)
            } else if !view.unknownTypes.contains(name) {
                view.unknownTypes.append(name)
            }
        }
        restrict(to: types, nullable: nullable, node)
    }

    private mutating func restrict(to types: SchemaTypes, nullable: Bool, _ node: DescriptionNode) {
        typesAllowNull = (typesAllowNull ?? true) && (nullable || types.contains(.null))
        let types = types.subtracting(.null)
        view.types = view.types.map { $0.intersection(types) } ?? types
        view.typeNode = view.typeNode ?? node
    }

    // MARK: Values

    private mutating func addEnumeration(_ values: [JSONValue], _ node: DescriptionNode, isConstant: Bool) {
        if let known = view.enumeration {
            let allowed = Set(values)
            view.enumeration?.values = known.values.filter { allowed.contains($0) }
        } else {
            view.enumeration = SchemaView.Enumeration(values: values, node: node, isConstant: isConstant)
        }
    }

    private mutating func dropNullFromEnumeration() {
        guard let enumeration = view.enumeration, enumeration.values.contains(where: \.isNull) else { return }
        if view.isNullable == nil { view.isNullable = true }
        view.enumeration?.values = enumeration.values.filter { !$0.isNull }
    }

    // MARK: Limits

    private mutating func addLimit(_ name: SchemaLimit, _ limit: SchemaView.Limit) {
        if name.isCountFromZero, limit.value == 0 { return }
        guard let known = view.limits[name] else {
            view.limits[name] = limit
            return
        }
        let isTighter = name.isUpper ? limit.value < known.value : known.value < limit.value
        if isTighter || limit.value == known.value && limit.isExclusive { view.limits[name] = limit }
    }

    /// Adds an exclusive limit: a number, or before 3.1 a Boolean that makes the inclusive limit exclusive.
    private mutating func addExclusive(_ name: SchemaLimit, _ member: DescriptionNode, of node: DescriptionNode) {
        if let number = member.value.numberValue {
            addLimit(name, SchemaView.Limit(value: number, isExclusive: true, node: member))
        } else if member.value.boolValue == true, let inclusive = node[name.rawValue],
            let number = inclusive.value.numberValue
        {
            addLimit(name, SchemaView.Limit(value: number, isExclusive: true, node: inclusive))
        }
    }

    /// Normalizes limits of integers, where less than 10 is equivalent to at most 9.
    private mutating func makeIntegerLimitsInclusive() {
        guard view.types == .integer else { return }
        for name in [SchemaLimit.maximum, .minimum] {
            guard let limit = view.limits[name], limit.isExclusive, limit.value.isInteger, let value = limit.value.int64
            else { continue }
            let (inclusive, overflow) =
                name.isUpper ? value.subtractingReportingOverflow(1) : value.addingReportingOverflow(1)
            if overflow { continue }
            view.limits[name]?.integerEquivalent = JSONNumber(inclusive)
        }
    }

    // MARK: Objects

    private mutating func addProperty(_ name: String, _ change: (inout SchemaView.Property) -> Void) {
        if let position = view.propertyPositions[name] {
            change(&view.properties[position])
        } else {
            view.propertyPositions[name] = view.properties.count
            var property = SchemaView.Property(name: name)
            change(&property)
            view.properties.append(property)
        }
    }

    private mutating func addAdditionalProperties(_ member: DescriptionNode) {
        if let isAllowed = member.value.boolValue {
            if !isAllowed { view.additionalProperties = .disallowed(member) }
            return
        }
        guard case .object(let object) = member.value, !object.isEmpty else { return }
        switch view.additionalProperties {
        case .allowed: view.additionalProperties = .schema([member])
        case .schema(let others): view.additionalProperties = .schema(others + [member])
        case .disallowed: break
        }
    }

    // MARK: Alternatives

    private mutating func addAlternatives(_ member: DescriptionNode, isOuter: Bool, depth: Int) {
        var branches: [DescriptionNode] = []
        var hasNull = false
        for branch in member.elements {
            if isNull(description.resolved(branch) ?? branch) { hasNull = true } else { branches.append(branch) }
        }
        if let types = bareTypes(of: branches) {
            restrict(to: hasNull ? types.union(.null) : types, nullable: false, member)
            return
        }
        if hasNull, isOuter { allowsNull = true }
        if branches.count == 1, let only = branches.first {
            // A single alternative besides `null` is the schema itself.
            add(only, isOuter: isOuter, depth: depth + 1)
        } else if !branches.isEmpty {
            view.alternatives.append(
                SchemaView.Alternatives(
                    isExclusive: member.name == "oneOf", branches: branches, node: member))
        }
    }

    private func isNull(_ node: DescriptionNode) -> Bool {
        if node.value["type"]?.stringValue == "null" { return true }
        guard let values = node.value["enum"]?.arrayValue else {
            return node.value["const"]?.isNull ?? false
        }
        return values.count == 1 && values.allSatisfy(\.isNull)
    }

    /// Returns the types of alternatives that have no other requirements.
    private func bareTypes(of branches: [DescriptionNode]) -> SchemaTypes? {
        guard branches.count > 1 else { return nil }
        var types: SchemaTypes = []
        for branch in branches {
            guard let object = branch.value.objectValue, let name = object["type"]?.stringValue,
                let type = SchemaTypes(name: name), types.isDisjoint(with: type),
                object.allSatisfy({ $0.key == "type" || StructuralEquivalence.annotations.contains($0.key) })
            else { return nil }
            types.formUnion(type)
        }
        return types
    }
}

/// The views of a description's schemas, each built once.
struct SchemaViews {
    private let description: OpenAPIDescription
    private var positions: [[DescriptionNode]: Int] = [:]
    private(set) var all: [SchemaView] = []
    private var builder: SchemaViewBuilder

    /// Creates an empty collection.
    init(_ description: OpenAPIDescription) {
        self.description = description
        builder = SchemaViewBuilder(description)
    }

    /// Returns the index of the view of schemas that must all match.
    mutating func position(of schemas: [DescriptionNode]) -> Int {
        var seen: Set<DescriptionNode> = []
        let schemas = schemas.map { schema in
            // A plain reference is replaced by its target, so that all references to a schema share one view.
            guard schema.reference != nil,
                description.version.usesSchemaDialect30 || schema.value.objectValue?.count == 1
            else { return schema }
            return description.resolved(schema) ?? schema
        }.filter { schemas.count == 1 || seen.insert($0).inserted }
        if let known = positions[schemas] { return known }
        let position = all.count
        all.append(builder.view(of: schemas))
        positions[schemas] = position
        return position
    }

    /// Returns the view of schemas that must all match.
    mutating func view(of schemas: [DescriptionNode]) -> SchemaView { all[position(of: schemas)] }
}
