import Basics
import Testing

@Suite struct SpellingTests {
    private static let keys = ["method", "url", "headers", "json", "timeout", "expect", "id", "if", "description"]

    @Test(
        arguments: [
            ("metod", "method"), ("mehtod", "method"), ("METHOD", "method"), ("Url", "url"), ("ulr", "url"),
            ("header", "headers"), ("haeders", "headers"), ("jsno", "json"), ("timeuot", "timeout"),
            ("expects", "expect"), ("exepct", "expect"), ("di", "id"), ("descripton", "description"),
            ("desrciptoin", "description"),
        ] as [(String, String)])
    func theNearestWordIsFound(word: String, nearest: String) {
        #expect(Spelling.nearest(to: word, among: Self.keys) == nearest)
    }

    @Test(arguments: ["", "x", "body", "completely", "jxyz", "tags", String(repeating: "a", count: 10_000)])
    func nothingIsNearEnough(word: String) {
        #expect(Spelling.nearest(to: word, among: Self.keys) == nil)
    }

    @Test func wordsThatBeginAndEndAlikeAreCompared() {
        #expect(Spelling.nearest(to: "abab", among: ["ab", "abba"]) == "abba")
        #expect(Spelling.nearest(to: "variable12", among: ["variable1", "variable2"]) == "variable1")
        #expect(Spelling.nearest(to: "größe", among: ["GRÖSE", "GRÖßE"]) == "GRÖßE")
    }

    @Test func theFirstOfEquallyNearWordsWins() {
        #expect(Spelling.nearest(to: "cat", among: ["bat", "hat", "cats"]) == "bat")
        #expect(Spelling.nearest(to: "a", among: ["b", "A"]) == "A")
        #expect(Spelling.nearest(to: "word", among: ["", "ward"]) == "ward")
        #expect(Spelling.nearest(to: "word", among: [String]()) == nil)
    }
}
