import Basics
import CEL
import JSON
import RunModel
import SuiteModel
import Testing
import XML

@testable import Expectations

@Suite("XPath expectations", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XPathCheckTests {
    static let shop = """
        <?xml version="1.0"?>
        <shop xmlns:x="urn:x">
          <book id="1" lang="en"><title>Dune</title><price>12.50</price></book>
          <book id="2"><title>Emma</title><price>8</price></book>
          <x:open>true</x:open>
        </shop>
        """

    static let namespaces = ["n": "urn:x", "m": "urn:m"]

    static func findings(
        _ path: String, _ operators: Matcher.Operator..., body: String = shop, contentType: String = "application/xml",
        as markup: Markup = .xml
    ) throws -> [Finding] {
        var extras = ExpectationExtras()
        let expectation = ExpectationExtras.XPath(
            query: XPathQuery(expression: try XPathExpression(path), namespaces: namespaces), range: Fixture.range(3),
            matcher: Matcher(
                operators.map { Matcher.Operation($0, range: Fixture.range(2)) }, range: Fixture.range(2)))
        if markup == .xml { extras.xml = [expectation] } else { extras.html = [expectation] }
        return Fixture.check(
            ExpectationSet(extras: extras, isDefault: false),
            Fixture.exchange(body: body, contentType: contentType))
    }

    private static func equals(_ value: JSONValue) -> Matcher.Operator { .equals(.constant(value)) }

    @Test(
        "Matching expectations hold",
        arguments: [
            ("/shop/book[1]/title", equals(["Dune"])), ("//book/@id", equals(["1", "2"])),
            ("//book/@id", equals([1, 2])), ("(//book/@id)[2]", equals(2)), ("(//title)[last()]", equals("Emma")),
            ("//book[2]/@id", equals([2])), ("//book[2]/title[1]", equals("Emma")), ("count(//book)", equals(2)),
            ("count(//book)", .gt(.constant(1))),
            ("string(//title)", equals("Dune")), ("boolean(//title)", equals(true)),
            ("//price", equals([number("12.5"), 8])), ("//book[1]/price[1]", .lt(.constant(13))),
            ("//book[1]/price[1]", .type([.number])), ("//book[2]/price[position() = 1]", .type([.integer])),
            ("sum(//price)", equals(number("20.5"))), ("number(//title)", equals("NaN")),
            ("1 div 0", equals("Infinity")),
            ("//n:open", equals([true])), ("//n:open", equals(["true"])), ("//nothing", .exists(false)),
            ("//nothing", .empty(true)), ("//nothing", .each(Fixture.matcher(equals(1)))), ("//nothing", equals([])),
            ("//nothing", .length(Fixture.matcher(equals(0)))), ("(//nothing)[1]", .exists(false)),
            ("//title", .contains(.constant("Emma"))), ("//price", .contains(.constant(8))),
            ("//title", .includes(Fixture.matcher(.startsWith(.constant("E"))))),
            ("//book[1]/title", .each(Fixture.matcher(.length(Fixture.matcher(equals(4)))))),
            ("//price", .sorted(.descending)), ("//title", .sorted(.ascending)),
            ("//title", .length(Fixture.matcher(equals(2)))),
            ("//book[@lang='en']/title/text()", equals(["Dune"])),
            ("//title | //price", .length(Fixture.matcher(equals(4)))),
            ("/shop/book[last()]/title[1]", .matches(.template(.constant("^E"), range: Fixture.range()))),
        ] as [(String, Matcher.Operator)])
    func holds(_ path: String, _ operator: Matcher.Operator) throws {
        #expect(try Self.findings(path, `operator`).map(\.message) == [])
    }

    @Test(
        "Failed expectations have a message and the locations of the nodes",
        arguments: [
            (
                "//book[2]/title[1]", equals("Dune"), "expected \"Dune\" (string), got \"Emma\" (string)",
                ["line 4: <title>Emma</title>"]
            ),
            (
                "//book[2]/price[1]", equals(number("12.5")), "expected 12.5, got 8",
                ["line 4: <price>8</price>"]
            ),
            (
                "//book/@id", equals([1, 3]), "[1]: expected 3 (integer), got \"2\" (string)",
                [
                    "[0] line 3: <book id=\"1\" lang=\"en\"><title>Dune</title><price>12.50</price></book>",
                    "[1] line 4: <book id=\"2\"><title>Emma</title><price>8</price></book>",
                ]
            ),
            ("count(//book)", equals(3), "expected 3 (integer), got 2 (integer)", []),
            ("count(//book)", equals("2"), "expected \"2\" (string), got 2 (integer)", []),
            (
                "count(//boek)", equals(2), "expected 2 (integer), got 0 (integer)",
                ["//boek selects nothing: the document has no element \"boek\"; did you mean \"book\"?"]
            ),
            (
                "string(//book/@isbn)", equals("1"), "expected \"1\" (string), got \"\" (string)",
                [
                    "//book/@isbn selects nothing: none of the 2 nodes of //book has an attribute \"isbn\"; available: \"id\", \"lang\""
                ]
            ),
            ("boolean(//book)", equals(false), "expected false (boolean), got true (boolean)", []),
            (
                "//n:open", .exists(false), "expected no value, got [\"true\"] (array)",
                ["line 5: <x:open>true</x:open>"]
            ),
            (
                "/shop/book/title[1]", equals("Dune"), "expected one node, got 2",
                [
                    "a position counts within each parent; to count among all nodes, write (…)[1]",
                    "[0] line 3: <title>Dune</title>", "[1] line 4: <title>Emma</title>",
                ]
            ),
        ] as [(String, Matcher.Operator, String, [String])])
    func fails(_ path: String, _ operator: Matcher.Operator, message: String, details: [String]) throws {
        let findings = try Self.findings(path, `operator`)
        #expect(findings.map(\.message) == [message])
        #expect(findings.first?.details.map(\.text) == details)
        #expect(findings.first?.subject == "xml \(path)")
        #expect(findings.first?.kind == .failure)
        #expect(findings.first?.range.map { [Fixture.range(2), Fixture.range(3)].contains($0) } == true)
    }

    @Test("A list compared with a scalar fails, regardless of the number of nodes")
    func listsAndScalars() throws {
        let finding = try Self.findings("//book[1]/title", Self.equals("Dune")).first
        #expect(finding?.message == "expected \"Dune\" (string), got [\"Dune\"] (array)")
        #expect(finding?.details.first?.text.hasPrefix("the path yields a list: write [") == true)
        #expect(try Self.findings("//book[1]/price", .gt(.constant(1))).map(\.type.rawValue) == ["gt"])
    }

    @Test(
        "An empty selection reports how far the path matches and what is there",
        arguments: [
            ("/shp", "the root element is \"shop\""),
            ("/shop/bok", "/shop has no element \"bok\"; did you mean \"book\"?"),
            ("//book[3]", "//book selects 2 nodes"),
            ("//book[@id='9']/title", "none of the 2 nodes of //book satisfies [@id='9']"),
            ("//book[1]/@isbn", "//book[1] has no attribute \"isbn\"; available: \"id\", \"lang\""),
            ("//book[1][price='x']", "the only node of //book[1] does not satisfy [price='x']"),
            ("//title/sub", "none of the 2 nodes of //title has an element \"sub\"; available: none"),
            (
                "/shop//author",
                "/shop has no element \"author\" below it; available: \"book\", \"title\", \"price\", \"x:open\""
            ),
            ("//open", "the document's element \"open\" is in the namespace \"urn:x\"; write n:open"),
            ("//m:open", "the document's element \"open\" is in the namespace \"urn:x\"; write n:open"),
            ("//n:book", "the document's element \"book\" is in no namespace; write it without a prefix"),
            ("/shop/comment()", "comment() selects nothing from /shop"),
            ("//comment()", "the document has no comment()"),
        ])
    func absences(_ path: String, reason: String) throws {
        let absence = "\(path) selects nothing: \(reason)"
        let findings = try Self.findings(path, Self.equals("x"))
        if path.hasSuffix("]") {
            #expect(findings.map(\.message) == [absence])
        } else {
            #expect(findings.map(\.message) == ["expected \"x\" (string), got [] (array)"])
            #expect(findings.first?.details.first?.text == absence)
        }
    }

    @Test("An empty selection shows the nearest nodes and how to expect nothing")
    func nearestNodes() throws {
        #expect(
            try Self.findings("//book[2]/isbn[1]", .empty(true)).first?.details == [
                "line 4: <book id=\"2\"><title>Emma</title><price>8</price></book>",
                "to expect that an XPath selects nothing, write exists: false",
            ])
        #expect(
            try Self.findings("//a | //b", Self.equals(1)).first?.details.first == "//a | //b selects nothing")
    }

    @Test("A difference in layout whitespace is reported as such")
    func whiteSpace() throws {
        let body = "<a>\n  Dune  Messiah\n</a>"
        #expect(
            try Self.findings("/a", Self.equals(["Dune Messiah"]), body: body).first?.details == [
                "they differ only in whitespace; normalize-space(…) removes it", "line 1: <a> Dune Messiah </a>",
            ])
        #expect(try Self.findings("normalize-space(/a)", Self.equals("Dune Messiah"), body: body).isEmpty)
    }

    @Test("Only whitespace that normalize-space removes is reported, and only before it is removed")
    func otherSpace() throws {
        // A no-break space is not white space in XML, and is displayed as an escape.
        #expect(
            try Self.findings("/a", Self.equals(["Dune Messiah"]), body: "<a>Dune\u{A0}Messiah</a>").first?.details == [
                #"line 1: <a>Dune\u00a0Messiah</a>"#
            ])
        #expect(
            try Self.findings("normalize-space(/a)", Self.equals("Dune  Messiah"), body: "<a>Dune Messiah</a>")
                .first?.details == [])
    }

    @Test("A default namespace without a prefix in the suite is explained")
    func defaultNamespace() throws {
        let findings = try Self.findings("//url", Self.equals("x"), body: "<urlset xmlns='urn:s'><url/></urlset>")
        #expect(
            findings.first?.details.first
                == "//url selects nothing: the document's element \"url\" is in the namespace \"urn:s\"; bind a prefix to it under \"namespaces\" of the suite"
        )
    }

    @Test(
        "A body that is not XML is one failure with its location",
        arguments: [
            (
                "<a>\n  <b></a>", "application/xml",
                "the body is not XML (line 2, column 10): the end tag \"a\" does not match the start tag \"b\" on line 2",
                ["  <b></a>", "         ^"]
            ),
            (
                "{\"a\": 1}", "application/json",
                "the body is not XML (line 1, column 1): start tag expected, '<' not found; Content-Type is application/json",
                ["{\"a\": 1}", "^"]
            ),
            ("", "text/xml", "expected XML, but the body is empty", []),
            (
                "<!DOCTYPE html><p>a<br>b", "text/html",
                "the body is not XML (line 1, column 25): the element \"br\" on line 1 has no end tag; Content-Type is text/html: use \"html\"",
                ["<!DOCTYPE html><p>a<br>b", "                        ^"]
            ),
        ])
    func malformed(_ body: String, contentType: String, message: String, details: [String]) throws {
        let findings = try Self.findings("//a", Self.equals("x"), body: body, contentType: contentType)
        #expect(findings.map(\.message) == [message])
        #expect(findings.first?.details.map(\.text) == details)
        #expect(findings.first?.type.rawValue == "xml")
        #expect(findings.first?.range == Fixture.range(3))
    }

    @Test("HTML is parsed leniently, with the charset of Content-Type or of the document")
    func html() throws {
        let page = "<title>Caf\u{E9}</title><p class=a>one<p>two"
        #expect(
            try Self.findings("//p[2]", Self.equals("two"), body: page, contentType: "text/html", as: .html).isEmpty)
        #expect(
            try Self.findings("//title", Self.equals(["Caf\u{E9}"]), body: page, contentType: "text/html", as: .html)
                .isEmpty)
        #expect(
            try Self.findings("//H1", Self.equals("x"), body: "<h1>a</h1>", contentType: "", as: .html)
                .first?.details.first
                == "//H1 selects nothing: the document has no element \"H1\"; did you mean \"h1\"?")
        let latin = Fixture.exchange(bytes: Array("<p>".utf8) + [0xE9], contentType: "text/html; charset=ISO-8859-1")
        #expect(try ResponseContent(latin).document(.html).root?.text == "é")
        let meta = Fixture.exchange(
            bytes: Array("<meta charset=\"iso-8859-1\"><p>".utf8) + [0xE9], contentType: "text/html")
        #expect(try ResponseContent(meta).document(.html).root?.text == "é")
        let unknown = Fixture.exchange(bytes: Array("<a>x</a>".utf8), contentType: "text/xml; charset=x-unknown")
        #expect(try ResponseContent(unknown).document(.xml).root?.text == "x")
    }

    @Test("The body is parsed only once")
    func parsedOnce() throws {
        let content = ResponseContent(Fixture.exchange(body: Self.shop, contentType: "text/xml"))
        #expect(try content.document(.xml) === content.document(.xml))
    }

    @Test(
        "The markup language is determined by the media type or else by the beginning of the body",
        arguments: [
            ("text/html; charset=utf-8", "<a/>", .html), ("application/xhtml+xml", "<html/>", .xml),
            ("text/xml", "<html>", .xml), ("image/svg+xml", "", .xml), ("text/plain", " <!DOCTYPE HTML><p>", .html),
            ("", "<HTML><body>", .html), ("", "<?xml version='1.0'?><html/>", .xml), ("", "", .xml),
        ] as [(String, String, Markup)])
    func markups(_ type: String, _ body: String, _ markup: Markup) {
        #expect(ResponseContent(Fixture.exchange(body: body, contentType: type)).markup == markup)
    }

    @Test("An expression that takes too long or selects too many nodes is an error")
    func bounds() throws {
        let body = "<a>" + String(repeating: "<b/>", count: 6000) + "</a>"
        let slow = try Self.findings("count(//*[count(//*) > count(//b[count(//*) > 1])])", Self.equals(1), body: body)
        #expect(slow.map(\.message) == ["the expression takes too long on this document"])
        #expect(slow.first?.kind == .error)
        let many = try Self.findings(
            "//b", Self.equals(1), body: "<a>" + String(repeating: "<b/>", count: 100_001) + "</a>")
        #expect(many.map(\.message) == ["selects 100001 nodes; the maximum is 100000"])
    }

    // MARK: Captures

    private func capture(
        _ path: String, default defaultValue: ValueTemplate? = nil, as conversion: Capture.Conversion? = nil,
        body: String = shop, contentType: String = "application/xml"
    ) throws -> (value: JSONValue?, finding: Finding?) {
        let query = XPathQuery(expression: try XPathExpression(path), namespaces: Self.namespaces)
        let capture = Capture(
            name: "x", source: .xpath(query), defaultValue: defaultValue, conversion: conversion,
            range: Fixture.range(6), sourceRange: Fixture.range(7))
        let result = ExpectationChecker().capture(
            [capture], exchange: Fixture.exchange(body: body, contentType: contentType), scope: CELVariables(),
            context: CELContext())
        return (result.values.first?.value.json, result.findings.first)
    }

    @Test("Captures return strings, arrays, and computed values, converted if requested")
    func captures() throws {
        #expect(try capture("//book[1]/price").value == ["12.50"])
        #expect(try capture("//book[1]/price[1]").value == "12.50")
        #expect(try capture("//book[1]/price[1]", as: .number).value == number("12.50"))
        #expect(try capture("//title").value == ["Dune", "Emma"])
        #expect(try capture("//nothing").value == [])
        #expect(try capture("count(//title)").value == 2)
        #expect(try capture("string(//n:open)", as: .boolean).value == true)
        #expect(try capture("//p", body: "<p>one", contentType: "text/html").value == ["one"])
        #expect(try capture("//nothing", default: .constant("none")).value == "none")
        #expect(try capture("//p", default: .constant("none"), body: "no XML").value == "none")
        let several = try capture("//title[1]", default: .constant("none")).finding
        #expect(several?.message == "expected one node, got 2")
        #expect(several?.kind == .error)
    }

    @Test("A capture that finds nothing reports why")
    func capturesNothing() throws {
        let finding = try capture("//book[1]/titel[1]").finding
        #expect(
            finding?.message
                == "//book[1]/titel[1] selects nothing: //book[1] has no element \"titel\"; did you mean \"title\"?")
        #expect(finding?.subject == "capture x")
        #expect(finding?.range == Fixture.range(7))
        #expect(finding?.details.count == 1)
        #expect(
            try capture("//a", body: "<a>").finding?.message.hasPrefix("the body is not XML (line 1, ")
                == true)
    }

    @Test("A body that is not XML is reported once for all captures")
    func oneProblem() throws {
        let query = XPathQuery(expression: try XPathExpression("//a"))
        let capture = Capture(
            name: "x", source: .xpath(query), range: Fixture.range(6), sourceRange: Fixture.range(7))
        let result = ExpectationChecker().capture(
            [capture, capture], exchange: Fixture.exchange(body: "<a>"), scope: CELVariables(), context: CELContext())
        #expect(result.findings.count == 1)
    }
}
