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

    private func refuseUnsupportedGroup(_ start: Int) throws(RegularExpressionError) {
        let linear = "matching is linear-time"
        switch next.flatMap(Unicode.Scalar.init) {
        case "=", "!":
            throw error("lookahead is not supported: \(linear)", from: start, length: 3)
        case "<" where peek(1) == 0x3D || peek(1) == 0x21:
            throw error("lookbehind is not supported: \(linear)", from: start, length: 4)
        case ">":
            throw error("atomic groups are not supported: \(linear)", from: start, length: 3)
        case "P" where peek(1) == 0x3D:
            throw error("back-references are not supported: \(linear)", from: start, length: 4)
        case "P" where peek(1) == 0x3E, "R", "&":
            throw error("recursion is not supported: \(linear)", from: start, length: 3)
        case "(":
            throw error("conditional groups are not supported: \(linear)", from: start, length: 3)
        case "#":
            throw error("comments are not supported", from: start, length: 3)
        default:
            return
        }
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
