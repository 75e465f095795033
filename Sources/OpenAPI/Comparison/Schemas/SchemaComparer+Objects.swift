import JSON

extension SchemaComparer {
    // MARK: Properties

    /// Compares the properties of both schemas.
    mutating func compareProperties(in pairs: inout SchemaPairs) {
        for before in old.properties {
            let beforeView = pairs.oldView(before.schemas)
            guard let after = new.property(before.name) else {
                add(
                    .propertyRemoved(Self.member(before, beforeView)), nil,
                    before.schemas.first ?? before.requirement, new.node)
                continue
            }
            let afterView = pairs.newView(after.schemas)
            let member = Self.member(after, afterView)
            if before.isRequired != after.isRequired {
                add(
                    after.isRequired ? .propertyBecameRequired(member) : .propertyBecameOptional(member), nil,
                    before.requirement ?? before.schemas.first, after.requirement ?? after.schemas.first)
            }
            for (keyword, kind) in [(SchemaView.ValueKeyword.readOnly, "read-only"), (.writeOnly, "write-only")] {
                let isSet = afterView.isSet(keyword)
                if beforeView.isSet(keyword) != isSet {
                    add(
                        .mutability(member, kind: kind, isSet: isSet), nil,
                        beforeView.values[keyword] ?? before.schemas.first,
                        afterView.values[keyword] ?? after.schemas.first)
                }
            }
            let kind = SchemaPair.Edge.Kind.property(
                isReadOnly: beforeView.isSet(.readOnly) || afterView.isSet(.readOnly),
                isWriteOnly: beforeView.isSet(.writeOnly) || afterView.isSet(.writeOnly))
            lead(kind, before.name, before.schemas, after.schemas, in: &pairs)
        }
        for after in new.properties where old.property(after.name) == nil {
            add(
                .propertyAdded(Self.member(after, pairs.newView(after.schemas))), nil, old.node,
                after.schemas.first ?? after.requirement)
        }
    }

    /// Reports the members that are newly required.
    mutating func compareRequirements(in pairs: inout SchemaPairs) {
        for after in new.properties where after.isRequired {
            let before = old.property(after.name)
            if before?.isRequired == true { continue }
            let member = Self.member(after, pairs.newView(after.schemas))
            add(
                before == nil ? .propertyAdded(member) : .propertyBecameRequired(member), nil,
                before?.requirement ?? before?.schemas.first, after.requirement ?? after.schemas.first)
        }
    }

    private static func member(_ property: SchemaView.Property, _ view: SchemaView) -> SchemaMember {
        SchemaMember(
            name: property.name, isRequired: property.isRequired, hasDefault: view.values[.default] != nil,
            isReadOnly: view.isSet(.readOnly), isWriteOnly: view.isSet(.writeOnly))
    }

    /// Compares the rules for additional properties.
    mutating func compareAdditionalProperties(in pairs: inout SchemaPairs) {
        let before = old.additionalProperties
        let after = new.additionalProperties
        let name: String
        switch (before, after) {
        case (.allowed, .allowed), (.disallowed, .disallowed): return
        case (.schema(let oldSchemas), .schema(let newSchemas)):
            lead(.element, "additionalProperties", oldSchemas, newSchemas, in: &pairs)
            return
        case (_, .disallowed): name = "additional-properties-disallowed"
        case (.disallowed, _): name = "additional-properties-allowed"
        case (.allowed, .schema): name = "additional-properties-schema-added"
        case (.schema, .allowed): name = "additional-properties-schema-removed"
        }
        add(name, nil, before.node, after.node)
    }

    // MARK: Named schemas

    /// Compares `patternProperties`, `dependentSchemas`, `dependentRequired`, and `propertyNames`.
    mutating func compareNamedSchemas(in pairs: inout SchemaPairs) {
        for (pattern, schemas) in old.patternProperties {
            if let other = new.patternProperties.first(where: { $0.pattern == pattern }) {
                lead(.element, "patternProperties[\(pattern)]", schemas, other.schemas, in: &pairs)
            } else {
                add("pattern-property-removed", "\"\(pattern)\"", schemas.first, nil)
            }
        }
        for (pattern, schemas) in new.patternProperties
        where !old.patternProperties.contains(where: { $0.pattern == pattern }) {
            add("pattern-property-added", "\"\(pattern)\"", nil, schemas.first)
        }
        for (name, schemas) in old.dependentSchemas {
            if let other = new.dependentSchemas.first(where: { $0.name == name }) {
                lead(.same, "dependentSchemas[\(name)]", schemas, other.schemas, in: &pairs)
            } else {
                add("dependent-schema-removed", "\"\(name)\"", schemas.first, nil)
            }
        }
        for (name, schemas) in new.dependentSchemas where !old.dependentSchemas.contains(where: { $0.name == name }) {
            add("dependent-schema-added", "\"\(name)\"", nil, schemas.first)
        }
        compareDependentRequired()
        compareSchema(.propertyNames, "property-names", .element, in: &pairs)
        compareSchema(.unevaluatedProperties, "unevaluated-properties", .element, in: &pairs)
    }

    private mutating func compareDependentRequired() {
        for (name, before) in old.dependentRequired {
            guard let after = new.dependentRequired.first(where: { $0.name == name })?.node else {
                add("dependent-required-removed", "\"\(name)\"", before, nil)
                continue
            }
            if Set(before.value.arrayValue ?? []) != Set(after.value.arrayValue ?? []) {
                add("dependent-required-changed", "\"\(name)\"", before, after)
            }
        }
        for (name, after) in new.dependentRequired where !old.dependentRequired.contains(where: { $0.name == name }) {
            add("dependent-required-added", "\"\(name)\"", nil, after)
        }
    }

    /// Compares a keyword whose value is a single schema.
    mutating func compareSchema(
        _ keyword: SchemaView.SchemaKeyword, _ stem: String, _ kind: SchemaPair.Edge.Kind, in pairs: inout SchemaPairs
    ) {
        switch (old.schemas[keyword], new.schemas[keyword]) {
        case (nil, nil): break
        case (nil, let after?): add("\(stem)-added", nil, nil, after.first)
        case (let before?, nil): add("\(stem)-removed", nil, before.first, nil)
        case (let before?, let after?): lead(kind, keyword.rawValue, before, after, in: &pairs)
        }
    }

    // MARK: Arrays

    /// Compares the rules for array elements.
    mutating func compareArrays(in pairs: inout SchemaPairs) {
        let before = old.schemas[.items] ?? []
        let after = new.schemas[.items] ?? []
        if !before.isEmpty || !after.isEmpty { lead(.element, "items", before, after, in: &pairs) }
        for (index, (before, after)) in zip(old.prefixItems, new.prefixItems).enumerated() {
            lead(.element, "prefixItems[\(index)]", before, after, in: &pairs)
        }
        for (index, schemas) in new.prefixItems.enumerated().dropFirst(old.prefixItems.count) {
            add("prefix-items-added", "element \(index)", nil, schemas.first)
        }
        for (index, schemas) in old.prefixItems.enumerated().dropFirst(new.prefixItems.count) {
            add("prefix-items-removed", "element \(index)", schemas.first, nil)
        }
        compareSchema(.contains, "contains", .element, in: &pairs)
        compareSchema(.unevaluatedItems, "unevaluated-items", .element, in: &pairs)
    }
}
