import Diagnostics
import Testing

@Suite struct DisplayWidthTests {
    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("ｆ", 2), ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("…", 1), ("\u{200D}", 0),
            ("\u{1B}", 4), ("\u{202E}", 6), ("a\u{0}b", 4), ("😀x", 3), ("Ω", 1), ("א", 1),
        ] as [(String, Int)])
    func widthsAreThoseOfATerminal(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test(
        arguments: [
            ("abc", "abc"), ("é日", "é日"), ("\u{1B}[31m", "\\x1B[31m"), ("\u{0}", "\\0"), ("\u{7F}", "\\x7F"),
            ("\u{9B}", "\\x9B"), ("\u{202E}x", "\\u202Ex"), ("\u{FEFF}", "\\uFEFF"), ("\t\n\r", "\\t\\n\\r"),
            ("\u{2028}", "\\u2028"), ("\u{200B}", "\\u200B"),
        ] as [(String, String)])
    func unprintableCharactersAreEscaped(text: String, printable: String) {
        #expect(DisplayWidth.printable(text) == printable)
    }

    @Test func codePointsHaveAtLeastFourDigits() {
        #expect(DisplayWidth.codePoint(7) == "U+0007")
        #expect(DisplayWidth.codePoint(0x1F600) == "U+1F600")
        #expect(DisplayWidth.hexadecimal(0x0A) == "0A")
    }
}
