import Basics
import RegularExpressions
import Testing

@Suite struct ErrorTests {
    struct Sample: Sendable {
        var pattern: String
        var dialect: RegularExpression.Dialect
        var message: String
        var offset: Int
        var length: Int

        init(
            _ pattern: String, _ dialect: RegularExpression.Dialect, _ message: String, _ offset: Int, _ length: Int
        ) {
            self.pattern = pattern
            self.dialect = dialect
            self.message = message
            self.offset = offset
            self.length = length
        }
    }

    static let tooLarge =
        "the pattern is too large when its repetitions are expanded; use smaller counts in braces"

    @Test(arguments: [
        Sample("(a)\\1", .re2, "RE2 does not support backreferences", 3, 2),
        Sample("a(?=b)", .re2, "RE2 does not support lookahead", 1, 3),
        Sample("a(?!b)", .re2, "RE2 does not support lookahead", 1, 3),
        Sample("é(?<!b)", .re2, "RE2 does not support lookbehind", 1, 4),
        Sample("(?>a)", .re2, "RE2 does not support atomic groups; write (?:…)", 0, 3),
        Sample("(?P<n>a)(?P=n)", .re2, "RE2 does not support (?P=…) or other backreferences", 8, 4),
        Sample("(?P>n)", .re2, "RE2 does not support recursion", 0, 3),
        Sample("(?(1)a)", .re2, "RE2 does not support conditional groups", 0, 3),
        Sample("(?#a)", .re2, "RE2 does not support comments", 0, 3),
        Sample("(?>a)", .ecmaScript, "ECMA-262 does not support atomic groups; write (?:…)", 0, 3),
        Sample("(?P<n>a)", .ecmaScript, "in ECMA-262, a named group must start with (?<", 0, 4),
        Sample("(?<n>a)(?P=n)", .ecmaScript, "ECMA-262 does not support (?P=…); write \\k<name>", 7, 4),
        Sample("é\\1", .ecmaScript, "unknown group 1; the pattern has no groups", 1, 2),
        Sample("(a)(b)\\3", .ecmaScript, "unknown group 3; the pattern has 2 groups", 6, 2),
        Sample("(?<n>a)\\k<m>", .ecmaScript, "unknown group \"m\"", 7, 5),
        Sample("a\\k", .ecmaScript, "write a named backreference as \\k<name>", 1, 2),
        Sample("(?<n>a)\\k<n", .ecmaScript, "write a named backreference as \\k<name>", 7, 4),
        Sample("(a)[\\1]", .ecmaScript, "a backreference is not allowed in a character class", 4, 2),
        Sample("(?=a)*", .ecmaScript, "the quantifier has nothing to repeat", 5, 1),
        Sample("(?<=a", .ecmaScript, "unterminated group: expected \")\"", 0, 1),
        Sample("(?<n>a)(?<n>b)", .ecmaScript, "duplicate group name \"n\"", 10, 1),
        Sample(
            "(?<1>a)", .ecmaScript,
            "a group name must consist of letters, digits and _, and must not start with a digit", 3, 1),
        Sample("(?i)a", .ecmaScript, "unknown group type \"(?i)\"", 0, 4),
        Sample("(?y:a)", .re2, "unknown group type \"(?y\"", 0, 3),
        Sample("ab(c", .ecmaScript, "unterminated group: expected \")\"", 2, 1),
        Sample("ab)c", .ecmaScript, "unmatched \")\"", 2, 1),
        Sample("x[ab", .ecmaScript, "unterminated character class: expected \"]\"", 1, 1),
        Sample("x[", .ecmaScript, "unterminated character class: expected \"]\"", 1, 1),
        Sample("[b-a]", .ecmaScript, "the start of a range must not exceed its end", 1, 3),
        Sample("[\\w-z]", .ecmaScript, "a character class cannot be an end of a range; write \\- for a hyphen", 1, 2),
        Sample("[a-\\d]", .re2, "a character class cannot be an end of a range; write \\- for a hyphen", 1, 4),
        Sample("[[:foo:]]", .re2, "unknown character class \"[:foo:]\"", 1, 7),
        Sample("a**", .ecmaScript, "the quantifier has nothing to repeat", 2, 1),
        Sample("*a", .re2, "the quantifier has nothing to repeat", 0, 1),
        Sample("^*", .ecmaScript, "the quantifier has nothing to repeat", 1, 1),
        Sample("(?i)*", .re2, "the quantifier has nothing to repeat", 4, 1),
        Sample("a{2}{3}", .re2, "the quantifier has nothing to repeat", 4, 3),
        Sample("a{2,1}", .ecmaScript, "the minimum count of a quantifier must not exceed its maximum", 1, 5),
        Sample("a{1001}", .re2, "a repetition count must be at most 1000", 1, 6),
        Sample("a{", .ecmaScript, "escape a { that does not start a quantifier: \\{", 1, 1),
        Sample("a}", .ecmaScript, "escape a literal }: \\}", 1, 1),
        Sample("]", .iRegexp, "escape a literal ]: \\]", 0, 1),
        Sample("\\a", .ecmaScript, "\\a is not an escape sequence in ECMA-262", 0, 2),
        Sample("\\Z", .ecmaScript, "\\Z is not an escape sequence in ECMA-262", 0, 2),
        Sample("a\\-", .ecmaScript, "\\- is not an escape sequence in ECMA-262; write - without the backslash", 1, 2),
        Sample("a\\", .ecmaScript, "expected a character after the backslash", 1, 1),
        Sample("\\u12", .ecmaScript, "the escape sequence must have 4 hexadecimal digits", 0, 4),
        Sample("\\u{110000}", .ecmaScript, "a code point must be at most 10FFFF", 0, 9),
        Sample("\\01", .ecmaScript, "octal escapes are not supported; write \\xHH", 0, 3),
        Sample("\\c1", .ecmaScript, "expected a letter from A to Z after \\c", 0, 2),
        Sample("\\p{Foo}", .ecmaScript, "unknown Unicode property \"Foo\"", 0, 7),
        Sample("\\p{letter}", .ecmaScript, "unknown Unicode property \"letter\"", 0, 10),
        Sample("\\p{Script=Foo}", .ecmaScript, "unknown Unicode property \"Script=Foo\"", 0, 14),
        Sample("\\p{L", .re2, "unterminated property name: expected \"}\"", 0, 4),
        Sample("\\C", .re2, "\\C is not supported because matching never splits a character", 0, 2),
        Sample("\\d", .iRegexp, "I-Regexp does not support \\d; write a character class such as [0-9]", 0, 2),
        Sample("a+?", .iRegexp, "I-Regexp does not support lazy quantifiers", 2, 1),
        Sample("(?:a)", .iRegexp, "I-Regexp does not support groups that start with (?", 0, 2),
        Sample("\\1", .iRegexp, "I-Regexp does not support backreferences", 0, 2),
        Sample("\\bx", .iRegexp, "I-Regexp does not support word boundaries", 0, 2),
        Sample("[a-c-e]", .iRegexp, "escape a - in a character class: \\-", 4, 1),
        Sample("[--a]", .iRegexp, "escape a - in a character class: \\-", 2, 1),
        Sample("[+--]", .iRegexp, "escape a - in a character class: \\-", 3, 1),
        Sample("[]", .iRegexp, "a character class must have at least one member", 0, 2),
        Sample(
            "\\p{Greek}", .iRegexp, "unknown property \"Greek\"; I-Regexp supports only general categories such as Lu",
            0, 9),
        Sample("(a{1000}){1000}", .ecmaScript, tooLarge, 0, 15),
        Sample("(a{1000}){1000}", .re2, tooLarge, 0, 15),
        Sample("(a{1000}){1000}", .iRegexp, tooLarge, 0, 15),
        Sample("((?:){9999}){9999}", .ecmaScript, tooLarge, 0, 18),
        Sample("a{99999999999999999999}", .ecmaScript, tooLarge, 0, 23),
        Sample("(?=a)((ab){1000}){1000}", .ecmaScript, tooLarge, 0, 23),
        Sample("(?=a)((?:){9999}){9999}", .ecmaScript, tooLarge, 0, 23),
    ])
    func isLocated(_ sample: Sample) throws {
        let error = #expect(throws: RegularExpressionError.self) {
            try RegularExpression(sample.pattern, dialect: sample.dialect)
        }
        #expect(
            error
                == RegularExpressionError(
                    message: MessageText(sample.message), offset: sample.offset, length: sample.length,
                    isTooLarge: sample.message == Self.tooLarge),
            "\(sample.pattern)")
    }

    @Test(arguments: RegularExpression.Dialect.allCases)
    func boundsTheDepthOfGroups(_ dialect: RegularExpression.Dialect) throws {
        for pattern in [
            String(repeating: "(", count: 100_000),
            String(repeating: "(", count: 300) + "a" + String(repeating: ")", count: 300),
        ] {
            let error = #expect(throws: RegularExpressionError.self) {
                try RegularExpression(pattern, dialect: dialect)
            }
            #expect(error?.message == "groups exceed the maximum depth of 250 levels")
        }
        let deepest = String(repeating: "(", count: 250) + "a" + String(repeating: ")*", count: 250)
        #expect(try RegularExpression(deepest, dialect: dialect).matches("a"))
        if dialect != .ecmaScript { return }
        for opening in ["(?=", "(?<!"] {
            #expect(throws: RegularExpressionError.self) {
                try RegularExpression(String(repeating: opening, count: 100_000), dialect: dialect)
            }
            let nested = String(repeating: opening, count: 250) + "b" + String(repeating: ")", count: 250) + "a"
            #expect(try !RegularExpression(nested, dialect: dialect).matches("ba") || opening == "(?<!")
        }
    }

    @Test func boundsTheNumberOfGroups() throws {
        let pattern = String(repeating: "(a)", count: 1000)
        #expect(try RegularExpression(pattern, dialect: .re2).groupCount == 1000)
        let error = #expect(throws: RegularExpressionError.self) {
            try RegularExpression(pattern + "(a)", dialect: .re2)
        }
        #expect(
            error
                == RegularExpressionError(
                    message: "the pattern exceeds the maximum of 1000 groups", offset: 3000, length: 1))
        #expect(throws: RegularExpressionError.self) {
            try RegularExpression("(?:\(pattern)){90}", dialect: .re2)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func compilesDeepAndLongPatternsInTime() throws {
        let pattern =
            String(repeating: "(", count: 250) + String(repeating: "a", count: 50_000)
            + String(repeating: ")*", count: 250)
        #expect(try RegularExpression(pattern, dialect: .ecmaScript).matchesWhole(""))
    }
}
