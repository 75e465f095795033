import Testing
import XML

@Suite("HTML documents", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct HTMLTests {
    static func parse(_ text: String) throws -> XMLDocument { try XMLDocument.parseHTML(Array(text.utf8)) }

    @Test("Malformed HTML is repaired")
    func mended() throws {
        let document = try Self.parse(
            "<!DOCTYPE html><title>A &amp; B</title><p class=x>one<p>two <b>bold<br>é &nbsp; & &unknown; </i><table><td>1"
        )
        #expect(document.documentType == "html")
        let root = try #require(document.root)
        #expect(root.name.localName == "html")
        #expect(try XMLDocumentTests.string(document, "string(//title)") == "A & B")
        #expect(try XMLDocumentTests.string(document, "string(//p[1])") == "one")
        #expect(try XMLDocumentTests.string(document, "string(//p[@class='x'])") == "one")
        #expect(try XMLDocumentTests.string(document, "string(//td)") == "1")
        #expect(root.text.contains("bold"))
        #expect(root.text.contains("é \u{A0} & &unknown; "))
    }

    @Test(
        "Any bytes result in a document or an error",
        arguments: [
            "", " ", "<", "<!", "<!--", "<a", "<a b", "<a b='", "&", "&#", "&#xFFFFFFFFFF;", "</", "</a>", "<script>",
            "<!DOCTYPE", "<![CDATA[x]]>", "\u{0}", "x\u{0}y", "<p\u{0}>x", "plain text", "<svg:rect x:y=1>", "<?php x",
        ])
    func anything(_ text: String) {
        do throws(XMLError) {
            let document = try XMLDocument.parseHTML(Array(text.utf8))
            #expect(document.children.count < 10)
        } catch {
            #expect(!error.message.isEmpty)
        }
    }

    @Test("The encoding is taken from the charset, valid UTF-8, or the document")
    func encodings() throws {
        #expect(try Self.parse("<p>äöü").root?.text == "äöü")
        let latin: [UInt8] = Array("<p>".utf8) + [0xE4]
        #expect(try XMLDocument.parseHTML(latin, encoding: "ISO-8859-1").root?.text == "ä")
        let meta = Array("<meta charset=windows-1252><p>".utf8) + [0x80]
        #expect(try XMLDocument.parseHTML(meta).root?.text == "€")
    }
}
