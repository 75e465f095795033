import RegularExpressions
import Testing

/// Tests of modifiers, duplicate named groups in alternatives, escapes in names, and empty iterations.
@Suite struct ECMAScript2025Tests {
    @Test(
        arguments: [
            .ecma("(?i:a)b", "Ab", at: 0, "Ab"),
            .ecma("(?i:a)b", "AB", at: nil),
            .ecma("(?i-:a)b", "xAb", at: 1, "Ab"),
            .ecma("(?-i:a)b", options: .caseInsensitive, "aB", at: 0, "aB"),
            .ecma("(?-i:a)b", options: .caseInsensitive, "AB", at: nil),
            .ecma("(?s-i:a.)b", options: .caseInsensitive, "a\nB", at: 0, "a\nB"),
            .ecma("(?im-s:^a.)", options: .dotMatchesNewlines, "x\nAb", at: 2, "Ab"),
            .ecma("(?i:(?-i:a)b)c", "aBc", at: 0, "aBc"),
            .ecma("(?i:[^a])b", "Ab", at: nil),
            .ecma("(?i:\\b(?<n>a))\\k<n>", "Aa", at: nil),
            .ecma("(?<n>a)(?i:\\k<n>)", "aA", at: 0, "aA", "a"),
            .ecma("(?<year>\\d{4})-|-(?<year>\\d{2})", "x-26", at: 1, "-26", nil, "26"),
            .ecma("(?:(?<x>a)|(?<x>b))\\k<x>", "abb", at: 1, "bb", nil, "b"),
            .ecma("(?:(?<x>a)|(?<x>b))*\\k<x>", "abab", at: 0, "", nil, nil),
            .ecma("(?:(?:(?<x>a)|b)|(?<x>c))", "c", at: 0, "c", nil, "c"),
            .ecma("(?<=\\k<x>(?:(?<x>a)|(?<x>b)))c", "bbc", at: 2, "c", nil, "b"),
            .ecma("(?<\\u0061b>x)\\k<ab>", "xx", at: 0, "xx", "x"),
            .ecma("(?<ab>x)\\k<\\u{61}b>", "xx", at: 0, "xx", "x"),
            .ecma("(?<\\ud835\\udc9c>x)\\k<𝒜>", "xx", at: 0, "xx", "x"),
            .ecma("\\p{RI}{2}", "a🇦🇹", at: 1, "🇦🇹"),
            .ecma("\\p{ExtPict}", "a⌚", at: 1, "⌚"),
            .ecma("\\P{Extended_Pictographic}", "⌚a", at: 3, "a"),
            .ecma("^\\p{EComp}+$", "#*0️⃣", at: 0, "#*0️⃣"),
            .ecma("[\\p{Emoji_Component}\\p{Regional_Indicator}]", "x🏽", at: 1, "🏽"),
            // Node 20 yields the same results for all of the following cases.
            .ecma("(|a)?", "a", at: 0, "a", "a"),
            .ecma("(|a)??b", "b", at: 0, "b", nil),
            .ecma("(|a)*", "aab", at: 0, "aa", "a"),
            .ecma("(|a)*?b", "aab", at: 0, "aab", "a"),
            .ecma("(|a)+", "aa", at: 0, "aa", "a"),
            .ecma("(|a){2,}", "aaa", at: 0, "aaa", "a"),
            .ecma("(a*)*", "b", at: 0, "", nil),
            .ecma("(a*)*", "aab", at: 0, "aa", "aa"),
            .ecma("(a*)+", "b", at: 0, "", ""),
            .ecma("(a?)*?b", "aab", at: 0, "aab", "a"),
            .ecma("(?:a?){0,3}b", "aab", at: 0, "aab"),
            .ecma("(?:(a)|b?)*c", "abc", at: 0, "abc", nil),
            .ecma("(z)((a+)?(b+)?(c))*", "zaacbbbcac", at: 0, "zaacbbbcac", "z", "ac", "a", nil, "c"),
            .ecma("((a)|(b)?)*c", "abc", at: 0, "abc", "b", nil, "b"),
            .ecma("(?:$|a)*b", "aab", at: 0, "aab"),
            .ecma("(\\b|-)*x", "--x", at: 0, "--x", "-"),
            .ecma("((|b)a?)*", "aba", at: 0, "aba", "ba", "b"),
            .ecma("((a?)(b?))*", "ab", at: 0, "ab", "ab", "a", "b"),
            .ecma("((?:|a)(?:|b)){0,2}", "ab", at: 0, "ab", "b"),
        ] as [MatchCase])
    func finds(_ sample: MatchCase) throws {
        for prefix in ["", "(?=)"] {
            let expression = try RegularExpression(
                prefix + sample.pattern, dialect: sample.dialect, options: sample.options)
            #expect(try expression.matches(sample.text) == (sample.start != nil))
            let match = try expression.firstMatch(in: sample.text)
            #expect(match?.range.lowerBound == sample.start, "\(prefix)")
            let groups = match.map { match in match.groups.indices.map { match.text(ofGroup: $0).map(String.init) } }
            #expect(groups ?? [] == sample.groups, "\(prefix)")
        }
    }

    @Test func aNameOfSeveralGroups() throws {
        let expression = try RegularExpression("(?<n>a)|(?<n>b)|c", dialect: .ecmaScript)
        #expect(try expression.firstMatch(in: "b")?.text(ofGroup: "n") == "b")
        #expect(try expression.firstMatch(in: "a")?.text(ofGroup: "n") == "a")
        #expect(try expression.firstMatch(in: "c")?.text(ofGroup: "n") == nil)
    }

    @Test(arguments: [
        "(?-:a)", "(?ii:a)", "(?i-i:a)", "(?i-s-m:a)", "(?i-)", "(?g:a)", "(?<n>a)(?<n>b)", "(?<n>a|(?<n>b))",
        "(?:(?<n>a)|b)(?<n>c)", "(?<\\u0031>a)", "(?<a\\u>b)", "(?<\\x61>b)", "\\p{RGI_Emoji}", "\\p{Ri}",
    ])
    func refuses(_ pattern: String) {
        #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern, dialect: .ecmaScript) }
    }

    @Test(arguments: ["(?i-:a)", "(?P<n>a)|(?P<n>b)", "(?<\\u0061>b)"])
    func refusesInRE2(_ pattern: String) {
        #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern, dialect: .re2) }
    }

    /// Nested iterations that are too large for an exact translation still match, but with a different preference.
    @Test func nestedIterationsThatMayBeEmpty() throws {
        let nested = String(repeating: "(?:", count: 60) + "a" + String(repeating: "?)*", count: 60)
        let expression = try RegularExpression("^\(nested)$", dialect: .ecmaScript)
        #expect(try expression.matches(String(repeating: "a", count: 500)))
        #expect(try !expression.matches(String(repeating: "a", count: 500) + "b"))
    }
}
