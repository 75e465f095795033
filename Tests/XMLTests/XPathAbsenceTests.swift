import Testing
import XML

@Suite("XPath expressions that select nothing", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XPathAbsenceTests {
    static let text = """
        <shop xmlns:x="urn:x">
          <book id="1"><title>One</title></book>
          <book id="2"><title>Two</title><x:note x:y="z"/></book>
        </shop>
        """

    static func absences(_ text: String) throws -> [XPathAbsence] {
        try XMLDocumentTests.parse(Self.text).absences(
            of: XPathExpression(text), namespaces: ["n": "urn:x", "m": "urn:m"])
    }

    @Test(
        "The longest prefix that selects nodes and the reason it ends are reported",
        arguments: [
            ("/shp", nil, 1, .name("shp", isAttribute: false, among: ["shop"])),
            ("shp/book", nil, 0, .name("shp", isAttribute: false, among: ["shop"])),
            ("/shop/bok/title", "/shop", 1, .name("bok", isAttribute: false, among: ["book"])),
            ("//book/titel", "//book", 2, .name("titel", isAttribute: false, among: ["title", "x:note"])),
            ("//titel", nil, 0, .name("titel", isAttribute: false, among: ["shop", "book", "title", "x:note"])),
            ("/shop//titel", "/shop", 1, .name("titel", isAttribute: false, among: ["book", "title", "x:note"])),
            ("//book/@idd", "//book", 2, .name("idd", isAttribute: true, among: ["id"])),
            ("//title/@id", "//title", 2, .name("id", isAttribute: true, among: [])),
            ("//book[3]/title", "//book", 2, .predicate("[3]", isPosition: true)),
            ("//book[@id = '9']", "//book", 2, .predicate("[@id = '9']", isPosition: false)),
            ("//book[@id][title='x']", "//book[@id]", 2, .predicate("[title='x']", isPosition: false)),
            ("(//book)[9]/title", "(//book)", 2, .predicate("[9]", isPosition: true)),
            ("//note", nil, 0, .namespace(localName: "note", isAttribute: false, found: "urn:x")),
            ("//m:note", nil, 0, .namespace(localName: "note", isAttribute: false, found: "urn:x")),
            ("//n:book", nil, 0, .namespace(localName: "book", isAttribute: false, found: nil)),
            ("//n:note/@y", "//n:note", 1, .namespace(localName: "y", isAttribute: true, found: "urn:x")),
            ("//n:nota", nil, 0, .name("n:nota", isAttribute: false, among: ["shop", "book", "title", "x:note"])),
            ("/shop/comment()", "/shop", 1, .step("comment()")), ("//title/*", "//title", 2, .step("*")),
            ("//shop/following-sibling::a", "//shop", 1, .step("following-sibling::a")),
            (
                "/shop/descendant::titel", "/shop", 1,
                .name("titel", isAttribute: false, among: ["book", "title", "x:note"])
            ),
        ] as [(String, String?, Int, XPathAbsence.Reason)])
    func reasons(_ path: String, existing: String?, count: Int, reason: XPathAbsence.Reason) throws {
        let absences = try Self.absences(path)
        #expect(absences.map(\.path) == [path])
        #expect(absences.map(\.existing) == [existing])
        #expect(absences.map(\.count) == [count])
        #expect(absences.map(\.reason) == [reason])
    }

    @Test("In computed values and unions, each path that selects nothing is reported")
    func computed() throws {
        #expect(
            try Self.absences("count(//boo) + sum(//book/@price) + count(//book)").map(\.path) == [
                "//boo", "//book/@price",
            ])
        #expect(try Self.absences("/a | /b").map(\.path) == ["/a", "/b"])
        #expect(try Self.absences("string(//book[title = //nothing])").map(\.path) == ["//book[title = //nothing]"])
        #expect(try Self.absences("//book").isEmpty)
    }

    @Test(
        "The beginning of an element is shown on one line",
        arguments: [
            ("//book[1]", 2, "<book id=\"1\"><title>One</title></book>"),
            ("//book[1]/@id", 2, "<book id=\"1\"><title>One…"),
            ("//book[1]/title/text()", 2, "<title>One</title>"), ("/", 1, "<shop><book id=\"1\"><title…"),
            ("//@*[. = 'z']", 3, "<x:note x:y=\"z\"/>"),
        ])
    func excerpts(_ path: String, line: Int, text: String) throws {
        let document = try XMLDocumentTests.parse(Self.text)
        guard case .nodes(let nodes) = try document.xpath(path), let node = nodes.first else {
            Issue.record("\(path) selects nothing")
            return
        }
        let excerpt = try #require(node.excerpt(limit: text.hasSuffix("…") ? 25 : 72))
        #expect(excerpt.line == line)
        #expect(excerpt.text.hasPrefix(text.hasSuffix("…") ? String(text.prefix(20)) : text))
        #expect(excerpt.text.hasSuffix("…") == text.hasSuffix("…"))
    }

    @Test("An excerpt shows nodes of all kinds")
    func excerptOfMixedContent() throws {
        let document = try XMLDocumentTests.parse(
            "<a x='&lt;&quot;'>\n  1 &lt; 2<!--c--><?p q?><![CDATA[<b>]]>\n\n<b/><c><d/></c>e</a>")
        guard case .nodes(let nodes) = try document.xpath("/a") else { return }
        #expect(
            nodes.first?.excerpt(limit: 200)?.text
                == "<a x=\"&lt;&quot;\"> 1 &lt; 2<!--…--><?p…?>&lt;b><b/><c><d/></c>e</a>")
    }
}
