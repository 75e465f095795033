import Testing

@testable import Expectations

@Suite("Search for text") struct ByteSearchTests {
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

    @Test func worstCaseIsLinear() {
        let text = String(repeating: "a", count: 200_000)
        #expect(!ByteSearch.contains(text, String(repeating: "a", count: 100_000) + "b"))
    }
}
