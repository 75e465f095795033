extension PatternParser {
    /// One member of a class: a scalar that may start a range, or a set.
    private enum ClassItem {
        case scalar(UInt32)
        case set(ScalarSet)
    }

    /// Reads a class from its `[` to its `]`.
    mutating func characterClass() throws(RegularExpressionError) -> ScalarSet {
        let start = position
        position += 1
        let isNegated = consume("^")
        var ranges: [ClosedRange<UInt32>] = []
        var sets = ScalarSet()
        let first = position
        while true {
            guard let scalar = next else { throw error("this class is not closed", from: start, length: 1) }
            // In RE2 a ] that comes first stands for itself.
            if scalar == 0x5D, dialect != .re2 || position > first { break }
            let itemStart = position
            if scalar == 0x2D, dialect == .iRegexp, position > first, peek(1) != 0x5D {
                throw error("a - inside a class is written \\-", from: itemStart, length: 1)
            }
            switch try classItem() {
            case .set(let set):
                sets.formUnion(set)
                if isNext("-"), let after = peek(1), after != "]", dialect == .ecmaScript {
                    throw error("a class cannot be an end of a range; write \\- for a hyphen", from: itemStart)
                }
            case .scalar(let low):
                // In I-Regexp a - that stands for itself is no end of a range.
                let mayStartRange = dialect != .iRegexp || scalar != "-"
                guard mayStartRange, isNext("-"), let after = peek(1), after != "]" else {
                    ranges.append(low...low)
                    continue
                }
                position += 1
                if dialect == .iRegexp, isNext("-") {
                    throw error("a - inside a class is written \\-", from: position, length: 1)
                }
                guard case .scalar(let high) = try classItem() else {
                    throw error("a class cannot be an end of a range; write \\- for a hyphen", from: itemStart)
                }
                guard low <= high else { throw error("the ends of this range are out of order", from: itemStart) }
                ranges.append(low...high)
            }
        }
        position += 1
        if dialect == .iRegexp, ranges.isEmpty, sets.isEmpty {
            throw error("a class needs at least one member", from: start)
        }
        var result = resolved(ScalarSet(ranges), isNegated: false).union(sets)
        if dialect == .ecmaScript, flags.contains(.caseInsensitive) { result = CaseFolding.closure(of: result) }
        return isNegated ? result.complement : result
    }

    private mutating func classItem() throws(RegularExpressionError) -> ClassItem {
        let start = position
        guard let scalar = next else { throw error("this class is not closed", from: start, length: 0) }
        if scalar == 0x5C {
            if let set = try classEscape() { return .set(set) }
            return .scalar(try characterEscape(inClass: true))
        }
        if scalar == 0x5B {
            if dialect == .re2, peek(1) == 0x3A, let set = try posixClass() { return .set(set) }
            if dialect == .iRegexp { throw error("a [ inside a class is written \\[", from: start, length: 1) }
        }
        position += 1
        return .scalar(scalar)
    }

    /// Reads `[:alpha:]` or `[:^alpha:]`; `nil` when no `:]` follows, as then the `[` stands for itself.
    private mutating func posixClass() throws(RegularExpressionError) -> ScalarSet? {
        let start = position
        var end = position + 2
        while end + 1 < scalars.count, scalars[end] != "]", !(scalars[end] == 0x3A && scalars[end + 1] == 0x5D) {
            end += 1
        }
        guard end + 1 < scalars.count, scalars[end] == 0x3A else { return nil }
        let isNegated = scalars[start + 2] == 0x5E
        let name = text(start + (isNegated ? 3 : 2)..<max(end, start + (isNegated ? 3 : 2)))
        position = end + 2
        guard let set = CommonClasses.posix(name) else {
            throw error("there is no class [:\(name):]", from: start)
        }
        return resolved(set, isNegated: isNegated)
    }
}
