import RegularExpressions
import Testing

/// Tests of lookaround and backreferences, which only ECMA-262 has.
@Suite struct BacktrackingTests {
    @Test(arguments: lookaround + backReferences + patternsOfPractice)
    func findsTheMatchAndItsGroups(_ sample: MatchCase) throws {
        let expression = try RegularExpression(sample.pattern, dialect: sample.dialect, options: sample.options)
        #expect(!expression.isLinear)
        #expect(try expression.matches(sample.text) == (sample.start != nil))
        let match = try expression.firstMatch(in: sample.text)
        #expect(match?.range.lowerBound == sample.start)
        guard let match else { return }
        #expect(match.groups.indices.map { match.text(ofGroup: $0).map(String.init) } == sample.groups)
        let isWhole = match.range == 0..<sample.text.utf8.count
        #expect(try !isWhole || expression.matchesWhole(sample.text))
    }

    static let lookaround: [MatchCase] = [
        .ecma("a(?=b)", "acab", at: 2, "a"),
        .ecma("a(?!b)", "abac", at: 2, "a"),
        .ecma("(?<=b)a", "aba", at: 2, "a"),
        .ecma("(?<!b)a", "baa", at: 2, "a"),
        .ecma("(?=(a+))", "baaabac", at: 1, "", "aaa"),
        .ecma("(?=(a+))a*b\\1", "baaabac", at: 3, "aba", "a"),
        .ecma("(.*?)a(?!(a+)b\\2c)\\2(.*)", "baaabaac", at: 0, "baaabaac", "ba", nil, "abaac"),
        .ecma("(?<=(\\d+)(\\d+))$", "1053", at: 4, "", "1", "053"),
        .ecma("(?<=\\1(\\w))d", "abbd", at: 3, "d", "b"),
        .ecma("(?<=^(\\w+))def", "abcdefdef", at: 3, "def", "abc"),
        .ecma("(?<=\\$)\\d+(\\.\\d*)?", "cost 7 or $10.50", at: 11, "10.50", ".50"),
        .ecma("(?<!\\$)\\b\\d+", "$10 20", at: 4, "20"),
        .ecma("(?<=é)x|(?<=😀)y", "😀xy😀y", at: 10, "y"),
        .ecma("(?<=[α-ω]{2})!", "aβ!γδ!", at: 8, "!"),
        .ecma("(?=.*\\d)(?=.*[a-z]).{4,}$", "ab1c", at: 0, "ab1c"),
        .ecma("^(?!.*\\.\\.)[a-z.]+$", "a..b", at: nil),
        .ecma("(?:(?=a)a|b)+c", "abac", at: 0, "abac"),
        .ecma("(?=a|(b))\\w", "b", at: 0, "b", "b"),
        .ecma("((?=(a))a|b)*", "ab", at: 0, "ab", "b", nil),
        .ecma("(?!(a))b|(a)", "a", at: 0, "a", nil, "a"),
        .ecma("(?<=a(?=b)b)c", "abc", at: 2, "c"),
        .ecma("(?=)", "x", at: 0, ""),
        .ecma("(?!)", "x", at: nil),
        .ecma("x(?<=x)", "xx", at: 0, "x"),
        .ecma("(?<=\\b)b", "ab b", at: 3, "b"),
        .ecma("(?=a{2,3}?b)a+", "aaaab", at: 1, "aaa"),
        .ecma("(?<=a*?)b", "aab", at: 2, "b"),
        .ecma("(?=[^]*z)a", "ab\nz", at: 0, "a"),
        .ecma("(?=K)k", options: .caseInsensitive, "\u{212A}", at: 0, "\u{212A}"),
        .ecma("^(?=b)b", options: .multiline, "a\nb", at: 2, "b"),
    ]

    static let backReferences: [MatchCase] = [
        .ecma("(a|b)\\1", "abb", at: 1, "bb", "b"),
        .ecma("(?<q>['\"]).*?\\k<q>", "x 'a\"' y", at: 2, "'a\"'", "'"),
        .ecma("\\k<n>(?<n>a)b", "ab", at: 0, "ab", "a"),
        .ecma("\\1(a)", "aa", at: 0, "a", "a"),
        .ecma("(?:(a)|b)\\1c", "bc", at: 0, "bc", nil),
        .ecma("(é+)-\\1$", "éé-éé", at: 0, "éé-éé", "éé"),
        .ecma("(a\\1)", "aa", at: 0, "a", "a"),
        .ecma("(z)((a+)?(b+)?(c))*(?=)", "zaacbbbcac", at: 0, "zaacbbbcac", "z", "ac", "a", nil, "c"),
        .ecma("(a*)*(?=)", "b", at: 0, "", nil),
        .ecma("(?:a*?)*?b\\b(?=)", "aab", at: 0, "aab"),
        .ecma("(\\w)\\1", options: .caseInsensitive, "xaAy", at: 1, "aA", "a"),
        .ecma("(σ)\\1", options: .caseInsensitive, "Σς", at: 0, "Σς", "Σ"),
        .ecma("(a)\\1", "a", at: nil),
        .ecma(
            "(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)\\10", "abcdefghijj", at: 0, "abcdefghijj", "a", "b", "c", "d", "e", "f",
            "g", "h", "i", "j"),
    ]

    /// Patterns from published JSON Schemas and OpenAPI documents.
    static let patternsOfPractice: [MatchCase] = [
        .ecma("^(?!-)[a-z0-9-]{1,63}(?<!-)$", "my-host", at: 0, "my-host"),
        .ecma("^(?!-)[a-z0-9-]{1,63}(?<!-)$", "my-host-", at: nil),
        .ecma("^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[^\\w\\s]).{8,}$", "Passw0rd!", at: 0, "Passw0rd!"),
        .ecma("^(?=.*[A-Z])(?=.*[a-z])(?=.*\\d)(?=.*[^\\w\\s]).{8,}$", "Password1", at: nil),
        .ecma("^((?!\\.\\.)[^\\\\])*$", "a/b.c/d", at: 0, "a/b.c/d", "d"),
        .ecma("^(?!\\s*$).+", "   ", at: nil),
        .ecma("^(?!(?:null|undefined)$)\\w+$", "nullable", at: 0, "nullable"),
        .ecma("^(\\d{3})(?:-(?!0{4})\\d{4})$", "123-0000", at: nil),
    ]

    @Test(arguments: [
        ("^(?=(a+)+$)", 100_000), ("(?=(x+x+)+y)x", 30), ("(a+)+\\1b", 100_000), ("(?:a|a)*(?=b)", 40),
        ("(?<=c(?:a|aa)+)!", 60), ("((a{1,100}){1,100}){1,5}(?=b)c", 3_000),
    ])
    func endsInAnErrorInsteadOfHanging(pattern: String, length: Int) throws {
        let text = String(repeating: pattern.contains("x") ? "x" : "a", count: length) + "!"
        let expression = try RegularExpression(pattern, dialect: .ecmaScript)
        var steps = 300_000
        let error = #expect(throws: RegularExpressionLimitError.self) { try expression.matches(text, steps: &steps) }
        #expect(
            error?.message
                == "the pattern took more than 300000 steps on this string; avoid lookaround, backreferences and nested repetitions,"
                + " or anchor it with ^"
        )
        #expect(throws: RegularExpressionLimitError.self) { try expression.firstMatch(in: text, steps: &steps) }
        #expect(throws: RegularExpressionLimitError.self) { try expression.matchesWhole(text, steps: &steps) }
    }

    /// The memory for backtracking is limited like the number of steps.
    @Test func boundsMemory() throws {
        let text = String(repeating: "ab", count: 1_200_000)
        let expression = try RegularExpression("^(?=(?:ab)*c)", dialect: .ecmaScript)
        #expect(throws: RegularExpressionLimitError.self) { try expression.matches(text) }
        // A run of one character class needs only one backtracking position.
        let run = try RegularExpression("^(?=[ab]*c)", dialect: .ecmaScript)
        #expect(try !run.matches(text))
    }

    @Test func usualPatternsTakeFewSteps() throws {
        let password = try RegularExpression("^(?=.*[A-Z])(?=.*\\d).{8,}$", dialect: .ecmaScript)
        var steps = 10_000
        #expect(try password.matches(String(repeating: "a", count: 10_000) + "B1", steps: &steps))
        #expect(steps > 0)
    }
}
