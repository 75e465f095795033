import Basics

extension PatternParser {
    /// A member of a class: a scalar that may start a range, or a set.
    private enum ClassItem {
        case scalar(UInt32)
        case set(ScalarSet)
    }

    /// Parses a class from its `[` to its `]`.
    mutating func characterClass() throws(RegularExpressionError) -> ScalarSet {
        let start = position
        position += 1
        let isNegated = consume("^")
        var ranges: [ClosedRange<UInt32>] = []
        var sets = ScalarSet()
        let first = position
        while true {
            guard let scalar = next else {
                throw error("unterminated character class: expected \"]\"", from: start, length: 1)
            }
            // In RE2, a leading ] is a literal.
            if scalar == 0x5D, dialect != .re2 || position > first { break }
            let itemStart = position
            if scalar == 0x2D, dialect == .iRegexp, position > first, peek(1) != 0x5D {
                throw error("escape a - in a character class: \\-", from: itemStart, length: 1)
            }
            switch try classItem() {
            case .set(let set):
                sets.formUnion(set)
                if isNext("-"), let after = peek(1), after != "]", dialect == .ecmaScript {
                    throw error(
                        "a character class cannot be an end of a range; write \\- for a hyphen", from: itemStart)
                }
            case .scalar(let low):
                // In I-Regexp, a literal - cannot be the end of a range.
                let mayStartRange = dialect != .iRegexp || scalar != "-"
                guard mayStartRange, isNext("-"), let after = peek(1), after != "]" else {
                    ranges.append(low...low)
                    continue
                }
                position += 1
                if dialect == .iRegexp, isNext("-") {
                    throw error("escape a - in a character class: \\-", from: position, length: 1)
                }
                guard case .scalar(let high) = try classItem() else {
                    throw error(
                        "a character class cannot be an end of a range; write \\- for a hyphen", from: itemStart)
                }
                guard low <= high else { throw error("the start of a range must not exceed its end", from: itemStart) }
                ranges.append(low...high)
            }
        }
        position += 1
        if dialect == .iRegexp, ranges.isEmpty, sets.isEmpty {
            throw error("a character class must have at least one member", from: start)
        }
        var result = resolved(ScalarSet(ranges), isNegated: false).union(sets)
        if dialect == .ecmaScript, flags.contains(.caseInsensitive) { result = CaseFolding.closure(of: result) }
        return isNegated ? result.complement : result
    }

    private mutating func classItem() throws(RegularExpressionError) -> ClassItem {
        let start = position
        guard let scalar = next else {
            throw error("unterminated character class: expected \"]\"", from: start, length: 0)
        }
        if scalar == 0x5C {
            if let set = try classEscape() { return .set(set) }
            return .scalar(try characterEscape(inClass: true))
        }
        if scalar == 0x5B {
            if dialect == .re2, peek(1) == 0x3A, let set = try posixClass() { return .set(set) }
            if dialect == .iRegexp { throw error("escape a [ in a character class: \\[", from: start, length: 1) }
        }
        position += 1
        return .scalar(scalar)
    }

    /// Parses `[:alpha:]` or `[:^alpha:]`; `nil` if no `:]` follows, because the `[` is a literal then.
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
            throw error("unknown character class \"[:\(name):]\"", from: start)
        }
        return resolved(set, isNegated: isNegated)
    }
}

/// The predefined classes of the dialects.
enum CommonClasses {
    static let digits = ScalarSet([0x30...0x39])
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// The set of `\w` with ECMA-262's `u` and `i` flags, which includes the characters that fold to an ASCII letter.
    static let foldedWordCharacters = wordCharacters.union(ScalarSet([0x17F...0x17F, 0x212A...0x212A]))

    /// WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
    static let ecmaScriptSpace = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])

    static let re2Space = ScalarSet([0x09...0x0A, 0x0C...0x0D, 0x20...0x20])

    static let exceptNewline = ScalarSet(scalar: 0x0A).complement
    static let exceptLineTerminators = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).complement
    static let exceptNewlineAndReturn = ScalarSet([0x0A...0x0A, 0x0D...0x0D]).complement

    /// Returns a POSIX class such as `alpha`; `nil` if the name is unknown.
    static func posix(_ name: String) -> ScalarSet? {
        switch name {
        case "alnum": ScalarSet([0x30...0x39, 0x41...0x5A, 0x61...0x7A])
        case "alpha": ScalarSet([0x41...0x5A, 0x61...0x7A])
        case "ascii": ScalarSet([0x00...0x7F])
        case "blank": ScalarSet([0x09...0x09, 0x20...0x20])
        case "cntrl": ScalarSet([0x00...0x1F, 0x7F...0x7F])
        case "digit": digits
        case "graph": ScalarSet([0x21...0x7E])
        case "lower": ScalarSet([0x61...0x7A])
        case "print": ScalarSet([0x20...0x7E])
        case "punct": ScalarSet([0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E])
        case "space": ScalarSet([0x09...0x0D, 0x20...0x20])
        case "upper": ScalarSet([0x41...0x5A])
        case "word": wordCharacters
        case "xdigit": ScalarSet([0x30...0x39, 0x41...0x46, 0x61...0x66])
        default: nil
        }
    }
}

extension PatternParser {
    /// Parses `\p{…}` or `\P{…}`, and in RE2 also `\pL`.
    mutating func propertyEscape() throws(RegularExpressionError) -> ScalarSet {
        let start = position
        var isNegated = peek(1) == 0x50
        position += 2
        guard consume("{") else {
            guard dialect == .re2, next != nil else {
                throw error("expected a property name in braces", from: start)
            }
            position += 1
            return try property(text(position - 1..<position), isNegated: isNegated, start: start)
        }
        if dialect == .re2, consume("^") { isNegated.toggle() }
        let nameStart = position
        while let scalar = next, scalar != "}" { position += 1 }
        let name = text(nameStart..<position)
        guard consume("}") else { throw error("unterminated property name: expected \"}\"", from: start) }
        return try property(name, isNegated: isNegated, start: start)
    }

    private func property(
        _ name: String, isNegated: Bool, start: Int
    ) throws(RegularExpressionError) -> ScalarSet {
        let found: ScalarSet? =
            switch dialect {
            case .ecmaScript: ecmaScriptProperty(name)
            case .re2: re2Property(name)
            case .iRegexp: ["LC", "Cs"].contains(name) ? nil : GeneralCategories.set(abbreviation: name)
            }
        guard let found else {
            if dialect == .iRegexp {
                throw error(
                    "unknown property \"\(name)\"; I-Regexp supports only general categories such as Lu", from: start)
            }
            throw error("unknown Unicode property \"\(name)\"", from: start)
        }
        return resolved(found, isNegated: isNegated)
    }

    /// Returns the set of a property (ECMA-262, section 22.2.2.9 "UnicodeMatchProperty").
    private func ecmaScriptProperty(_ name: String) -> ScalarSet? {
        guard let equals = name.firstIndex(of: "=") else {
            return GeneralCategories.set(name: name) ?? BinaryProperties.set(name)
        }
        let value = String(name[name.index(after: equals)...])
        switch name[..<equals] {
        case "General_Category", "gc": return GeneralCategories.set(name: value)
        case "Script", "sc": return Scripts.set(value)
        case "Script_Extensions", "scx": return Scripts.extensions(value)
        default: return nil
        }
    }

    private func re2Property(_ name: String) -> ScalarSet? {
        if name == "Any" { return .all }
        return GeneralCategories.set(abbreviation: name) ?? Scripts.set(name)
    }
}
