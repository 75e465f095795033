extension PatternParser {
    /// Reads a group, or flags that stand alone as in `(?i)`.
    mutating func group() throws(RegularExpressionError) -> (node: SyntaxNode, isQuantifiable: Bool) {
        let start = position
        position += 1
        let outerFlags = flags
        guard isNext("?") else {
            // I-Regexp only answers yes or no, so its groups need not be kept.
            let number = dialect == .iRegexp ? nil : try addGroup(named: nil, openedAt: start)
            let body = try groupBody(openedAt: start)
            flags = outerFlags
            return (number.map { .capture(body, number: $0) } ?? body, true)
        }
        if dialect == .iRegexp {
            throw error("I-Regexp has no groups that start with (?", from: start, length: 2)
        }
        position += 1
        if consume(":") {
            let body = try groupBody(openedAt: start)
            flags = outerFlags
            return (body, true)
        }
        if dialect == .ecmaScript, let isBehind = lookaroundDirection {
            return (try lookaround(isBehind: isBehind, openedAt: start), false)
        }
        try refuseUnsupportedGroup(start)
        if isNext("<") || (dialect == .re2 && isNext("P") && peek(1) == 0x3C) {
            position += isNext("<") ? 1 : 2
            let name = try groupName(openedAt: start)
            let number = try addGroup(named: name, openedAt: start)
            let body = try groupBody(openedAt: start)
            flags = outerFlags
            return (.capture(body, number: number), true)
        }
        try groupFlags(openedAt: start)
        if consume(")") { return (.empty, false) }
        position += 1
        let body = try groupBody(openedAt: start)
        flags = outerFlags
        return (body, true)
    }

    /// Whether the next is `<=` or `<!` (true) or `=` or `!` (false); `nil` when no lookaround starts here.
    private var lookaroundDirection: Bool? {
        if isNext("=") || isNext("!") { return false }
        return isNext("<") && (peek(1) == 0x3D || peek(1) == 0x21) ? true : nil
    }

    /// Reads lookahead or lookbehind from its `=` or `!`.
    private mutating func lookaround(
        isBehind: Bool, openedAt start: Int
    ) throws(RegularExpressionError) -> SyntaxNode {
        let outerFlags = flags
        let firstGroup = groupNames.count
        if isBehind { position += 1 }
        let isNegated = isNext("!")
        position += 1
        let body = try groupBody(openedAt: start)
        flags = outerFlags
        return .lookaround(body, isBehind: isBehind, isNegated: isNegated, groups: firstGroup..<groupNames.count)
    }

    private func refuseUnsupportedGroup(_ start: Int) throws(RegularExpressionError) {
        let syntax = dialect == .re2 ? "RE2" : "ECMA-262"
        switch next.flatMap(Unicode.Scalar.init) {
        case "=", "!":
            throw error("RE2 has no lookahead", from: start, length: 3)
        case "<" where peek(1) == 0x3D || peek(1) == 0x21:
            throw error("RE2 has no lookbehind", from: start, length: 4)
        case ">":
            throw error("\(syntax) has no atomic groups; write (?:…)", from: start, length: 3)
        case "P" where peek(1) == 0x3D:
            throw error(
                "\(syntax) has no (?P=…)" + (dialect == .re2 ? " and no other back-references" : "; write \\k<name>"),
                from: start, length: 4)
        case "P" where peek(1) == 0x3C && dialect == .ecmaScript:
            throw error("in ECMA-262 a named group starts with (?<", from: start, length: 4)
        case "P" where peek(1) == 0x3E, "R", "&":
            throw error("\(syntax) has no recursion", from: start, length: 3)
        case "(":
            throw error("\(syntax) has no conditional groups", from: start, length: 3)
        case "#":
            throw error("\(syntax) has no comments", from: start, length: 3)
        default:
            return
        }
    }

    /// Reads a group's name in a back-reference; the name's rules are those of the group's own name.
    mutating func referencedName(openedAt start: Int) throws(RegularExpressionError) -> String {
        let nameStart = position
        while let scalar = next, scalar != ">", isNameScalar(scalar, isFirst: position == nameStart) { position += 1 }
        let name = text(nameStart..<position)
        guard !name.isEmpty, consume(">") else {
            throw error("a back-reference by name is written \\k<name>", from: start)
        }
        return name
    }

    /// Reads a group's name up to and with the `>`.
    private mutating func groupName(openedAt start: Int) throws(RegularExpressionError) -> String {
        let nameStart = position
        while let scalar = next, scalar != ">" {
            guard isNameScalar(scalar, isFirst: position == nameStart) else {
                throw error(
                    "a group's name consists of letters, digits and _, and starts with no digit", from: position,
                    length: 1)
            }
            position += 1
        }
        if position == nameStart { throw error("a group's name is missing", from: start) }
        let name = text(nameStart..<position)
        guard consume(">") else { throw error("this group's name is not closed by >", from: start) }
        if groupNames.contains(name) {
            throw error("there are two groups named \(name)", from: nameStart, length: position - 1 - nameStart)
        }
        return name
    }

    private func isNameScalar(_ scalar: UInt32, isFirst: Bool) -> Bool {
        if CommonClasses.wordCharacters.contains(scalar) {
            return !isFirst || dialect == .re2 || !CommonClasses.digits.contains(scalar)
        }
        guard scalar >= 0x80 || scalar == 0x24, let scalar = Unicode.Scalar(scalar) else { return false }
        if dialect == .ecmaScript {
            return scalar == "$" || (isFirst ? scalar.properties.isIDStart : scalar.properties.isIDContinue)
        }
        return scalar.properties.isIDContinue
    }

    /// Reads flags up to the `:` or `)` that ends them, and sets them.
    private mutating func groupFlags(openedAt start: Int) throws(RegularExpressionError) {
        var isRemoving = false
        var count = 0
        while let scalar = next, scalar != ":", scalar != ")" {
            let flag: RegularExpression.Options
            switch Unicode.Scalar(scalar) {
            case "i": flag = .caseInsensitive
            case "m": flag = .multiline
            case "s": flag = .dotMatchesNewlines
            case "U" where dialect == .re2: flag = .ungreedy
            case "-" where !isRemoving:
                isRemoving = true
                count = 0
                position += 1
                continue
            default:
                throw error(
                    "\(text(start..<position + 1)) starts no kind of group", from: start, length: position + 1 - start)
            }
            if isRemoving { flags.remove(flag) } else { flags.insert(flag) }
            count += 1
            position += 1
        }
        guard let end = next else { throw error("this group is not closed", from: start, length: 1) }
        if count == 0 || (dialect == .ecmaScript && end == 0x29) {
            throw error(
                "\(text(start..<position + 1)) starts no kind of group", from: start, length: position + 1 - start)
        }
    }
}
