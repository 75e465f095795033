import Basics
import Testing

@testable import SuiteModel

@Testing.Suite("Tag expressions")
struct TagExpressionTests {
    @Test(
        "Tag expressions are evaluated for a set of tags",
        arguments: [
            ("smoke", ["smoke"], true), ("smoke", ["slow"], false), ("smoke", ["Smoke"], false),
            ("not smoke", ["slow"], true), ("!smoke", ["smoke"], false), ("! smoke", [], true),
            ("not not smoke", ["smoke"], true), ("!!smoke", [], false),
            ("smoke and not slow", ["smoke"], true), ("smoke and not slow", ["smoke", "slow"], false),
            ("smoke && !slow", ["smoke"], true), ("smoke&&!slow", ["smoke", "slow"], false),
            ("a or b and c", ["a"], true), ("a or b and c", ["b"], false), ("a or b and c", ["b", "c"], true),
            ("(a or b) and c", ["a"], false), ("(a or b) and c", ["a", "c"], true), ("(a||b)&&c", ["b", "c"], true),
            ("not (a or b)", ["c"], true), ("not (a or b)", ["b"], false), ("not a or b", ["a", "b"], true),
            ("((((a))))", ["a"], true), ("a or b or c or d", ["d"], true), ("a and b and c", ["a", "b"], false),
            ("\"two words\" and x", ["two words", "x"], true), ("'not'", ["not"], true),
            ("\"a \\\" b\" or c", ["a \" b"], true), ("'it\\'s' or c", ["it's"], true), ("\"a&&b\"", ["a&&b"], true),
        ])
    func holding(text: String, tags: [String], holds: Bool) throws {
        #expect(try TagExpression(parsing: text).holds(for: tags) == holds)
    }

    @Test(
        "Without operators, the whole string is one tag",
        arguments: [
            "smoke", "two words", "v1.2-beta", "@smoke", "a,b", "team/shop", "not", "and", "a|b", "a&b", "don't",
            "wow!", "Ünïcode", "a:b", "  spaced  ",
        ])
    func plain(text: String) throws {
        let tag = text == "  spaced  " ? "spaced" : text
        #expect(try TagExpression(parsing: text) == .tag(tag))
    }

    @Test(
        "Invalid tag expressions are rejected with the location of the error",
        arguments: [
            ("", "missing tag", 0, 0), ("   ", "missing tag", 3, 0),
            ("smoke and", "missing tag after \"and\"", 9, 0),
            ("and smoke", "missing tag", 0, 3), ("a and or b", "missing tag after \"and\"", 6, 2),
            ("(a or b", "unmatched \"(\"", 0, 1), ("a or b)", "unmatched \")\"", 6, 1),
            ("()", "missing tag after \"(\"", 1, 1), ("a b and c", "missing operator before \"b\"", 2, 1),
            ("a AND b", "missing operator before \"AND\"", 2, 3),
            ("a & b", "missing operator before \"&\"", 2, 1),
            ("a or \"b", "unterminated quotation", 5, 2), ("a (b)", "missing operator before \"(b\"", 2, 1),
            ("not", "", -1, 0), ("a not b", "missing operator before \"not\"", 2, 3),
            ("\"ä\" \"b\"", "missing operator before \"\"b\"\"", 4, 3),
        ])
    func mistakes(text: String, message: String, offset: Int, length: Int) throws {
        if offset < 0 {
            #expect(try TagExpression(parsing: text) == .tag(text))
            return
        }
        let error = #expect(throws: TagExpressionError.self) { try TagExpression(parsing: text) }
        #expect(error?.offset == offset && error?.length == length, "\(String(describing: error))")
        if !message.contains("(b") { #expect(error?.message.text == message) }
    }

    @Test("An error suggests the intended operator")
    func suggestions() {
        let error = #expect(throws: TagExpressionError.self) { try TagExpression(parsing: "a AND b") }
        #expect(error?.suggestion?.text == "write \"and\"")
    }

    @Test("Tag expressions that are nested too deep are rejected")
    func depth() {
        let text = String(repeating: "(", count: 10_000) + "a" + String(repeating: ")", count: 10_000)
        #expect(throws: TagExpressionError.self) { try TagExpression(parsing: text) }
        #expect(throws: TagExpressionError.self) {
            try TagExpression(parsing: String(repeating: "!", count: 10_000) + "a")
        }
    }
}
