import Testing

@testable import Expectations

@Suite("Searching for text in bytes") struct ByteSearchTests {
    @Test(
        arguments: [
            ("abc", "", true), ("", "", true), ("", "a", false), ("abc", "abc", true), ("abc", "abcd", false),
            ("aabaabaaab", "aabaaa", true), ("aabaabaab", "aabaaa", false), ("xüy", "ü", true),
            ("e\u{301}x", "e", true),
            ("ababababc", "ababc", true),
        ] as [(String, String, Bool)])
    func contains(_ text: String, _ part: String, _ isContained: Bool) {
        #expect(ByteSearch.contains(text, part) == isContained)
    }

    @Test(
        arguments: [
            ("abc", "c", 2), ("abc", "", 0), ("abc", "x", nil), ("aaab", "aab", 1), ("", "a", nil), ("xüy", "y", 3),
        ] as [(String, String, Int?)])
    func position(_ text: String, _ part: String, _ position: Int?) {
        #expect(ByteSearch.position(of: part, in: text) == position)
    }

    @Test(
        arguments: [
            ("one two", "twelve", 4, 2), ("abab", "abc", 0, 2), ("xyz", "abc", 0, 0), ("ab abc", "abcd", 3, 3),
            // A part of a character cannot be displayed.
            ("a\u{E8}", "a\u{E9}", 0, 1), ("abc", "abc", 0, 3),
        ] as [(String, String, Int, Int)])
    func longestPrefix(_ text: String, _ part: String, _ offset: Int, _ length: Int) {
        let found = ByteSearch.longestPrefix(of: part, in: text)
        #expect(found.offset == offset)
        #expect(found.length == length)
    }

    @Test func worstCaseIsLinear() {
        let text = String(repeating: "a", count: 200_000)
        #expect(!ByteSearch.contains(text, String(repeating: "a", count: 100_000) + "b"))
    }
}
