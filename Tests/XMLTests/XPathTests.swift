import Basics
import Testing
import XML

@Suite("XPath 1.0", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XPathTests {
    static let text = """
        <?xml-stylesheet href="s"?>
        <shop xmlns:x="urn:x">
          <book id="1" lang="en"><title>One</title><price>10.5</price></book>
          <book id="2"><title>Two</title><price>4</price><!--sold--></book>
          <x:note y="é">Text</x:note>
        </shop>
        """

    static func evaluate(_ expression: String, _ namespaces: [String: String] = [:]) throws -> XPathValue {
        try XMLDocumentTests.parse(text).xpath(expression, namespaces: namespaces)
    }

    @Test(
        "Expressions evaluate to strings, numbers, and booleans",
        arguments: [
            ("string(/shop/book[2]/title)", "Two"), ("concat('é', \"'\")", "é'"), ("name(//*[3])", "x:note"),
            ("sum(//price)", "14.5"), ("count(//book)", "2.0"), ("1 div 0", "inf"), ("number('x')", "nan"),
            ("//price > 10", "true"), ("not(//book)", "false"), ("''", ""), ("local-name(/*/*[last()])", "note"),
            ("string-length('日本')", "2.0"), ("normalize-space('  a  b ')", "a b"),
            ("namespace-uri(/*/*[last()])", "urn:x"),
        ])
    func values(_ expression: String, _ expected: String) throws {
        let text =
            switch try Self.evaluate(expression) {
            case .string(let value): value
            case .number(let value): "\(value)"
            case .boolean(let value): "\(value)"
            case .nodes(let nodes): "\(nodes.count) nodes"
            }
        #expect(text == expected)
    }

    @Test(
        "Nodes of all kinds are selected in document order",
        arguments: [
            ("//title", ["element title One 3 /shop/book[1]/title", "element title Two 4 /shop/book[2]/title"]),
            ("//book/@id", ["attribute id 1 3 /shop/book[1]/@id", "attribute id 2 4 /shop/book[2]/@id"]),
            ("//title/text()", ["text - One 3 /shop/book[1]/title/text()", "text - Two 4 /shop/book[2]/title/text()"]),
            ("//comment()", ["comment - sold 4 /shop/book[2]/comment()"]),
            (
                "/processing-instruction()",
                ["processingInstruction xml-stylesheet href=\"s\" 1 /processing-instruction('xml-stylesheet')"]
            ),
            ("//n:note/@y", ["attribute y é 5 /shop/x:note/@y"]),
            ("/shop/namespace::x", ["namespace x urn:x 0 -"]), ("//missing", []),
            (
                "//price[. < 5]/.. | //book[1]",
                ["element book One10.5 3 /shop/book[1]", "element book Two4 4 /shop/book[2]"]
            ),
        ] as [(String, [String])])
    func nodes(_ expression: String, _ expected: [String]) throws {
        guard case .nodes(let nodes) = try Self.evaluate(expression, ["n": "urn:x"]) else {
            Issue.record("expected nodes")
            return
        }
        let found = nodes.map { node in
            "\(node.kind) \(node.name?.localName ?? "-") \(node.stringValue) \(node.line ?? 0) \(node.path ?? "-")"
        }
        #expect(found == expected)
    }

    @Test("A selected node can be inspected and used as the context of another expression")
    func context() throws {
        let document = try XMLDocumentTests.parse(Self.text)
        guard case .nodes(let books) = try document.xpath("//book"), let last = books.last else {
            Issue.record("expected books")
            return
        }
        #expect(last.element?.attribute("id") == "2")
        #expect(last.element?.elements.map(\.text) == ["Two", "4"])
        guard case .string(let title) = try document.xpath("string(title)", from: last) else {
            Issue.record("expected a title")
            return
        }
        #expect(title == "Two")
        guard case .nodes(let root) = try document.xpath("/") else { return }
        #expect(root.map(\.kind) == [.document])
        #expect(root.first?.element == nil)
        #expect(throws: XMLError.self) { try XMLDocumentTests.parse("<a/>").xpath("x", from: last) }
    }

    @Test("An undeclared default namespace is not a namespace node (XPath 1.0, section 5.4)")
    func undeclaredNamespace() throws {
        let document = try XMLDocumentTests.parse("<a xmlns='urn:d' xmlns:x='urn:x'><b xmlns=''/></a>")
        guard case .number(let ofElement) = try document.xpath("count(/*/namespace::*)"),
            case .number(let ofChild) = try document.xpath("count(//b/namespace::*)")
        else {
            Issue.record("expected numbers")
            return
        }
        // The namespace of the prefix xml is in scope everywhere.
        #expect(ofElement == 3)
        #expect(ofChild == 2)
    }

    @Test("An unbound prefix is an evaluation error")
    func unboundPrefix() {
        #expect(throws: XMLError(kind: .xpath, message: "the namespace prefix is not bound")) {
            try Self.evaluate("//n:note")
        }
    }

    @Test(
        "Hostile expressions are rejected with an error",
        arguments: [
            ("(", 30_000, "1", ")"), ("a[", 20_000, "1", "]"), ("-", 60_000, "1 1", ""), ("1+", 100_000, "1", ""),
            ("count(", 10_000, "/", ")"),
        ])
    func hostile(_ start: String, _ count: Int, _ middle: String, _ end: String) {
        let text = String(repeating: start, count: count) + middle + String(repeating: end, count: count)
        #expect(throws: XMLError.self) { try Self.evaluate(text) }
    }

    @Test("An evaluation with too many steps is stopped")
    func budget() throws {
        let document = try XMLDocumentTests.parse("<a>\(String(repeating: "<b/>", count: 2000))</a>")
        #expect(throws: XMLError(kind: .limit, message: "the expression takes too long on this document")) {
            try document.xpath("count(//*[count(//*[count(//*) > 1]) > 1])", operations: 100_000)
        }
    }

    @Test("Namespaces with an empty prefix or a NUL character are rejected")
    func namespaces() {
        #expect(throws: XMLError.self) { try Self.evaluate("a", ["": "urn:x"]) }
        #expect(throws: XMLError.self) { try Self.evaluate("a", ["p": "x\u{0}"]) }
    }

    @Test(
        "Numbers are formatted without an exponent and parsed in XPath syntax",
        arguments: [
            ("string(1 div 3)", "0.3333333333333333"), ("string(1000000 * 1000000 * 1000000 * 10000)", "1" + zeros(22)),
            ("string(1 div 100000000)", "0.00000001"), ("string(-0.5)", "-0.5"), ("string(0 div -1)", "0"),
            ("string(-1 div 0)", "-Infinity"), ("string(0 div 0)", "NaN"), ("string(12.50)", "12.5"),
            ("string(number(' 7. '))", "7"), ("string(number('-.5'))", "-0.5"), ("string(number('1e3'))", "NaN"),
            ("string(number('+1'))", "NaN"), ("string(number(''))", "NaN"), ("string(round(-2.5))", "-2"),
            ("string(round(2.5))", "3"), ("string(floor(-2.5))", "-3"), ("string(ceiling(2.1))", "3"),
            ("string(-7 mod 3)", "-1"), ("string(--3)", "3"), ("string(---3)", "-3"),
        ])
    func numbers(_ expression: String, _ expected: String) throws {
        #expect(try XMLDocumentTests.string(XMLDocumentTests.parse("<a/>"), expression) == expected)
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    @Test(
        "Strings are compared and cut by Unicode scalar",
        arguments: [
            ("substring('12345', 1.5, 2.6)", "234"), ("substring('12345', 0, 3)", "12"),
            ("substring('12345', 0 div 0, 3)", ""), ("substring('12345', -1 div 0, 1 div 0)", ""),
            ("substring('日本語', 2)", "本語"), ("translate('--aaa--', 'abc-', 'ABC')", "AAA"),
            ("translate('日本', '本', 'x')", "日x"), ("substring-before('1999/04/01', '/')", "1999"),
            ("substring-after('1999/04/01', '19')", "99/04/01"), ("substring-after('a', '')", "a"),
            ("string('é' = 'e\u{301}')", "false"), ("string(contains('日本', '本'))", "true"),
            ("string(contains('aab', 'ab'))", "true"), ("string(starts-with('é', 'e'))", "false"),
            ("normalize-space('\u{A0} a')", "\u{A0} a"),
        ])
    func strings(_ expression: String, _ expected: String) throws {
        #expect(try XMLDocumentTests.string(XMLDocumentTests.parse("<a/>"), expression) == expected)
    }

    @Test(
        "Steps and unions take time linear in the length of the document",
        arguments: [
            ("count(//a/following-sibling::a)", 29_999), ("count(//a/preceding-sibling::a)", 29_999),
            ("count(//a/following::a)", 29_999), ("count(//a/preceding::a)", 29_999), ("count(//a | //b)", 60_000),
            ("count(//a/ancestor::*//b)", 30_000), ("count(//a[following-sibling::b])", 30_000),
            ("count(//b[not(following-sibling::a)])", 1), ("count(//a/following-sibling::*[1])", 30_000),
        ])
    func linear(_ expression: String, _ expected: Double) throws {
        let document = try XMLDocumentTests.parse("<r>\(String(repeating: "<a/><b/>", count: 30_000))</r>")
        // A few visits per node. Visiting all nodes for each node would require 3,600 million.
        guard case .number(let number) = try document.xpath(expression, operations: 1_000_000) else {
            Issue.record("expected a number")
            return
        }
        #expect(number == expected)
    }

    @Test("An evaluation stops when its task is cancelled")
    func cancellation() async throws {
        let document = try XMLDocumentTests.parse("<a>\(String(repeating: "<b/>", count: 20_000))</a>")
        let task = Task { () -> XMLError.Kind? in
            while !Task.isCancelled { await Task.yield() }
            do throws(XMLError) {
                _ = try document.xpath("count(//*[count(//*) > 1])", operations: .max)
                return nil
            } catch {
                return error.kind
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
