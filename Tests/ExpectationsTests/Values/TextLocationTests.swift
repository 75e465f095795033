import Testing

@testable import Expectations

@Suite("Positions in texts") struct TextLocationTests {
    @Test(
        arguments: [
            ("abc", 0, "character 1"), ("abc", 2, "character 3"), ("äbc", 2, "character 2"), ("abc", 9, "character 4"),
            ("a\nbc", 3, "line 2, column 2"), ("a\r\nb", 3, "line 2, column 1"), ("", 0, "character 1"),
        ] as [(String, Int, String)])
    func description(_ text: String, _ offset: Int, _ description: String) {
        #expect(TextLocation(utf8Offset: offset, in: text).description == description)
    }

    @Test func theRest() {
        #expect(TextLocation.text(of: "äbc", from: 2) == "bc")
        #expect(TextLocation.text(of: "abc", from: 9) == "")
    }
}
