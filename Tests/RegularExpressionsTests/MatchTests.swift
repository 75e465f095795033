import RegularExpressions
import Testing

@Suite struct MatchTests {
    @Test(arguments: common + ecmaScript + re2 + iRegexp + unicode)
    func findsTheMatchAndItsGroups(_ sample: MatchCase) throws {
        let expression = try RegularExpression(sample.pattern, dialect: sample.dialect, options: sample.options)
        #expect(try expression.matches(sample.text) == (sample.start != nil))
        let match = try expression.firstMatch(in: sample.text)
        #expect(match?.range.lowerBound == sample.start)
        guard let match else { return }
        #expect(match.groups.indices.map { match.text(ofGroup: $0).map(String.init) } == sample.groups)
        #expect(match.text == match.text(ofGroup: 0))
        let isWhole = match.range == 0..<sample.text.utf8.count
        #expect(try !isWhole || expression.matchesWhole(sample.text))
    }

    static let common: [MatchCase] = [
        .ecma("", "abc", at: 0, ""),
        .ecma("a", "", at: nil),
        .ecma("abc", "xxabcabc", at: 2, "abc"),
        .ecma("aab", "aaab", at: 1, "aab"),
        .ecma("abab", "abaabab", at: 3, "abab"),
        .ecma("^abc", "xabc", at: nil),
        .ecma("^abc", "abcd", at: 0, "abc"),
        .ecma("abc$", "abcabc", at: 3, "abc"),
        .ecma("^abc$", "abc", at: 0, "abc"),
        .ecma("^abc$", "abcabc", at: nil),
        .ecma("^$", "", at: 0, ""),
        .ecma("^$", "a", at: nil),
        .ecma("^", "a", at: 0, ""),
        .ecma("$", "ab", at: 2, ""),
        .ecma("b(a+)", "xxbaab", at: 2, "baa", "aa"),
        .ecma("a|ab", "ab", at: 0, "a"),
        .ecma("(?:a|ab)(?:c|bcd)(d*)", "abcd", at: 0, "abcd", ""),
        .ecma("a+?", "aaa", at: 0, "a"),
        .ecma("(a*?)(a*)", "aa", at: 0, "aa", "", "aa"),
        .ecma("(a)|(b)", "b", at: 0, "b", nil, "b"),
        .ecma("x{0}y", "xy", at: 1, "y"),
        .ecma("a{2,3}", "aaaa", at: 0, "aaa"),
        .ecma("a{2,3}?", "aaaa", at: 0, "aa"),
        .ecma("a{2,}", "baaaa", at: 1, "aaaa"),
        .ecma("(a{2}){2}", "aaaaa", at: 0, "aaaa", "aa"),
        .ecma("[^b-y]+", "bbzab", at: 2, "za"),
        .ecma("[\\d.]+", "v1.22", at: 1, "1.22"),
        .ecma("[^\\W\\d]+", "12ab_", at: 2, "ab_"),
        .ecma("\\bfoo\\b", "xfoo foo", at: 5, "foo"),
        .ecma("\\Boo", "foo", at: 1, "oo"),
        .ecma("(?<year>\\d{4})-(?<month>\\d\\d)", "on 2024-05", at: 3, "2024-05", "2024", "05"),
        .ecma("(^a|b)c", "bc", at: 0, "bc", "b"),
        .ecma("a$|b", "ab", at: 1, "b"),
        .ecma("()", "x", at: 0, "", ""),
        .ecma("foo.*bar", "fo foo xx bar bar", at: 3, "foo xx bar bar"),
    ]

    static let ecmaScript: [MatchCase] = [
        .ecma("[]", "a", at: nil),
        .ecma("[^]", "\n", at: 0, "\n"),
        .ecma(".", "\n\r\u{2028}\u{2029}x", at: 8, "x"),
        .ecma(".", options: .dotMatchesNewlines, "\nx", at: 0, "\n"),
        .ecma("^b", options: .multiline, "a\nb", at: 2, "b"),
        .ecma("^b", options: .multiline, "a\u{2028}b", at: 4, "b"),
        .ecma("a$", options: .multiline, "a\rb", at: 0, "a"),
        .ecma("^b", "a\nb", at: nil),
        .ecma("\\s+", "x\u{FEFF}\u{A0}\u{2003}y", at: 1, "\u{FEFF}\u{A0}\u{2003}"),
        .ecma("\\x41\\u0042\\u{43}\\u{1F600}", "ABC😀", at: 0, "ABC😀"),
        .ecma("\\uD83D\\uDE00", "😀", at: 0, "😀"),
        .ecma("\\uD83D", "😀", at: nil),
        .ecma("\\cA\\0\\t\\v\\f", "\u{1}\u{0}\t\u{B}\u{C}", at: 0, "\u{1}\u{0}\t\u{B}\u{C}"),
        .ecma("[\\b]", "a\u{8}", at: 1, "\u{8}"),
        .ecma("\\/\\^\\$\\.\\*\\{\\}", "/^$.*{}", at: 0, "/^$.*{}"),
        .ecma("[a\\-z]+", "b-az", at: 1, "-az"),
        .ecma("[[a]+", "[a]", at: 0, "[a"),
        .ecma("(z)((a+)?(b+)?(c))*", "zaacbbbcac", at: 0, "zaacbbbcac", "z", "ac", "a", nil, "c"),
        .ecma("(?:a*)*?b", "aab", at: 0, "aab"),
        .ecma("(|a)*", "aa", at: 0, "aa", "a"),
        .ecma("(|a)+", "aa", at: 0, "aa", "a"),
        .ecma("(a*)*", "b", at: 0, "", nil),
        .ecma("(?i:a)b", "Ab AB", at: 0, "Ab"),
        .ecma("(?-i:a)b", options: .caseInsensitive, "AB aB", at: 3, "aB"),
        .ecma("\\w+", options: .caseInsensitive, "é\u{17F}\u{212A}k", at: 2, "\u{17F}\u{212A}k"),
        .ecma("\\W", options: .caseInsensitive, "sS\u{17F}", at: nil),
        .ecma("\\bk", options: .caseInsensitive, "\u{17F}k k", at: 4, "k"),
    ]

    static let re2: [MatchCase] = [
        .re2("(?i)abc", "xABC", at: 1, "ABC"),
        .re2("a(?i)b|C", "aB c", at: 0, "aB"),
        .re2("(?i:a)b", "AB Ab", at: 3, "Ab"),
        .re2("(?s).", "\n", at: 0, "\n"),
        .re2("(?m)^b$", "a\nb\nc", at: 2, "b"),
        .re2("(?U)a+", "aaa", at: 0, "a"),
        .re2("(?U)a+?", "aaa", at: 0, "aaa"),
        .re2("(?P<n>a)(?<m>b)", "ab", at: 0, "ab", "a", "b"),
        .re2("[[:alpha:]_]+[[:^digit:]]", "1ab_!", at: 1, "ab_!"),
        .re2("[]a]+", "x]a", at: 1, "]a"),
        .re2("[^]a]", "]ax", at: 2, "x"),
        .re2("a{,2}", "a{,2}", at: 0, "a{,2}"),
        .re2("{}]", "{}]", at: 0, "{}]"),
        .re2("\\pL+\\PL", "1é!", at: 1, "é!"),
        .re2("\\p{^L}", "a1", at: 1, "1"),
        .re2("\\p{Greek}+", "aβγ", at: 1, "βγ"),
        .re2("\\Aab\\z", "ab", at: 0, "ab"),
        .re2("\\Q.*\\E+", "x.**", at: 1, ".**"),
        .re2("a\\Q\\E\\Qb)", "ab)", at: 0, "ab)"),
        .re2("\\x{1F600}\\101\\x42", "😀AB", at: 0, "😀AB"),
        .re2("\\_\\-\\\"", "_-\"", at: 0, "_-\""),
        .re2("\\s", "\u{B}\u{A0}x\u{C}", at: 4, "\u{C}"),
        .re2("(|a)*", "aa", at: 0, "", ""),
        .re2("(|a)+", "aa", at: 0, "", ""),
        .re2("(a*)+", "b", at: 0, "", ""),
        .re2("^*a", "ba", at: 1, "a"),
        .re2("\\B", "éa", at: 0, ""),
        .re2("\\w+@\\w+\\.com", "mail bob@ex.com", at: 5, "bob@ex.com"),
    ]

    static let iRegexp: [MatchCase] = [
        .iRegexp("a.c", "xabc", at: 1, "abc"),
        .iRegexp(".", "\r\n\u{2028}", at: 2, "\u{2028}"),
        .iRegexp("[\\p{Lu}0-9_-]+", "aA_9-", at: 1, "A_9-"),
        .iRegexp("[^a-c]", "abd", at: 2, "d"),
        .iRegexp("(a|b){2}c", "abc", at: 0, "abc"),
        .iRegexp("\\p{L}\\P{L}", "é1", at: 0, "é1"),
        .iRegexp("[-a]\\-\\n", "--\n", at: 0, "--\n"),
        .iRegexp("^ab.*", "xab", at: nil),
        .iRegexp("a[\\].]c", "a]c", at: 0, "a]c"),
        .iRegexp("/path~@", "/path~@", at: 0, "/path~@"),
    ]

    static let unicode: [MatchCase] = [
        .ecma("é+", "caféé", at: 3, "éé"),
        .ecma("^.$", "😀", at: 0, "😀"),
        .ecma("[α-ω]+", "abcλόγος", at: 3, "λ"),
        .ecma("[^a]", "a😀", at: 1, "😀"),
        .ecma("[\\u{10000}-\\u{10FFFF}]", "é€😀", at: 5, "😀"),
        .ecma("\\p{Letter}cole", "L'École", at: 2, "École"),
        .ecma("^\\p{digit}+$", "৪২", at: 0, "৪২"),
        .ecma("\\p{Lu}\\p{Ll}+", "où Élan", at: 4, "Élan"),
        .ecma("\\P{L}", "aé1", at: 3, "1"),
        .ecma("\\p{General_Category=Decimal_Number}\\p{gc=Nd}", "1٣", at: 0, "1٣"),
        .ecma("\\p{Script=Greek}\\p{sc=Grek}", "aβγ", at: 1, "βγ"),
        .ecma("\\p{Script=Cyrillic}+", "Ж ж", at: 0, "Ж"),
        .ecma("\\p{scx=Hira}+", "ひー", at: 0, "ひー"),
        .ecma("\\p{sc=Hira}+", "ひー", at: 0, "ひ"),
        .ecma("\\p{Script=Han}\\p{Script=Hebrew}\\p{Script=Arabic}", "漢אع", at: 0, "漢אع"),
        .ecma("\\p{Emoji_Presentation}", "a😀", at: 1, "😀"),
        .ecma("[\\p{Alphabetic}\\p{White_Space}]+", "1é\u{2003}b", at: 1, "é\u{2003}b"),
        .ecma("\\p{ASCII}\\p{Any}\\P{Assigned}", "aé\u{378}", at: 0, "aé\u{378}"),
        .ecma("σ+", options: .caseInsensitive, "Σσς", at: 0, "Σσς"),
        .ecma("[à-ö]+", options: .caseInsensitive, "ÀÖ÷", at: 0, "ÀÖ"),
        .ecma("k", options: .caseInsensitive, "\u{212A}", at: 0, "\u{212A}"),
        .ecma("\\u212a", options: .caseInsensitive, "K", at: 0, "K"),
        .ecma("ß", options: .caseInsensitive, "ẞ", at: 0, "ẞ"),
        .ecma("i", options: .caseInsensitive, "ıİ", at: nil),
        .ecma("[^x]", options: .caseInsensitive, "xX", at: nil),
        .ecma("\\p{Lu}", options: .caseInsensitive, "a", at: 0, "a"),
        .re2("(?i)[^\\p{Lu}]", "aA1", at: 2, "1"),
        .re2("(?i)ж", "Ж", at: 0, "Ж"),
    ]

    @Test func matchesTheWholeTextOnly() throws {
        for (pattern, text, isWhole) in [
            ("a|ab", "ab", true), ("a*", "aaa", true), ("a", "aa", false), ("a.*", "ab\u{2028}", true),
            ("b.?b", "bbab", false), ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false),
            ("a(b|c)?", "ac", true), ("ab+", "a", false), ("a$", "ab", false), ("^a", "a", true),
        ] {
            let expression = try RegularExpression(pattern, dialect: .iRegexp)
            #expect(try expression.matchesWhole(text) == isWhole, "\(pattern) on \(text)")
        }
    }

    @Test func givesGroupsByName() throws {
        let expression = try RegularExpression("(?<key>\\w+)=(?<value>\\w*)(x)?", dialect: .ecmaScript)
        #expect(expression.groupCount == 3)
        #expect(expression.groupNames == [nil, "key", "value", nil])
        let match = try #require(try expression.firstMatch(in: "é a=b"))
        #expect(match.text(ofGroup: "key") == "a")
        #expect(match.text(ofGroup: "value") == "b")
        #expect(match.groups == [3..<6, 3..<4, 5..<6, nil])
        #expect(match.text(ofGroup: "none") == nil)
        #expect(match.text(ofGroup: 4) == nil)
        #expect("é a=b"[match.indices] == "a=b")
    }

    @Test func isEqualByPatternDialectAndOptions() throws {
        let expression = try RegularExpression("é", dialect: .re2)
        #expect(try expression == RegularExpression("é", dialect: .re2))
        #expect(try expression != RegularExpression("e\u{301}", dialect: .re2))
        #expect(try expression != RegularExpression("é", dialect: .ecmaScript))
        #expect(try expression != RegularExpression("é", dialect: .re2, options: .caseInsensitive))
    }
}
