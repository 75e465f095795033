import Basics

extension PatternParser {
    /// Parses a group, or standalone flags as in `(?i)`.
    mutating func group() throws(RegularExpressionError) -> (node: SyntaxNode, isQuantifiable: Bool) {
        let start = position
        position += 1
        let outerFlags = flags
        guard isNext("?") else {
            // I-Regexp only decides whether a text matches, so its groups need no captures.
            let number = dialect == .iRegexp ? nil : try addGroup(named: nil, openedAt: start)
            let body = try groupBody(openedAt: start)
            flags = outerFlags
            return (number.map { .capture(body, number: $0) } ?? body, true)
        }
        if dialect == .iRegexp {
            throw error("I-Regexp does not support groups that start with (?", from: start, length: 2)
        }
        position += 1
        if consume(":") {
            let body = try groupBody(openedAt: start)
            flags = outerFlags
            return (body, true)
        }
        if dialect == .ecmaScript, let isAfter = lookaroundDirection {
            return (try lookaround(isAfter: isAfter, openedAt: start), false)
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

    /// Whether lookbehind (`<=` or `<!`) or lookahead (`=` or `!`) follows; `nil` if neither does.
    private var lookaroundDirection: Bool? {
        if isNext("=") || isNext("!") { return false }
        return isNext("<") && (peek(1) == 0x3D || peek(1) == 0x21) ? true : nil
    }

    /// Parses lookahead or lookbehind from its `=` or `!`.
    private mutating func lookaround(
        isAfter: Bool, openedAt start: Int
    ) throws(RegularExpressionError) -> SyntaxNode {
        let outerFlags = flags
        let firstGroup = groupNames.count
        if isAfter { position += 1 }
        let isNegated = isNext("!")
        position += 1
        let body = try groupBody(openedAt: start)
        flags = outerFlags
        return .lookaround(body, isAfter: isAfter, isNegated: isNegated, groups: firstGroup..<groupNames.count)
    }

    private func refuseUnsupportedGroup(_ start: Int) throws(RegularExpressionError) {
        let syntax = dialect == .re2 ? "RE2" : "ECMA-262"
        switch next.flatMap(Unicode.Scalar.init) {
        case "=", "!":
            throw error("RE2 does not support lookahead", from: start, length: 3)
        case "<" where peek(1) == 0x3D || peek(1) == 0x21:
            throw error("RE2 does not support lookbehind", from: start, length: 4)
        case ">":
            throw error("\(syntax) does not support atomic groups; write (?:…)", from: start, length: 3)
        case "P" where peek(1) == 0x3D:
            throw error(
                "\(syntax) does not support (?P=…)"
                    + (dialect == .re2 ? " or other backreferences" : "; write \\k<name>"),
                from: start, length: 4)
        case "P" where peek(1) == 0x3C && dialect == .ecmaScript:
            throw error("in ECMA-262, a named group must start with (?<", from: start, length: 4)
        case "P" where peek(1) == 0x3E, "R", "&":
            throw error("\(syntax) does not support recursion", from: start, length: 3)
        case "(":
            throw error("\(syntax) does not support conditional groups", from: start, length: 3)
        case "#":
            throw error("\(syntax) does not support comments", from: start, length: 3)
        default:
            return
        }
    }

    /// Parses the group name of a backreference; the rules are those of a group's own name.
    mutating func referencedName(openedAt start: Int) throws(RegularExpressionError) -> String {
        var name = String.UnicodeScalarView()
        while let scalar = try nameScalar(isFirst: name.isEmpty) { name.append(scalar) }
        guard !name.isEmpty, consume(">") else {
            throw error("write a named backreference as \\k<name>", from: start)
        }
        return String(name)
    }

    /// Parses a group's name up to and including the `>`.
    private mutating func groupName(openedAt start: Int) throws(RegularExpressionError) -> String {
        let nameStart = position
        var scalars = String.UnicodeScalarView()
        while let scalar = try nameScalar(isFirst: scalars.isEmpty) { scalars.append(scalar) }
        if next != nil, !isNext(">") {
            throw error(
                "a group name must consist of letters, digits and _, and must not start with a digit", from: position,
                length: 1)
        }
        if position == nameStart { throw error("expected a group name", from: start) }
        let name = String(scalars)
        guard consume(">") else { throw error("unterminated group name: expected \">\"", from: start) }
        if isTaken(name) {
            throw error("duplicate group name \"\(name)\"", from: nameStart, length: position - 1 - nameStart)
        }
        return name
    }

    /// Parses a scalar of a name, in ECMA-262 also an escape such as `\u0061`; `nil` at the end of the name.
    private mutating func nameScalar(isFirst: Bool) throws(RegularExpressionError) -> Unicode.Scalar? {
        guard let scalar = next, scalar != ">" else { return nil }
        let start = position
        var value = scalar
        if dialect == .ecmaScript, scalar == 0x5C, peek(1) == 0x75 {
            position += 2
            value = try unicodeEscape(start: start)
            guard isNameScalar(value, isFirst: isFirst) else {
                throw error("this escape sequence is not allowed in a group name", from: start)
            }
            return Unicode.Scalar(value)
        }
        guard isNameScalar(value, isFirst: isFirst) else { return nil }
        position += 1
        return Unicode.Scalar(value)
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

    /// Parses and sets flags up to the `:` or `)` that ends them.
    private mutating func groupFlags(openedAt start: Int) throws(RegularExpressionError) {
        var isRemoving = false
        var count = 0
        var seen = RegularExpression.Options()
        while let scalar = next, scalar != ":", scalar != ")" {
            let flag: RegularExpression.Options
            switch Unicode.Scalar(scalar) {
            case "i": flag = .caseInsensitive
            case "m": flag = .multiline
            case "s": flag = .dotMatchesNewlines
            case "U" where dialect == .re2: flag = .ungreedy
            case "-" where !isRemoving:
                isRemoving = true
                // In ECMA-262, flags before or after it suffice.
                if dialect == .re2 { count = 0 }
                position += 1
                continue
            default:
                throw error(
                    "unknown group type \"\(text(start..<position + 1))\"", from: start, length: position + 1 - start)
            }
            if dialect == .ecmaScript, !seen.insert(flag).inserted {
                throw error("duplicate flag \"\(text(position..<position + 1))\"", from: position, length: 1)
            }
            if isRemoving { flags.remove(flag) } else { flags.insert(flag) }
            count += 1
            position += 1
        }
        guard let end = next else { throw error("unterminated group: expected \")\"", from: start, length: 1) }
        if count == 0 || (dialect == .ecmaScript && end == 0x29) {
            throw error(
                "unknown group type \"\(text(start..<position + 1))\"", from: start, length: position + 1 - start)
        }
    }
}
