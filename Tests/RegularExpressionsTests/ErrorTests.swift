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
        "the pattern is too large once its repetitions are written out; use smaller counts in braces"

    @Test(arguments: [
        Sample("(a)\\1", .re2, "RE2 has no back-references", 3, 2),
        Sample("a(?=b)", .re2, "RE2 has no lookahead", 1, 3),
        Sample("a(?!b)", .re2, "RE2 has no lookahead", 1, 3),
        Sample("é(?<!b)", .re2, "RE2 has no lookbehind", 1, 4),
        Sample("(?>a)", .re2, "RE2 has no atomic groups; write (?:…)", 0, 3),
        Sample("(?P<n>a)(?P=n)", .re2, "RE2 has no (?P=…) and no other back-references", 8, 4),
        Sample("(?P>n)", .re2, "RE2 has no recursion", 0, 3),
        Sample("(?(1)a)", .re2, "RE2 has no conditional groups", 0, 3),
        Sample("(?#a)", .re2, "RE2 has no comments", 0, 3),
        Sample("(?>a)", .ecmaScript, "ECMA-262 has no atomic groups; write (?:…)", 0, 3),
        Sample("(?P<n>a)", .ecmaScript, "in ECMA-262 a named group starts with (?<", 0, 4),
        Sample("(?<n>a)(?P=n)", .ecmaScript, "ECMA-262 has no (?P=…); write \\k<name>", 7, 4),
        Sample("é\\1", .ecmaScript, "there is no group 1; the pattern has no groups", 1, 2),
        Sample("(a)(b)\\3", .ecmaScript, "there is no group 3; the pattern has 2 groups", 6, 2),
        Sample("(?<n>a)\\k<m>", .ecmaScript, "there is no group named m", 7, 5),
        Sample("a\\k", .ecmaScript, "a back-reference by name is written \\k<name>", 1, 2),
        Sample("(?<n>a)\\k<n", .ecmaScript, "a back-reference by name is written \\k<name>", 7, 4),
        Sample("(a)[\\1]", .ecmaScript, "a back-reference cannot stand inside a class", 4, 2),
        Sample("(?=a)*", .ecmaScript, "there is nothing to repeat before this quantifier", 5, 1),
        Sample("(?<=a", .ecmaScript, "this group is not closed", 0, 1),
        Sample("(?<n>a)(?<n>b)", .ecmaScript, "there are two groups named n", 10, 1),
        Sample(
            "(?<1>a)", .ecmaScript, "a group's name consists of letters, digits and _, and starts with no digit", 3, 1),
        Sample("(?i)a", .ecmaScript, "(?i) starts no kind of group", 0, 4),
        Sample("(?y:a)", .re2, "(?y starts no kind of group", 0, 3),
        Sample("ab(c", .ecmaScript, "this group is not closed", 2, 1),
        Sample("ab)c", .ecmaScript, "there is no ( for this )", 2, 1),
        Sample("x[ab", .ecmaScript, "this class is not closed", 1, 1),
        Sample("x[", .ecmaScript, "this class is not closed", 1, 1),
        Sample("[b-a]", .ecmaScript, "the ends of this range are out of order", 1, 3),
        Sample("[\\w-z]", .ecmaScript, "a class cannot be an end of a range; write \\- for a hyphen", 1, 2),
        Sample("[a-\\d]", .re2, "a class cannot be an end of a range; write \\- for a hyphen", 1, 4),
        Sample("[[:foo:]]", .re2, "there is no class [:foo:]", 1, 7),
        Sample("a**", .ecmaScript, "there is nothing to repeat before this quantifier", 2, 1),
        Sample("*a", .re2, "there is nothing to repeat before this quantifier", 0, 1),
        Sample("^*", .ecmaScript, "there is nothing to repeat before this quantifier", 1, 1),
        Sample("(?i)*", .re2, "there is nothing to repeat before this quantifier", 4, 1),
        Sample("a{2}{3}", .re2, "there is nothing to repeat before this quantifier", 4, 3),
        Sample("a{2,1}", .ecmaScript, "the counts of this quantifier are out of order", 1, 5),
        Sample("a{1001}", .re2, "a repetition count is at most 1000", 1, 6),
        Sample("a{", .ecmaScript, "a { that starts no quantifier is written \\{", 1, 1),
        Sample("a}", .ecmaScript, "a } on its own is written \\}", 1, 1),
        Sample("]", .iRegexp, "a ] on its own is written \\]", 0, 1),
        Sample("\\a", .ecmaScript, "\\a is no escape of ECMA-262", 0, 2),
        Sample("\\Z", .ecmaScript, "\\Z is no escape of ECMA-262", 0, 2),
        Sample("a\\-", .ecmaScript, "\\- is no escape of ECMA-262; write - without the backslash", 1, 2),
        Sample("a\\", .ecmaScript, "nothing follows the backslash", 1, 1),
        Sample("\\u12", .ecmaScript, "this escape needs 4 hexadecimal digits", 0, 4),
        Sample("\\u{110000}", .ecmaScript, "a code point is at most 10FFFF", 0, 9),
        Sample("\\01", .ecmaScript, "octal escapes are not part of the syntax; write \\xHH", 0, 3),
        Sample("\\c1", .ecmaScript, "\\c needs a letter from A to Z", 0, 2),
        Sample("\\p{Foo}", .ecmaScript, "there is no Unicode property Foo", 0, 7),
        Sample("\\p{letter}", .ecmaScript, "there is no Unicode property letter", 0, 10),
        Sample("\\p{Script=Foo}", .ecmaScript, "there is no Unicode property Script=Foo", 0, 14),
        Sample("\\p{L", .re2, "the name of this property is not closed by }", 0, 4),
        Sample("\\C", .re2, "\\C is not supported: matching never splits a character", 0, 2),
        Sample("\\d", .iRegexp, "I-Regexp has no \\d; write a class such as [0-9]", 0, 2),
        Sample("a+?", .iRegexp, "I-Regexp has no lazy quantifiers", 2, 1),
        Sample("(?:a)", .iRegexp, "I-Regexp has no groups that start with (?", 0, 2),
        Sample("\\1", .iRegexp, "I-Regexp has no back-references", 0, 2),
        Sample("\\bx", .iRegexp, "I-Regexp has no word boundaries", 0, 2),
        Sample("[a-c-e]", .iRegexp, "a - inside a class is written \\-", 4, 1),
        Sample("[--a]", .iRegexp, "a - inside a class is written \\-", 2, 1),
        Sample("[+--]", .iRegexp, "a - inside a class is written \\-", 3, 1),
        Sample("[]", .iRegexp, "a class needs at least one member", 0, 2),
        Sample(
            "\\p{Greek}", .iRegexp, "I-Regexp has no property Greek, only general categories such as Lu", 0, 9),
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
                    message: sample.message, offset: sample.offset, length: sample.length,
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
            #expect(error?.message == "groups nest at most 250 deep")
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
        #expect(error == RegularExpressionError(message: "a pattern has at most 1000 groups", offset: 3000, length: 1))
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
