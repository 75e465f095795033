import Testing
import XML

@Suite("Checking XPath expressions without libxml2")
struct XPathExpressionTests {
    static let valid = [
        "/", "//*", ".", "..", "a", "/a/b", "//a//b", "@a", "/a/@*", "a[1]", "a[last()]/b[@c='d'][2]", "*[*]", "* * *",
        "a*b", "a * *", "@* = 1", "div div div", "and and and", "mod", "or or or", "div", "a/div", "@mod",
        "self::node()",
        "child::a", "child :: a", "ancestor-or-self::*", "attribute::id", "namespace::*", "text()", "//text()[1]",
        "comment()", "processing-instruction()", "processing-instruction('x')", "p:a", "p:*", "@p:a", "//p:a/p:b",
        "count(//a)", "count( //a )", "string()", "concat('a', \"b\", 'c')", "substring('a', 1)",
        "substring('a', 1, 2)", "translate('a', 'b', 'c')", "not(//a)", "1", "1.", ".5", "1.5", "- 1", "--1", "1 - -1",
        "1+1", "a-b", "a - b", "id('x')[1]/a", "id('a')/b", "(//a)[1]",
        "(//a)[1]/b", "((a))", "a | b | c", "(a | b)/c", "a = b", "a != 'b'", "a < 1 and b >= 2 or c", "a <= b = c",
        "string(a) = ''", "sum(//a) div count(//a)", "//a[contains(., 'x')]", "//a[position() mod 2 = 1]",
        "a[b/c = ../d]", "lang('en')", "number('x')", "é/日本", "a.b/c-d/_e", " a ", "a\n/\tb", "//a[./b]", "true()",
        "//a[not(@b)]", "text() = 'x'", "node", "comment", "-(a)", "-a | b", "boolean(a | b)", "name()",
        "local-name(*)",
        "floor(1.5) + ceiling(1.5) + round(1.5)", "normalize-space(a)", "starts-with(a, 'b')", "/a[/b]", "//a/..",
        "../a", "./a", "a/.", "/*", "/@a", "//@a", "//.",
    ]

    @Test("Valid expressions are accepted, also by libxml2", arguments: valid)
    func accepted(_ text: String) throws {
        let expression = try XPathExpression(text)
        #expect(expression.text == text)
        guard XMLLibrary.isAvailable else { return }
        let document = try XMLDocument.parse(Array("<a><b c='d'/></a>".utf8))
        _ = try document.evaluate(expression, namespaces: ["p": "urn:p"])
    }

    @Test(
        "A function, an operator and a position in the last step yield one value",
        arguments: [
            ("count(//a)", true), ("string(//a)", true), ("'a'", true), ("1", true), ("- //a", true),
            ("//a > 10", true), ("//a = 'b' or //c", true), ("not(//a)", true), ("//a[1]", true), ("a[01.0]", true),
            ("//a[last()]", true), ("//a[last() - 1]", true), ("//a[position() = 1]", true),
            ("//a[1 = position()]", true), ("//a[position()=last()]", true), ("(//a)[1]", true), ("(//a/@b)[2]", true),
            ("//a[@b][1]", true), ("//a[1][@b]", true), ("//a[1]/b[2]", true), ("id('a')[1]", true), ("//a[-1]", true),
            ("//a[round(last() div 2)]", true), ("((//a)[1])", true),
            ("//a", false), ("/a", false), ("/", false), (".", false), ("a/@b", false), ("//a[@b]", false),
            ("//a[@b='1']", false), ("//a[1]/b", false), ("(//a)[1]/b", false), ("//a[1] | //b[1]", false),
            ("//a[position() < 3]", false), ("//a[position() != 1]", false), ("//a[position()]", false),
            ("//a[count(b)]", false), ("//a[position() = count(b)]", false), ("//a[position() mod 2 = 1]", false),
            ("//a[string-length()]", false), ("//a[b[1]]", false), ("id('a')", false), ("(//a)", false),
            ("//a[position() = 1 or position() = 2]", false), ("//a[1 = 1]", false),
        ])
    func singular(_ text: String, _ isSingular: Bool) throws {
        #expect(try XPathExpression(text).isSingular == isSingular)
    }

    /// An expression, the part marked by the message, and the message.
    static let invalid: [(String, String, Int, String)] = [
        ("", "", 1, "expected an expression, found the end of the XPath"),
        ("  ", "", 3, "expected an expression, found the end of the XPath"),
        ("//", "", 3, "expected a name, \"@\" or another step, found the end of the XPath"),
        ("//book[", "", 8, "expected an expression, found the end of the XPath"),
        ("//book[]", "]", 8, "expected an expression, found \"]\""),
        ("//book[@id='1'", "", 15, "expected an operator or \"]\", found the end of the XPath"),
        ("//book]", "]", 7, "unexpected \"]\""), ("//book)", ")", 7, "unexpected \")\""),
        ("//book/", "", 8, "expected a name, \"@\" or another step, found the end of the XPath"),
        ("//book/[1]", "[", 8, "expected a name, \"@\" or another step, found \"[\""),
        ("///a", "/", 3, "expected a name, \"@\" or another step, found \"/\""),
        ("'é' = 'abc", "'abc", 7, "unterminated string"),
        ("count(//a", "", 10, "expected \",\" or \")\", found the end of the XPath"),
        ("count(", "", 7, "expected an expression, found the end of the XPath"),
        ("concat('a' 'b')", "'b'", 12, "expected \",\" or \")\", found \"'b'\""),
        ("$", "$", 1, "XPath variables are not supported"),
        ("//a[@b = $c]", "$", 10, "XPath variables are not supported"),
        ("//a[@b = '${c}' or ${c}]", "${", 20, "an XPath cannot contain an expression ${…}"),
        ("a\u{0}b", "\u{0}", 2, "unexpected character U+0000"), ("a # b", "#", 3, "unexpected \"#\""),
        ("a == b", "==", 3, "\"==\" is not an operator; write \"=\""),
        ("a && b", "&&", 3, "\"&&\" is not an operator; write \"and\""),
        ("a || b", "||", 3, "\"||\" is not an operator; write \"or\""),
        ("!a", "!", 1, "\"!\" is not an operator; write not(…)"),
        ("a b", "b", 3, "expected an operator, found \"b\""), ("1e3", "e3", 2, "expected an operator, found \"e3\""),
        ("a 'b'", "'b'", 3, "unexpected \"'b'\""), ("a[1]b", "b", 5, "expected an operator, found \"b\""),
        ("@", "", 2, "expected a name, \"*\" or a node type, found the end of the XPath"),
        ("@@a", "@", 2, "expected a name, \"*\" or a node type, found \"@\""),
        ("p:", ":", 2, "unexpected \":\""), ("p:1", "p:", 1, "expected a name after \"p:\""),
        ("p: a", "p:", 1, "expected a name after \"p:\""),
        ("parents::a", "parents", 1, "unknown axis \"parents\""),
        ("nosuch(1)", "nosuch", 1, "XPath 1.0 has no function \"nosuch\""),
        ("//a[exists(b)]", "exists", 5, "XPath 1.0 has no function \"exists\"; use boolean(…)"),
        ("p:f(1)", "p:f", 1, "XPath 1.0 has no function \"p:f\""),
        ("count(1)", "1", 7, "count() requires nodes, got a number"),
        ("sum('a' = 'b')", "'a' = 'b'", 5, "sum() requires nodes, got a boolean"),
        ("//a + last()", "last", 7, "last() can only be used in a predicate"),
        ("count()", "count", 1, "count() takes 1 argument, got 0"),
        ("true(1)", "true", 1, "true() takes no arguments, got 1"),
        ("string(a, b)", "string", 1, "string() takes at most 1 argument, got 2"),
        ("concat('a')", "concat", 1, "concat() takes at least 2 arguments, got 1"),
        ("substring('a')", "substring", 1, "substring() takes 2 or 3 arguments, got 1"),
        ("1 | a", "1", 1, "the operands of \"|\" must be nodes, got a number"),
        ("a | 'b'", "'b'", 5, "the operands of \"|\" must be nodes, got a string"),
        ("'a'/b", "'a'", 1, "only nodes can precede \"/\", got a string"),
        ("true()[1]", "true()", 1, "only nodes can precede \"[\", got a boolean"),
        (".[1]", "[", 2, "unexpected \"[\""), ("text(1)", "1", 6, "expected \")\", found \"1\""),
        ("comment('a')", "'a'", 9, "expected \")\", found \"'a'\""),
        ("a +", "", 4, "expected an expression, found the end of the XPath"),
        ("a = = b", "=", 5, "expected an expression, found \"=\""),
    ]

    @Test("Invalid expressions are rejected with the location", arguments: invalid)
    func refused(_ text: String, part: String, column: Int, message: String) {
        do throws(XMLError) {
            _ = try XPathExpression(text)
            Issue.record("the expression was accepted")
        } catch {
            #expect(error.kind == .xpath)
            #expect(error.message == message)
            #expect(error.column == column)
            let marked = text.unicodeScalars.dropFirst(column - 1).prefix(part.isEmpty ? 0 : error.length ?? 0)
            #expect(String(String.UnicodeScalarView(marked)) == part)
            #expect((error.length ?? 0) > 0)
        }
    }

    @Test("An error about an unknown name lists the known names")
    func known() {
        #expect {
            try XPathExpression("contain(a, b)")
        } throws: { ($0 as? XMLError)?.known.contains("contains") == true }
        #expect {
            try XPathExpression("parents::a")
        } throws: { ($0 as? XMLError)?.known.contains("parent") == true }
    }

    @Test("Prefixes are returned with their positions")
    func prefixes() throws {
        let expression = try XPathExpression("//é:a[@b:c]/self::b:*")
        #expect(expression.prefixes.map(\.name) == ["é", "b", "b"])
        #expect(expression.prefixes.map(\.offset) == [2, 7, 18])
        #expect(expression.prefixes.map(\.length) == [1, 1, 1])
    }

    @Test(
        "Hostile expressions are rejected",
        arguments: [
            ("(", 30_000, "1", ")"), ("a[", 20_000, "1", "]"), ("count(", 10_000, "/", ")"), ("-", 60_000, "1 1", ""),
            ("a|", 30_000, "", ""), ("a/", 30_000, "", ""), ("not(", 101, "1", ")"),
        ])
    func hostile(_ start: String, _ count: Int, _ middle: String, _ end: String) {
        let text = String(repeating: start, count: count) + middle + String(repeating: end, count: count)
        #expect(throws: XMLError.self) { try XPathExpression(text) }
    }

    @Test("The longest accepted chains are evaluated without overflowing the stack")
    func chains() async throws {
        guard XMLLibrary.isAvailable else { return }
        for (text, end) in [("1+", "1"), ("a/", "a"), ("a|", "a"), ("- ", "1"), ("a[1]/", "a"), ("a or ", "a")] {
            let count = (text == "a[1]/" ? 3990 / 5 : text == "- " ? 3990 : 3990 / 2)
            let expression = try XPathExpression(String(repeating: text, count: count) + end)
            // The thread of a task has the smallest stack on which expressions are evaluated.
            await Task.detached {
                _ = try? XMLDocumentTests.parse("<a><a/></a>").evaluate(expression)
            }.value
        }
        #expect(throws: XMLError.self) { try XPathExpression(String(repeating: "1+", count: 2000) + "1") }
    }

    @Test("An expression that is too long is rejected")
    func length() {
        #expect(throws: XMLError.self) { try XPathExpression(String(repeating: "a", count: 65_537)) }
    }
}
