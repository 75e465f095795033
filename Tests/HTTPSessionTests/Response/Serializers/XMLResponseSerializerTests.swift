import HTTPSession
import Testing
import XML

@Suite("XML responses", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XMLResponseSerializerTests {
    @Test("The syntax depends on the serializer or the content type, and the encoding on the charset")
    func documents() async throws {
        let session = Session(transport: CannedTransport(text: "<books><book id='7'>é</book></books>"))
        let document = try await session.get("http://example.test/").serialize(with: .xml)
        #expect(document.root?.elements.first?.attribute("id") == "7")
        #expect(document.root?.text == "é")
        let latin: HTTPHeaders = ["Content-Type": "application/xml; charset=\"ISO-8859-1\""]
        #expect(
            try response(200, latin, [0x3C, 0x61, 0x3E, 0xE9, 0x3C, 0x2F, 0x61, 0x3E]).serialize(with: .xml).root?.text
                == "é")
        let page = try response(500, ["Content-Type": "Text/HTML"], Array("<p>one<p>two".utf8))
        #expect(try page.serialize(with: .html).root?.text == "onetwo")
        #expect(try page.serialize(with: XMLResponseSerializer(syntax: .byContentType)).root?.text == "onetwo")
        #expect(throws: SessionError.self) { try page.serialize(with: .xml) }
        let feed = try response(200, ["Content-Type": "application/atom+xml"], Array("<p>one<p>two".utf8))
        #expect(throws: SessionError.self) { try feed.serialize(with: XMLResponseSerializer(syntax: .byContentType)) }
    }

    @Test(
        "Syntax errors are reported with their location",
        arguments: [
            ("<a>\n<b></a>", "line 2, column 8: the end tag \"a\" does not match the start tag \"b\" on line 2"),
            ("", "the body is empty"), ("{}", "line 1, column 1: start tag expected"),
        ])
    func failures(_ body: String, _ words: String) throws {
        let response = try response(200, [:], Array(body.utf8))
        let error = #expect(throws: SessionError.self) { try response.serialize(with: .xml) }
        #expect(error?.reason == .undecodable)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("Limits are enforced")
    func limits() throws {
        let response = try response(200, [:], Array("<a><b><c/></b></a>".utf8))
        let error = #expect(throws: SessionError.self) {
            try response.serialize(with: XMLResponseSerializer(limits: XMLLimits(depth: 2)))
        }
        #expect((error?.underlying as? XMLError)?.kind == .limit)
    }
}
