/// A change of types and formats, which determines the reported aspect.
struct SchemaTypeChange {
    private enum Relation {
        case same, wider, narrower, different
    }

    private let old: SchemaTypeSummary
    private let new: SchemaTypeSummary

    /// Creates a change.
    init(old: SchemaTypeSummary, new: SchemaTypeSummary) {
        self.old = old
        self.new = new
    }

    /// Returns the aspect of the change and its details.
    ///
    /// - Parameters:
    ///   - role: The part of a message that the schema describes.
    ///   - isText: Whether values are sent as strings, which makes `1` and `"1"` indistinguishable.
    func aspect(for role: SchemaRole, isText: Bool) -> (name: String, detail: String) {
        let fromTo = "from \(old.text) to \(new.text)"
        if old.unknown != new.unknown {
            // The new description only corrects an invalid type name, which clients do not notice.
            guard new.unknown.allSatisfy(old.unknown.contains) else { return ("type-changed", fromTo) }
            return (role.isRequest ? "type-generalized" : "type-specialized", ", \(fromTo)")
        }
        if let oldTypes = old.types, let newTypes = new.types, oldTypes != newTypes,
            oldTypes.names.count > 1 || newTypes.names.count > 1, isOfTypesAlone
        {
            // This compares names because the difference of `number` and `integer` has no name.
            let oldNames = oldTypes.names
            let newNames = newTypes.names
            let removed = oldNames.filter { !newNames.contains($0) }.joined(separator: ", ")
            let added = newNames.filter { !oldNames.contains($0) }.joined(separator: ", ")
            let isNarrowed =
                role.isRequest ? !newTypes.isSuperset(of: oldTypes) : newTypes.isSubset(of: oldTypes)
            return isNarrowed ? ("list-of-types-narrowed", ": \(removed)") : ("list-of-types-widened", ": \(added)")
        }
        switch relation {
        case .wider, .same: return ("type-generalized", ", \(fromTo)")
        case .narrower:
            if role.isRequest, role != .requestParameterProperty { return ("type-changed", fromTo) }
            return ("type-specialized", ", \(fromTo)")
        case .different:
            if isText, isSameText(forRequest: role.isRequest) {
                return role.isRequest && role.isParameter
                    ? ("type-generalized", ", \(fromTo)") : ("type-compatible", fromTo)
            }
            return ("type-changed", fromTo)
        }
    }

    /// Whether the format adds nothing to the types: it is unchanged, or changed in the same direction.
    private var isOfTypesAlone: Bool {
        let formats = formatRelation
        return formats == .same || formats == typeRelation && formats != .different
    }

    private var relation: Relation {
        let types = typeRelation
        let formats = formatRelation
        switch (types, formats) {
        case (.same, let other), (let other, .same): return other
        case (.wider, .wider): return .wider
        case (.narrower, .narrower): return .narrower
        default: return .different
        }
    }

    private var typeRelation: Relation {
        guard old.types != new.types else { return .same }
        guard let oldTypes = old.types else { return .narrower }
        guard let newTypes = new.types else { return .wider }
        if newTypes.isSuperset(of: oldTypes) { return .wider }
        return newTypes.isSubset(of: oldTypes) ? .narrower : .different
    }

    private var formatRelation: Relation {
        guard old.format != new.format else { return .same }
        guard let oldFormat = old.format else { return .narrower }
        guard let newFormat = new.format else { return .wider }
        if Self.contained.contains([oldFormat, newFormat]) { return .wider }
        return Self.contained.contains([newFormat, oldFormat]) ? .narrower : .different
    }

    /// Pairs of formats in which the second contains the first.
    private static let contained: Set<[String]> = [
        ["int32", "int64"], ["float", "double"], ["email", "idn-email"], ["hostname", "idn-hostname"], ["uri", "iri"],
        ["uri", "uri-reference"], ["iri", "iri-reference"], ["uri-reference", "iri-reference"],
    ]

    /// Returns whether the string of every value of one side is valid on the other.
    private func isSameText(forRequest isRequest: Bool) -> Bool {
        let (from, to) = isRequest ? (old, new) : (new, old)
        guard let scalar = from.types, scalar.isScalar, !scalar.isEmpty else { return false }
        return to.types == .string && to.format == nil
    }
}
