extension ImportedMatcher {
    /// Returns the matcher that holds exactly if two do, in the shortest notation.
    package func and(_ other: ImportedMatcher) -> ImportedMatcher {
        var result = self
        for clause in other.clauses {
            guard clause.operator == .each, let index = result.clauses.firstIndex(where: { $0.operator == .each })
            else {
                result.clauses.append(clause)
                continue
            }
            result.clauses[index].operand = Self.conjunction(result.clauses[index].operand, clause.operand)
        }
        return result
    }

    /// Returns the operand that holds exactly if two operands of `each` do.
    private static func conjunction(_ left: ImportedValue, _ right: ImportedValue) -> ImportedValue {
        if left == right { return left }
        if let merged = mergedOperators(left, right) { return merged }
        if case .mapping(let members) = left, members.count == 1, members[0].key.literal == Operator.all.rawValue,
            case .sequence(let operands) = members[0].value
        {
            return .map([(Operator.all.rawValue, .sequence(operands + [right]))])
        }
        return .map([(Operator.all.rawValue, .sequence([left, right]))])
    }

    /// Returns one mapping of the operators of two; nil if they have the same operator with different operands.
    private static func mergedOperators(_ left: ImportedValue, _ right: ImportedValue) -> ImportedValue? {
        guard !selects(left), !selects(right) else { return nil }
        return merged(left, right) { key, left, right in
            switch key {
            case Operator.like.rawValue: mergedParts(left, right)
            case Operator.each.rawValue: conjunction(left, right)
            default: left == right ? left : nil
            }
        }
    }

    /// Returns whether operators apply to a part or a conversion of the value, which would affect those beside them.
    private static func selects(_ operators: ImportedValue) -> Bool {
        guard case .mapping(let members) = operators else { return false }
        return members.contains { [Operator.regex.rawValue, Operator.as.rawValue].contains($0.key.literal) }
    }

    /// Returns one operand of `like` for two; nil if they require different values at the same place.
    private static func mergedParts(_ left: ImportedValue, _ right: ImportedValue) -> ImportedValue? {
        if left == right { return left }
        switch (nested(left), nested(right)) {
        case (let left?, let right?): return mergedOperators(left, right).map { .map([(matchKey, $0)]) }
        case (nil, nil): return merged(left, right) { mergedParts($1, $2) }
        default: return nil
        }
    }

    /// Returns the members of two mappings; nil if either has another form, or if the values of a key cannot be merged.
    private static func merged(
        _ left: ImportedValue, _ right: ImportedValue,
        _ merge: (_ key: String?, _ left: ImportedValue, _ right: ImportedValue) -> ImportedValue?
    ) -> ImportedValue? {
        guard case .mapping(var members) = left, case .mapping(let others) = right else { return nil }
        for other in others {
            guard let index = members.firstIndex(where: { $0.key == other.key }) else {
                members.append(other)
                continue
            }
            guard let value = merge(other.key.literal, members[index].value, other.value) else { return nil }
            members[index].value = value
        }
        return .mapping(members)
    }

    // MARK: Parts of objects

    /// The key of a matcher within an operand of `like`.
    private static let matchKey = "$match"

    /// Returns the matcher within an operand of `like`; nil for another value.
    private static func nested(_ value: ImportedValue) -> ImportedValue? {
        guard case .mapping(let members) = value, members.count == 1, members[0].key.literal == matchKey else {
            return nil
        }
        return members[0].value
    }

    /// The matcher as a part of an operand of `like`.
    private var part: ImportedValue {
        switch value {
        case .plain("null"), .sequence, .mapping: .map([(Self.matchKey, value)])
        case .text, .plain: value
        }
    }

    /// Returns the matcher of an object with a member, at a path of names, that this matcher holds for.
    func ofMember(at names: [String]) -> ImportedMatcher? {
        if names.isEmpty { return self }
        if names.contains(Self.matchKey) { return nil }
        if let name = names.last, self == ImportedMatcher(.exists, true) {
            return ImportedMatcher(.contains, .literal(name)).ofMember(at: names.dropLast())
        }
        return ImportedMatcher(.like, names.reversed().reduce(part) { .map([($1, $0)]) })
    }
}
