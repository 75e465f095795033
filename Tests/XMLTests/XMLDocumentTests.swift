import Basics
import Testing
import XML

@Suite("XML documents", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XMLDocumentTests {
    static func parse(_ text: String, _ limits: XMLLimits = .init()) throws(XMLError) -> XMLDocument {
        try XMLDocument.parse(Array(text.utf8), limits: limits)
    }

    static func failure(_ text: String, _ limits: XMLLimits = .init()) -> XMLError? {
        do throws(XMLError) {
            _ = try parse(text, limits)
            return nil
        } catch {
            return error
        }
    }

    @Test("The tree contains elements, attributes, namespaces, and all other nodes in order")
    func tree() throws {
        let document = try Self.parse(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- before -->
            <a:books xmlns:a="urn:a" xmlns="urn:default" z="1" a:b="&lt;x&gt; &#233;">
              <book id="7">Ü<![CDATA[<&>]]></book><?go on?><?stop?><!--c-->
              <none xmlns=""/>
            </a:books>
            <!-- after -->
            """)
        let book = XMLElement(
            XMLName("book", namespace: "urn:default"), attributes: [XMLAttribute(XMLName("id"), "7")],
            children: [.text("Ü"), .cdata("<&>")])
        let none = XMLElement(XMLName("none"), namespaces: [XMLNamespace(prefix: nil, uri: nil)])
        let root = XMLElement(
            XMLName("books", prefix: "a", namespace: "urn:a"),
            attributes: [
                XMLAttribute(XMLName("z"), "1"),
                XMLAttribute(XMLName("b", prefix: "a", namespace: "urn:a"), "<x> é"),
            ],
            namespaces: [XMLNamespace(prefix: "a", uri: "urn:a"), XMLNamespace(prefix: nil, uri: "urn:default")],
            children: [
                .text("\n  "), .element(book), .processingInstruction(target: "go", data: "on"),
                .processingInstruction(target: "stop", data: nil), .comment("c"), .text("\n  "), .element(none),
                .text("\n"),
            ])
        #expect(document.root == root)
        #expect(document.children == [.comment(" before "), .element(root), .comment(" after ")])
        #expect(document.version == "1.0")
        #expect(document.encoding == "UTF-8")
        #expect(document.documentType == nil)
        #expect(document.root?.line == 3)
        #expect(document.root?.elements.map(\.line) == [4, 5])
        #expect(document.root?.elements.first?.text == "Ü<&>")
        #expect(document.root?.text == "\n  Ü<&>\n  \n")
        #expect(document.root?.attribute("b", namespace: "urn:a") == "<x> é")
        #expect(document.root?.attribute("b") == nil)
        #expect(document.root?.name.description == "a:books")
    }

    @Test("Internal entities are replaced by their text, and others are kept as references")
    func entities() throws {
        let document = try Self.parse(
            """
            <!DOCTYPE a SYSTEM "file:///etc/hostname" [
              <!ENTITY b "one &c; two"> <!ENTITY c "&#38;#60;"> <!ENTITY f SYSTEM "file:///etc/passwd">
              <!ATTLIST a y CDATA "default &c;">
            ]>
            <a x="[&b;]">(&b;)&f;&nbsp;</a>
            """)
        #expect(document.documentType == "a")
        let root = try #require(document.root)
        #expect(root.attribute("x") == "[one < two]")
        #expect(root.attribute("y") == nil)
        #expect(root.children == [.text("(one < two)"), .entityReference("f"), .entityReference("nbsp")])
        #expect(try Self.string(document, "string(/a)") == "(one < two)")
        #expect(try Self.string(document, "string(/a/@x)") == "[one < two]")
    }

    static func string(_ document: XMLDocument, _ expression: String) throws -> String? {
        if case .string(let text) = try document.xpath(expression) { text } else { nil }
    }

    @Test(
        "Documents that are not well-formed are rejected with the location",
        arguments: [
            ("<a>\n  <b></a>", 2, 10, "the end tag \"a\" does not match the start tag \"b\" on line 2"),
            ("<a>\n", 2, 1, "the element \"a\" on line 1 has no end tag"),
            ("<a/><b/>", 1, 5, "extra content at the end of the document"),
            ("hello", 1, 1, "start tag expected, '<' not found"),
            ("", 1, 1, "the document is empty"), (" \n ", 1, 1, "the document is empty"),
            ("<a>\n&x;</a>", 2, 4, "undeclared entity \"x\""),
            ("<a x='1' x='2'/>", 1, 15, "duplicate attribute \"x\""),
            ("<a>\n<p:b/></a>", 2, 5, "undeclared namespace prefix \"p\""),
            ("<a>\u{1}</a>", 1, 4, "the document contains a character that XML does not allow"),
            ("<a b></a>", 1, 5, "the attribute \"b\" has no value"),
            ("<a", 1, 3, "the start tag \"a\" is not closed by \">\""),
            ("<a>x & y</a>", 1, 7, "\"&\" is not followed by the name of an entity; write \"&amp;\""),
            ("<a>&x y</a>", 1, 6, "a reference to an entity does not end with \";\"; write \"&amp;\" for \"&\""),
        ])
    func malformed(_ text: String, line: Int, column: Int, message: String) {
        #expect(
            Self.failure(text) == XMLError(kind: .syntax, message: MessageText(message), line: line, column: column))
    }

    @Test("Bytes that are invalid in the document's encoding are reported")
    func encodingError() {
        #expect {
            try XMLDocument.parse([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E])
        } throws: { error in
            (error as? XMLError)?.message == "the document is not UTF-8 and does not declare another encoding"
        }
    }

    @Test(
        "Other encodings are supported, and an external encoding overrides the declared one",
        arguments: [
            ([0xE9], "ISO-8859-1", nil), ([0xC3, 0xA9], "UTF-8", nil), ([0xC3, 0xA9], "ISO-8859-1", "UTF-8"),
        ] as [([UInt8], String, String?)])
    func encodings(_ letter: [UInt8], declared: String, reported: String?) throws {
        let bytes = Array("<?xml version='1.0' encoding='\(declared)'?><a>".utf8) + letter + Array("</a>".utf8)
        #expect(try XMLDocument.parse(bytes, encoding: reported).root?.text == "é")
        let wide = Array("\u{FEFF}<a>é</a>".utf16).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(try XMLDocument.parse(wide).root?.text == "é")
    }

    @Test("Every truncation of a document is rejected")
    func truncations() throws {
        let text = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b 'c'>]><a x='1'>&b;<!--c--><![CDATA[d]]><e/><?f g?></a>"
        _ = try Self.parse(text)
        for length in 0..<text.utf8.count {
            #expect(throws: XMLError.self) { try XMLDocument.parse(Array(text.utf8.prefix(length))) }
        }
    }

    @Test("Many threads can parse documents and read a shared one concurrently")
    func threads() async throws {
        let shared = try Self.parse("<a><b>shared</b></a>")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask { try Self.use(shared, index) }
            }
            try await group.waitForAll()
        }
    }

    private static func use(_ shared: XMLDocument, _ index: Int) throws {
        #expect(try parse("<a><b>\(index)</b></a>").root?.text == "\(index)")
        #expect(failure("<a>\n<\(index)/></a>")?.line == 2)
        #expect(shared.root?.text == "shared")
        #expect(try string(shared, "string(//b)") == "shared")
    }
}
