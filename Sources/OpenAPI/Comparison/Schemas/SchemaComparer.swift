import JSON

/// A comparer of two schema views that collects their differences and the pairs of nested schemas.
struct SchemaComparer {
    let old: SchemaView
    let new: SchemaView
    let equivalence: StructuralEquivalence
    private(set) var findings: [SchemaFinding] = []
    private(set) var edges: [SchemaPair.Edge] = []

    /// Creates a comparer for two views.
    init(old: SchemaView, new: SchemaView, equivalence: StructuralEquivalence) {
        self.old = old
        self.new = new
        self.equivalence = equivalence
    }

    /// Compares the views.
    mutating func compare(in pairs: inout SchemaPairs) {
        compareAnnotations(pairs.options)
        if old.isNever || new.isNever {
            if old.isNever != new.isNever {
                add(
                    "type-changed",
                    old.isNever
                        ? "from no allowed value to \(summary(new).text)"
                        : "from \(summary(old).text) to no allowed value", old.node, new.node)
            }
            return
        }
        let isSkipped = compareAlternatives(in: &pairs)
        compareAllOf(pairs)
        if isSkipped { return }
        compareTypes()
        // A schema without requirements has no keywords to report one by one.
        if (old.isUnconstrained || new.isUnconstrained) && (old.types != nil || new.types != nil) { return }
        if let before = old.isNullable, let after = new.isNullable, before != after {
            add(after ? "became-nullable" : "became-not-nullable", nil, old.typeNode, new.typeNode)
        }
        if haveNothingInCommon {
            compareWithElement(in: &pairs)
            return
        }
        compareEnumerations()
        compareLimits()
        compareTexts()
        if areBoth(.object) {
            compareProperties(in: &pairs)
            compareAdditionalProperties(in: &pairs)
            compareNamedSchemas(in: &pairs)
        }
        compareSchema(.contentSchema, "content-schema", .element, in: &pairs)
        if areBoth(.array) { compareArrays(in: &pairs) }
        compareConditions(in: &pairs)
        compareDiscriminators(pairs)
    }

    // MARK: Findings

    /// Adds a difference in an aspect. Missing locations default to those of the schemas.
    mutating func add(
        _ aspect: String, _ detail: String?, _ oldLocation: DescriptionNode?, _ newLocation: DescriptionNode?
    ) {
        add(.aspect(aspect), detail, oldLocation, newLocation)
    }

    /// Adds a difference. Missing locations default to those of the schemas.
    mutating func add(
        _ kind: SchemaFinding.Kind, _ detail: String?, _ oldLocation: DescriptionNode?, _ newLocation: DescriptionNode?,
        level: ChangeLevel? = nil
    ) {
        findings.append(
            SchemaFinding(
                kind: kind, detail: detail, oldLocation: oldLocation ?? old.node, newLocation: newLocation ?? new.node,
                level: level))
    }

    /// Adds an edge to a nested pair.
    mutating func lead(
        _ kind: SchemaPair.Edge.Kind, _ step: String, _ oldSchemas: [DescriptionNode],
        _ newSchemas: [DescriptionNode], in pairs: inout SchemaPairs
    ) {
        edges.append(SchemaPair.Edge(kind: kind, step: step, target: pairs.position(oldSchemas, newSchemas)))
    }

    /// Returns a value as a short string.
    static func text(_ value: JSONValue) -> String {
        let text = value.serialized()
        return text.count > 80 ? text.prefix(77) + "..." : text
    }

    /// Returns the old and the new value as part of a sentence.
    static func fromTo(_ old: DescriptionNode, _ new: DescriptionNode) -> String {
        "from \(text(old.value)) to \(text(new.value))"
    }

    // MARK: Types

    private func summary(_ view: SchemaView) -> SchemaTypeSummary {
        SchemaTypeSummary(
            types: view.types, unknown: view.unknownTypes, format: view.format?.value.stringValue)
    }

    /// Returns whether values of a type can be valid on both sides, so that its keywords are comparable.
    private func areBoth(_ type: SchemaTypes) -> Bool { old.mayBe(type) && new.mayBe(type) }

    /// Whether exactly one side is an array or object, so that no keyword applies to both.
    private var haveNothingInCommon: Bool {
        guard let before = old.types, let after = new.types, old.unknownTypes.isEmpty, new.unknownTypes.isEmpty else {
            return false
        }
        return before.isDisjoint(with: after) && !(before.isScalar && after.isScalar)
    }

    /// Compares a scalar with the elements of an array, if the array can consist of that scalar alone.
    private mutating func compareWithElement(in pairs: inout SchemaPairs) {
        guard let node = old.node, let types = old.types, types.isScalar, !types.isEmpty, new.types == .array else {
            return
        }
        let needsMore = new.limits[.minItems].map { JSONNumber(1) < $0.value } ?? false
        let allowsNone = new.limits[.maxItems].map { $0.value < JSONNumber(1) } ?? false
        if needsMore || allowsNone || new.schemas[.contains] != nil || !new.prefixItems.isEmpty { return }
        if let before = old.values[.default], let after = new.values[.default], after.value != .array([before.value]) {
            add("default-value-changed", Self.fromTo(before, after), before, after)
        }
        lead(.single, "items", [node], new.schemas[.items] ?? [], in: &pairs)
    }

    private mutating func compareTypes() {
        let before = summary(old)
        let after = summary(new)
        guard before != after else { return }
        let isFormatOnly = before.types == after.types
        add(
            .types(old: before, new: after), nil, isFormatOnly ? old.format : old.typeNode,
            isFormatOnly ? new.format : new.typeNode)
    }

    // MARK: Values

    private mutating func compareEnumerations() {
        switch (old.enumeration, new.enumeration) {
        case (nil, nil): break
        case (nil, let after?):
            if after.isConstant {
                add("const-added", after.values.first.map(Self.text), nil, after.node)
            } else {
                add("became-enum", ": \(after.values.map(Self.text).joined(separator: ", "))", nil, after.node)
            }
        case (let before?, nil):
            if before.isConstant {
                add("const-removed", before.values.first.map(Self.text), before.node, nil)
            } else {
                add(
                    "became-not-enum", ": \(before.values.map(Self.text).joined(separator: ", "))", before.node, nil)
            }
        case (let before?, let after?):
            if before.isConstant, after.isConstant {
                if before.values != after.values {
                    add("const-changed", Self.fromTo(before.node, after.node), before.node, after.node)
                }
                return
            }
            let known = Set(before.values)
            let kept = Set(after.values)
            for value in before.values where !kept.contains(value) {
                add("enum-value-removed", "the value \(Self.text(value))", before.node, after.node)
            }
            for value in after.values where !known.contains(value) {
                add("enum-value-added", "the value \(Self.text(value))", before.node, after.node)
            }
        }
        compareExtensibleEnumerations()
        compareValues(.default, added: "default-value-added", "default-value-changed", "default-value-removed")
    }

    private mutating func compareExtensibleEnumerations() {
        guard let before = old.values[.extensibleEnum], let after = new.values[.extensibleEnum],
            let oldValues = before.value.arrayValue, let newValues = after.value.arrayValue
        else { return }
        let known = Set(oldValues)
        let kept = Set(newValues)
        for value in oldValues where !kept.contains(value) {
            add("x-extensible-enum-value-removed", "the value \(Self.text(value))", before, after)
        }
        for value in newValues where !known.contains(value) {
            add("x-extensible-enum-value-added", "the value \(Self.text(value))", before, after)
        }
    }

    /// Compares a keyword with a plain value.
    private mutating func compareValues(
        _ keyword: SchemaView.ValueKeyword, added: String?, _ changed: String, _ removed: String?
    ) {
        switch (old.values[keyword], new.values[keyword]) {
        case (nil, let after?):
            add(
                added ?? changed, added.map { _ in Self.text(after.value) } ?? "to \(Self.text(after.value))", nil,
                after)
        case (let before?, nil):
            add(
                removed ?? changed,
                removed.map { _ in Self.text(before.value) } ?? "from \(Self.text(before.value)) to none", before, nil)
        case (let before?, let after?) where before.value != after.value:
            add(changed, Self.fromTo(before, after), before, after)
        default: break
        }
    }

    // MARK: Limits

    private mutating func compareLimits() {
        for name in SchemaLimit.allCases where name.structure.map(areBoth) ?? true {
            switch (old.limits[name], new.limits[name]) {
            case (nil, nil): break
            case (nil, let after?):
                let stem = name.stem(isExclusive: after.isExclusive)
                add("\(stem)-set", ": \(after.value)", nil, after.node)
            case (let before?, nil):
                let stem = name.stem(isExclusive: before.isExclusive)
                add("\(stem)-unset", ": \(before.value)", before.node, nil)
            case (let before?, let after?): compare(name, before, after)
            }
        }
        compareValues(.multipleOf, added: "multiple-of-added", "multiple-of-changed", "multiple-of-removed")
        guard areBoth(.array) else { return }
        let wasUnique = old.isSet(.uniqueItems)
        if wasUnique != new.isSet(.uniqueItems) {
            add(
                wasUnique ? "unique-items-removed" : "unique-items-added", nil, old.values[.uniqueItems],
                new.values[.uniqueItems])
        }
    }

    private mutating func compare(_ name: SchemaLimit, _ before: SchemaView.Limit, _ after: SchemaView.Limit) {
        let oldValue = before.integerEquivalent ?? before.value
        let newValue = after.integerEquivalent ?? after.value
        let wasExclusive = before.isExclusive && before.integerEquivalent == nil
        let isExclusive = after.isExclusive && after.integerEquivalent == nil
        if oldValue == newValue, wasExclusive == isExclusive { return }
        let isTighter =
            oldValue == newValue
            ? isExclusive : name.isUpper ? newValue < oldValue : oldValue < newValue
        let direction = isTighter == name.isUpper ? "decreased" : "increased"
        let from = before.isExclusive == after.isExclusive || !before.isExclusive ? "" : " (exclusive)"
        let to = before.isExclusive == after.isExclusive || !after.isExclusive ? "" : " (exclusive)"
        add(
            "\(name.stem(isExclusive: after.isExclusive))-\(direction)",
            "from \(before.value)\(from) to \(after.value)\(to)", before.node, after.node)
    }

    // MARK: Strings

    private mutating func compareTexts() {
        comparePatterns()
        compareValues(.contentEncoding, added: nil, "content-encoding-changed", nil)
        compareValues(.contentMediaType, added: nil, "content-media-type-changed", nil)
    }

    private mutating func comparePatterns() {
        let removed = old.patterns.filter { before in !new.patterns.contains { $0.value == before.value } }
        let added = new.patterns.filter { after in !old.patterns.contains { $0.value == after.value } }
        for (before, after) in zip(removed, added) {
            let matchesAll = Self.matchesAll(after)
            add(
                matchesAll ? "pattern-generalized" : "pattern-changed",
                matchesAll ? ", \(Self.fromTo(before, after))" : Self.fromTo(before, after), before, after)
        }
        for after in added.dropFirst(removed.count) where !Self.matchesAll(after) {
            add("pattern-added", ": \(Self.text(after.value))", nil, after)
        }
        for before in removed.dropFirst(added.count) where !Self.matchesAll(before) {
            add("pattern-removed", ": \(Self.text(before.value))", before, nil)
        }
    }

    /// Returns whether a pattern matches every string.
    private static func matchesAll(_ pattern: DescriptionNode) -> Bool {
        [".*", "^.*$", "^.*", ".*$"].contains(pattern.value.stringValue ?? "")
    }
}
