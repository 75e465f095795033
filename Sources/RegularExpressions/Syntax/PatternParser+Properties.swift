extension PatternParser {
    /// Reads `\p{…}` or `\P{…}`, and in RE2 also `\pL`.
    mutating func propertyEscape() throws(RegularExpressionError) -> ScalarSet {
        let start = position
        var isNegated = peek(1) == 0x50
        position += 2
        guard consume("{") else {
            guard dialect == .re2, next != nil else {
                throw error("the name of a property in braces is missing", from: start)
            }
            position += 1
            return try property(text(position - 1..<position), isNegated: isNegated, start: start)
        }
        if dialect == .re2, consume("^") { isNegated.toggle() }
        let nameStart = position
        while let scalar = next, scalar != "}" { position += 1 }
        let name = text(nameStart..<position)
        guard consume("}") else { throw error("the name of this property is not closed by }", from: start) }
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
                throw error("I-Regexp has no property \(name), only general categories such as Lu", from: start)
            }
            throw error("there is no Unicode property \(name)", from: start)
        }
        return resolved(found, isNegated: isNegated)
    }

    /// ECMA-262, section 22.2.2.9 "UnicodeMatchProperty".
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
