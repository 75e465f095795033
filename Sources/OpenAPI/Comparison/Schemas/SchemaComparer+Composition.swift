import JSON

extension SchemaComparer {
    // MARK: Alternatives

    /// Compares `oneOf` and `anyOf`.
    ///
    /// - Returns: Whether to skip the remaining keywords, because only one side has alternatives.
    mutating func compareAlternatives(in pairs: inout SchemaPairs) -> Bool {
        switch (old.alternatives.first, new.alternatives.first) {
        case (nil, nil): return false
        case (nil, let after?):
            guard let node = old.node else { return false }
            let same = after.branches.firstIndex { equivalence.areEquivalent(node, $0) }
            let stem = after.isExclusive ? "one-of" : "any-of"
            if let same {
                for (index, branch) in after.branches.enumerated() where index != same {
                    add("\(stem)-added", Self.label(branch, index), nil, branch)
                }
                // Keywords next to the alternatives may still require more members.
                compareRequirements(in: &pairs)
                return true
            }
            add("wrapped-in-\(stem)", nil, nil, after.node)
            return !Self.saysMore(new)
        case (let before?, nil):
            guard let node = new.node else { return false }
            let same = before.branches.firstIndex { equivalence.areEquivalent($0, node) }
            let stem = before.isExclusive ? "one-of" : "any-of"
            if let same {
                for (index, branch) in before.branches.enumerated() where index != same {
                    add("\(stem)-removed", Self.label(branch, index), branch, nil)
                }
                return true
            }
            add("unwrapped-from-\(stem)", nil, before.node, nil)
            return !Self.saysMore(old)
        case (.some, .some):
            for (before, after) in zip(old.alternatives, new.alternatives) { compare(before, after, in: &pairs) }
            for extra in new.alternatives.dropFirst(old.alternatives.count) {
                add("wrapped-in-\(extra.isExclusive ? "one-of" : "any-of")", nil, nil, extra.node)
            }
            for extra in old.alternatives.dropFirst(new.alternatives.count) {
                add("unwrapped-from-\(extra.isExclusive ? "one-of" : "any-of")", nil, extra.node, nil)
            }
            return false
        }
    }

    /// Returns whether a schema has requirements besides its alternatives.
    private static func saysMore(_ view: SchemaView) -> Bool { view.types != nil || !view.properties.isEmpty }

    private mutating func compare(
        _ before: SchemaView.Alternatives, _ after: SchemaView.Alternatives, in pairs: inout SchemaPairs
    ) {
        let matching = BranchMatching(before.branches, after.branches, equivalence)
        let name = after.isExclusive ? "oneOf" : "anyOf"
        for (left, right) in matching.pairs {
            let label = Self.label(before.branches[left], left)
            lead(.same, "\(name)[\(label)]", [before.branches[left]], [after.branches[right]], in: &pairs)
        }
        for index in matching.removed {
            add(
                before.isExclusive ? "one-of-removed" : "any-of-removed",
                "the schema \(Self.label(before.branches[index], index))", before.branches[index], after.node)
        }
        for index in matching.added {
            add(
                after.isExclusive ? "one-of-added" : "any-of-added",
                "the schema \(Self.label(after.branches[index], index))", before.node, after.branches[index])
        }
    }

    /// Returns the name of a schema in an array: the name of its component, its title, or its number.
    static func label(_ node: DescriptionNode, _ index: Int) -> String {
        if let reference = node.reference, let name = reference.split(separator: "/").last { return String(name) }
        return node.value["title"]?.stringValue ?? "#\(index + 1)"
    }

    // MARK: allOf

    /// Reports schemas added to or removed from `allOf`. The merged views show the effect of these schemas.
    mutating func compareAllOf(_ pairs: SchemaPairs) {
        guard !old.allOf.isEmpty || !new.allOf.isEmpty else { return }
        let before = old.allOf.isEmpty ? old.node.map { [$0] } ?? [] : old.allOf
        let after = new.allOf.isEmpty ? new.node.map { [$0] } ?? [] : new.allOf
        let matching = BranchMatching(before, after, equivalence, byShape: false)
        // The schema was rewritten, rather than extended or reduced by one schema.
        if old.allOf.isEmpty || new.allOf.isEmpty, matching.pairs.isEmpty { return }
        for index in matching.removed where !old.allOf.isEmpty {
            let isAnnotation = Self.isAnnotation(before[index])
            add(
                isAnnotation ? .aspect("all-of-removed-annotation-only") : .allOf("all-of-removed"),
                "the schema \(Self.label(before[index], index))", before[index], nil)
        }
        for index in matching.added where !new.allOf.isEmpty {
            let isAnnotation = Self.isAnnotation(after[index])
            add(
                isAnnotation ? .aspect("all-of-added-annotation-only") : .allOf("all-of-added"),
                "the schema \(Self.label(after[index], index))", nil, after[index])
        }
    }

    private static func isAnnotation(_ node: DescriptionNode) -> Bool {
        node.value.objectValue?.keys.allSatisfy {
            StructuralEquivalence.annotations.contains($0) || $0.hasPrefix("x-")
        } ?? false
    }

    // MARK: Conditions

    /// Compares `not`, `if`, `then`, and `else`.
    mutating func compareConditions(in pairs: inout SchemaPairs) {
        for (keyword, stem) in [(SchemaView.SchemaKeyword.not, "not"), (.condition, "if")] {
            if let before = old.schemas[keyword], let after = new.schemas[keyword] {
                let isSame =
                    before.count == after.count
                    && zip(before, after).allSatisfy { equivalence.areEquivalent($0, $1) }
                if !isSame { add("\(stem)-changed", nil, before.first, after.first) }
            } else {
                compareSchema(keyword, stem, .same, in: &pairs)
            }
        }
        compareSchema(.then, "then", .same, in: &pairs)
        compareSchema(.otherwise, "else", .same, in: &pairs)
    }

    // MARK: Discriminators

    /// Compares discriminators.
    mutating func compareDiscriminators(_ pairs: SchemaPairs) {
        switch (old.values[.discriminator], new.values[.discriminator]) {
        case (nil, nil): break
        case (nil, let after?):
            add("discriminator-added", after["propertyName"].map { ": \(Self.text($0.value))" }, nil, after)
        case (let before?, nil):
            add("discriminator-removed", before["propertyName"].map { ": \(Self.text($0.value))" }, before, nil)
        case (let before?, let after?):
            if let oldName = before["propertyName"], let newName = after["propertyName"], oldName.value != newName.value
            {
                add("discriminator-property-name-changed", Self.fromTo(oldName, newName), oldName, newName)
            }
            let known = before["mapping"]
            let kept = after["mapping"]
            for entry in known?.members ?? [] {
                guard let other = kept?[entry.name] else {
                    add("discriminator-mapping-deleted", "\"\(entry.name)\"", entry, kept ?? after)
                    continue
                }
                if entry.value != other.value, !areSameTargets(entry, other, pairs) {
                    add("discriminator-mapping-changed", "\"\(entry.name)\"", entry, other)
                }
            }
            for entry in kept?.members ?? [] where known?[entry.name] == nil {
                add("discriminator-mapping-added", "\"\(entry.name)\"", known ?? before, entry)
            }
        }
    }

    private func areSameTargets(_ before: DescriptionNode, _ after: DescriptionNode, _ pairs: SchemaPairs) -> Bool {
        guard let left = Self.target(before, pairs.old), let right = Self.target(after, pairs.new) else {
            return false
        }
        return equivalence.areEquivalent(left, right)
    }

    private static func target(_ entry: DescriptionNode, _ description: OpenAPIDescription) -> DescriptionNode? {
        guard let text = entry.value.stringValue else { return nil }
        if !text.contains("/"), !text.contains("#"),
            let schema = description.root["components"]?["schemas"]?[text]
        {
            return schema
        }
        return try? description.files.target(of: text, from: entry)
    }

    // MARK: Annotations

    /// Compares the deprecation and the stability of a property.
    mutating func compareAnnotations(_ options: ComparisonOptions) {
        let before = old.values[.deprecated]
        let after = new.values[.deprecated]
        if old.isSet(.deprecated), !new.isSet(.deprecated) { add("reactivated", nil, before, after) }
        if !old.isSet(.deprecated), new.isSet(.deprecated) {
            let sunset = Sunset(new.values[.sunset])
            let (kind, detail) = sunset.announcement(today: options.today, minimumDays: options.deprecationDays)
            let name =
                switch kind {
                case .deprecated: "deprecated"
                case .missing: "deprecated-sunset-missing"
                case .invalid: "deprecated-sunset-invalid"
                case .tooEarly: "sunset-date-too-small"
                case .announced: "deprecated-with-sunset"
                }
            add(name, detail, before, new.values[.sunset] ?? after)
        }
        compareInvalidSunsets()
        compareStability()
    }

    /// Reports invalid `x-sunset` values. A value that both descriptions have is not a change.
    private mutating func compareInvalidSunsets() {
        let before = old.values[.sunset]
        let after = new.values[.sunset]
        guard before?.value != after?.value else { return }
        if case .invalid(let text) = Sunset(before) {
            add(.aspect("deprecated-sunset-invalid"), Stability.inOldDescription(text), before, after, level: .info)
        }
        // The sunset of a new deprecation was checked with the deprecation.
        if old.isSet(.deprecated) == new.isSet(.deprecated), case .invalid(let text) = Sunset(after) {
            add("deprecated-sunset-invalid", "\"\(text)\"", before, after)
        }
    }

    private mutating func compareStability() {
        let before = old.values[.stability]
        let after = new.values[.stability]
        guard before?.value != after?.value else { return }
        switch (Stability.level(before), Stability.level(after)) {
        case (_, nil): add("invalid-stability-level", after.map { Self.text($0.value) }, before, after)
        case (nil, _):
            add(
                .aspect("invalid-stability-level"), before.map { Stability.inOldDescription(Self.plain($0.value)) },
                before, after, level: .info)
        case (let oldLevel?, let newLevel?):
            guard oldLevel != newLevel else { return }
            add(
                newLevel < oldLevel ? "stability-decreased" : "stability-increased",
                "from \(oldLevel.rawValue) to \(newLevel.rawValue)", before, after)
        }
    }

    private static func plain(_ value: JSONValue) -> String { value.stringValue ?? value.serialized() }
}

/// A matching of the schemas in two arrays.
struct BranchMatching {
    /// The indices of the matched schemas.
    private(set) var pairs: [(old: Int, new: Int)] = []
    /// The indices of the removed schemas.
    private(set) var removed: [Int]
    /// The indices of the added schemas.
    private(set) var added: [Int]

    /// The maximum number of schemas on each side for pairwise comparison.
    private static let maximumCount = 16

    /// Matches schemas by component name, then by equivalence, then by title.
    ///
    /// - Parameter byShape: Whether to match the remaining inline schemas if they have the same type.
    init(
        _ old: [DescriptionNode], _ new: [DescriptionNode], _ equivalence: StructuralEquivalence, byShape: Bool = true
    ) {
        removed = Array(old.indices)
        added = Array(new.indices)
        match(by: { $0.reference.map { $0.split(separator: "/").last.map(String.init) ?? $0 } }, old, new)
        if removed.count <= Self.maximumCount, added.count <= Self.maximumCount {
            match { equivalence.areEquivalent(old[$0], new[$1]) }
        }
        match(by: { $0.reference == nil ? $0.value["title"]?.stringValue : nil }, old, new)
        guard byShape else { return }
        match(
            by: { node in
                guard node.reference == nil, let type = node.value["type"] else { return nil }
                return type.serialized()
            }, old, new)
        pairs.sort { $0.old < $1.old }
    }

    private mutating func match(
        by key: (DescriptionNode) -> String?, _ old: [DescriptionNode], _ new: [DescriptionNode]
    ) {
        var positions: [String: [Int]] = [:]
        for position in added.reversed() {
            if let key = key(new[position]) { positions[key, default: []].append(position) }
        }
        guard !positions.isEmpty else { return }
        var found: [(Int, Int)] = []
        for position in removed {
            if let key = key(old[position]), let other = positions[key]?.popLast() { found.append((position, other)) }
        }
        take(found)
    }

    private mutating func match(_ areSame: (Int, Int) -> Bool) {
        var found: [(Int, Int)] = []
        var taken: Set<Int> = []
        for position in removed {
            if let other = added.first(where: { !taken.contains($0) && areSame(position, $0) }) {
                taken.insert(other)
                found.append((position, other))
            }
        }
        take(found)
    }

    private mutating func take(_ found: [(Int, Int)]) {
        let olds = Set(found.map(\.0))
        let news = Set(found.map(\.1))
        pairs += found.map { (old: $0.0, new: $0.1) }
        removed.removeAll { olds.contains($0) }
        added.removeAll { news.contains($0) }
    }
}
