import RegularExpressions
import Testing

/// Tests of the patterns that RFC 9485 accepts and rejects as I-Regexp, production by production.
@Suite struct IRegexpTests {
    @Test(arguments: [
        // i-regexp = branch *( "|" branch ), and branches may be empty.
        "", "|", "a|", "|a", "a|b|c", "()", "(|a)", "(a)(b)", "((a))",
        // quantifier = "*" / "+" / "?" / "{" quantity "}"
        "a*", "a+", "a?", "a{2}", "a{2,}", "a{2,3}", "a{0}", "(a|b){2}", "[a]{2}", ".{2}", "\\.{2}",
        // NormalChar: all except ( ) * + . ? [ \ ] { | }, and also not ^ and $, according to the compliance suite of
        // RFC 9535.
        "a-b", "a,b", "a/b", "a'b\"c", "a:b=c!d#e&f%g;h<i>j@k_l`m~n", "é€😀", " \t", "-",
        // SingleCharEsc
        "\\(\\)\\*\\+\\-\\.\\?\\[\\\\\\]\\^\\n\\r\\t\\{\\|\\}",
        // charClassExpr = "[" [ "^" ] ( "-" / CCE1 ) *CCE1 [ "-" ] "]"
        "[a]", "[^a]", "[abc]", "[a-z]", "[a-z0-9]", "[-]", "[-a]", "[a-]", "[-a-]", "[^-]", "[^-a]", "[a\\-z]",
        "[\\]]", "[\\[]", "[\\\\]", "[.]", "[*+?(){}|]", "[\\n-\\r]", "[A-\\]]", "[^^]", "[a^]", "[é-ü]", "[😀-😂]",
        "[\\p{L}]", "[\\P{L}a]", "[\\p{L}\\p{N}-]", "[,]", "[ -~]",
        // charClassEsc
        "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{Ll}", "\\p{Lt}", "\\p{Lm}", "\\p{Lo}", "\\p{M}", "\\p{Mn}", "\\p{Mc}",
        "\\p{Me}", "\\p{N}", "\\p{Nd}", "\\p{Nl}", "\\p{No}", "\\p{P}", "\\p{Pc}", "\\p{Pd}", "\\p{Ps}", "\\p{Pe}",
        "\\p{Pi}", "\\p{Pf}", "\\p{Po}", "\\p{S}", "\\p{Sm}", "\\p{Sc}", "\\p{Sk}", "\\p{So}", "\\p{Z}", "\\p{Zs}",
        "\\p{Zl}", "\\p{Zp}", "\\p{C}", "\\p{Cc}", "\\p{Cf}", "\\p{Co}", "\\p{Cn}",
    ])
    func accepts(pattern: String) throws {
        _ = try RegularExpression(pattern, dialect: .iRegexp)
    }

    @Test(arguments: [
        // Unbalanced parentheses, brackets and braces.
        "(", ")", "a)", "(a", "[", "]", "a]", "[a", "{", "}", "a{", "a}", "a{}", "a{,3}", "a{1", "a{1,", "a{1,2",
        "a{x}",
        "a{3,2}", "a{-1}", "a{ 1}",
        // Nothing to repeat, and repeated repetitions.
        "*", "+a", "?", "{2}", "a**", "a+*", "a{2}{3}", "a|*", "(*)", "a??", "a*?", "a+?", "a{2}?", "a++",
        // Syntax of other dialects.
        "(?:a)", "(?<n>a)", "(?=a)", "(?!a)", "(?<=a)", "(?i)a", "(?#a)", "\\1", "\\d", "\\D", "\\w", "\\W", "\\s",
        "\\S",
        "\\b", "\\B", "\\A", "\\z", "\\Z", "\\x41", "\\u0041", "\\u{41}", "\\cA", "\\0", "\\a", "\\e", "\\f", "\\v",
        "\\i",
        "\\Qa\\E", "\\k<n>", "\\/", "\\-a\\_", "\\ ", "\\é", "\\",
        // Classes.
        "[]", "[^]", "[]a]", "[z-a]", "[a-c-e]", "[--a]", "[a--]", "[+--]", "[[a]", "[[:alpha:]]", "[\\d]", "[\\w-z]",
        "[a-\\p{L}]", "[\\p{L}-z]", "[a&&b]]", "[\\", "[a\\",
        // Properties: only general categories by their short names.
        "\\p", "\\pL", "\\p{}", "\\p{l}", "\\p{LU}", "\\p{Letter}", "\\p{Greek}", "\\p{Script=Greek}", "\\p{IsLatin}",
        "\\p{L", "\\p{^L}", "\\p{Cs}", "\\p{LC}", "\\p{Lx}", "\\p{ASCII}", "\\p{gc=Lu}",
    ])
    func refuses(pattern: String) {
        #expect(throws: RegularExpressionError.self) { try RegularExpression(pattern, dialect: .iRegexp) }
    }
}
