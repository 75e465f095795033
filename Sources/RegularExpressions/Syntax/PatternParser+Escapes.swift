import Basics

extension PatternParser {
    /// Parses an escape outside of a class.
    mutating func escape() throws(RegularExpressionError) -> (node: SyntaxNode, isQuantifiable: Bool) {
        let start = position
        guard let letter = peek(1).flatMap(Unicode.Scalar.init) else {
            throw error("expected a character after the backslash", from: start, length: 1)
        }
        switch letter {
        case "b", "B":
            if dialect == .iRegexp { break }
            position += 2
            return (.assertion(wordAssertion(isNegated: letter == "B")), dialect == .re2)
        case "A" where dialect == .re2:
            position += 2
            return (.assertion(.textStart), true)
        case "z" where dialect == .re2:
            position += 2
            return (.assertion(.textEnd), true)
        case "1"..."9" where dialect == .ecmaScript, "k" where dialect == .ecmaScript:
            return (try backReference(letter), true)
        case "E" where dialect == .re2:
            // An end of quoted text without its start has no effect.
            position += 2
            return (.empty, false)
        default:
            break
        }
        if let set = try classEscape() {
            let isFolded = dialect == .ecmaScript && flags.contains(.caseInsensitive)
            return (.set(isFolded ? CaseFolding.closure(of: set) : set), true)
        }
        return (literal(try characterEscape(inClass: false)), true)
    }

    private func wordAssertion(isNegated: Bool) -> Assertion {
        if dialect == .ecmaScript, flags.contains(.caseInsensitive) {
            return isNegated ? .notFoldedWordBoundary : .foldedWordBoundary
        }
        return isNegated ? .notWordBoundary : .wordBoundary
    }

    /// Parses RE2's `\Q…\E`, if it follows: adds all but the last scalar, which a quantifier may follow, to the nodes.
    mutating func quotedText(into nodes: inout [SyntaxNode]) -> (node: SyntaxNode, isQuantifiable: Bool)? {
        guard dialect == .re2, isNext("\\"), peek(1) == 0x51 else { return nil }
        position += 2
        var last: SyntaxNode?
        while let scalar = next {
            if scalar == 0x5C, peek(1) == 0x45 {
                position += 2
                break
            }
            if let last { nodes.append(last) }
            last = literal(scalar)
            position += 1
        }
        return (last ?? .empty, last != nil)
    }

    /// Parses an escape for a set, such as `\d` or `\p{L}`, if one follows.
    mutating func classEscape() throws(RegularExpressionError) -> ScalarSet? {
        let letter = peek(1).flatMap(Unicode.Scalar.init)
        if letter == "p" || letter == "P" { return try propertyEscape() }
        if dialect == .iRegexp { return nil }
        let set: ScalarSet
        switch letter {
        case "d", "D": set = CommonClasses.digits
        case "w", "W":
            let isFolded = dialect == .ecmaScript && flags.contains(.caseInsensitive)
            set = isFolded ? CommonClasses.foldedWordCharacters : CommonClasses.wordCharacters
        case "s", "S": set = dialect == .ecmaScript ? CommonClasses.ecmaScriptSpace : CommonClasses.re2Space
        default: return nil
        }
        position += 2
        return resolved(set, isNegated: letter == "D" || letter == "W" || letter == "S")
    }

    /// Returns a set as a member of a class: RE2 folds its case before negation, ECMA-262 folds the whole class.
    func resolved(_ set: ScalarSet, isNegated: Bool) -> ScalarSet {
        let isFolded = dialect != .ecmaScript && flags.contains(.caseInsensitive)
        let set = isFolded ? CaseFolding.closure(of: set) : set
        return isNegated ? set.complement : set
    }

    /// Parses an escape for a single scalar.
    mutating func characterEscape(inClass: Bool) throws(RegularExpressionError) -> UInt32 {
        let start = position
        position += 1
        guard let scalar = next, let letter = Unicode.Scalar(scalar) else {
            throw error("expected a character after the backslash", from: start, length: 1)
        }
        position += 1
        switch dialect {
        case .ecmaScript: return try ecmaScriptEscape(letter, start: start, inClass: inClass)
        case .re2: return try re2Escape(letter, start: start)
        case .iRegexp: return try iRegexpEscape(letter, start: start)
        }
    }

    private mutating func ecmaScriptEscape(
        _ letter: Unicode.Scalar, start: Int, inClass: Bool
    ) throws(RegularExpressionError) -> UInt32 {
        switch letter {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "b" where inClass: return 0x08
        case "-" where inClass: return 0x2D
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return letter.value
        case "c":
            guard let control = next, isLetter(control) else {
                throw error("expected a letter from A to Z after \\c", from: start)
            }
            position += 1
            return control & 0x1F
        case "0":
            if let digit = next, CommonClasses.digits.contains(digit) {
                throw error("octal escapes are not supported; write \\xHH", from: start, length: 3)
            }
            return 0
        case "x":
            return try fixedHexadecimal(digits: 2, start: start)
        case "u":
            return try unicodeEscape(start: start)
        case "1"..."9", "k":
            throw error("a backreference is not allowed in a character class", from: start)
        default:
            throw unknownEscape(letter, start: start)
        }
    }

    /// Parses the rest of `\u`: `{…}`, four digits, or the two halves of a surrogate pair.
    mutating func unicodeEscape(start: Int) throws(RegularExpressionError) -> UInt32 {
        if isNext("{") { return try bracedHexadecimal(start: start) }
        let first = try fixedHexadecimal(digits: 4, start: start)
        guard (0xD800...0xDBFF).contains(first), isNext("\\"), peek(1) == 0x75 else { return first }
        let afterFirst = position
        position += 2
        if !isNext("{"), let second = try? fixedHexadecimal(digits: 4, start: start), (0xDC00...0xDFFF).contains(second)
        {
            return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
        }
        position = afterFirst
        return first
    }

    private mutating func re2Escape(
        _ letter: Unicode.Scalar, start: Int
    ) throws(RegularExpressionError) -> UInt32 {
        switch letter {
        case "a": return 0x07
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "x":
            return isNext("{") ? try bracedHexadecimal(start: start) : try fixedHexadecimal(digits: 2, start: start)
        case "0"..."9":
            var value = letter.value - 0x30
            let isOctal = letter == "0" || (letter <= "7" && (next.map { (0x30...0x37).contains($0) } ?? false))
            if !isOctal {
                throw error("RE2 does not support backreferences", from: start)
            }
            for _ in 0..<2 {
                guard let digit = next, (0x30...0x37).contains(digit) else { break }
                value = value * 8 + digit - 0x30
                position += 1
            }
            return value
        case "C":
            throw error("\\C is not supported because matching never splits a character", from: start)
        default:
            let isPunctuation = letter.isASCII && !isLetter(letter.value) && letter.value > 0x20 && letter.value < 0x7F
            if isPunctuation || letter == " " { return letter.value }
            throw unknownEscape(letter, start: start)
        }
    }

    private func iRegexpEscape(_ letter: Unicode.Scalar, start: Int) throws(RegularExpressionError) -> UInt32 {
        switch letter {
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return letter.value
        // Not in the grammar, but the only way to write a literal `$` where it is an anchor.
        case "$": return letter.value
        case "d", "D", "w", "W", "s", "S", "i", "I", "c", "C":
            throw error("I-Regexp does not support \\\(letter); write a character class such as [0-9]", from: start)
        case "b", "B":
            throw error("I-Regexp does not support word boundaries", from: start)
        case "0"..."9":
            throw error("I-Regexp does not support backreferences", from: start)
        default:
            throw unknownEscape(letter, start: start)
        }
    }

    private func unknownEscape(_ letter: Unicode.Scalar, start: Int) -> RegularExpressionError {
        let name =
            switch dialect {
            case .ecmaScript: "ECMA-262"
            case .re2: "RE2"
            case .iRegexp: "I-Regexp"
            }
        let hint = isLetter(letter.value) || CommonClasses.digits.contains(letter.value)
        return error(
            "\\\(letter) is not an escape sequence in \(name)"
                + (hint ? "" : "; write \(letter) without the backslash"), from: start
        )
    }

    // MARK: Numbers

    private mutating func fixedHexadecimal(digits: Int, start: Int) throws(RegularExpressionError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = next.flatMap(hexadecimalValue) else {
                throw error("the escape sequence must have \(digits) hexadecimal digits", from: start)
            }
            value = value << 4 | digit
            position += 1
        }
        return value
    }

    private mutating func bracedHexadecimal(start: Int) throws(RegularExpressionError) -> UInt32 {
        position += 1
        var value: UInt32 = 0
        let first = position
        while let digit = next.flatMap(hexadecimalValue) {
            value = value << 4 | digit
            position += 1
            if value > ScalarSet.maximum {
                throw error("a code point must be at most 10FFFF", from: start)
            }
        }
        if position == first || !consume("}") {
            throw error("the escape sequence must have hexadecimal digits in braces", from: start)
        }
        return value
    }

    private func hexadecimalValue(_ scalar: UInt32) -> UInt32? {
        switch scalar {
        case 0x30...0x39: scalar - 0x30
        case 0x41...0x46: scalar - 0x37
        case 0x61...0x66: scalar - 0x57
        default: nil
        }
    }

    private func isLetter(_ scalar: UInt32) -> Bool {
        (0x41...0x5A).contains(scalar) || (0x61...0x7A).contains(scalar)
    }
}
