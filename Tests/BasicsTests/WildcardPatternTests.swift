import Basics
import Testing

struct WildcardPatternTests {
    private static let cases: [(pattern: String, text: String, matches: Bool, isContained: Bool)] = [
        ("get /books", "GET /books", true, true),
        ("GET /book", "GET /books", false, true),
        ("GET /books*", "GET /books/{id}", true, true),
        ("* /books", "POST /books", true, true),
        ("* /books", "POST /books/{id}", false, false),
        ("GET*books*id*", "GET /books/{id}", true, true),
        ("a*a", "a", false, false),
        ("a*a", "aa", true, true),
        ("*", "", true, true),
        ("", "", true, true),
        ("", "GET /books", false, true),
        ("É*", "été", true, true),
    ]

    @Test("An asterisk matches any text, and the case is ignored", arguments: cases)
    func matching(_ pattern: String, _ text: String, matches: Bool, isContained: Bool) {
        #expect(WildcardPattern(pattern).matches(text) == matches)
        #expect(WildcardPattern(pattern).matchesOrIsContained(in: text) == isContained)
    }
}
