import Testing
import XML

@Suite("Limits of XML documents", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XMLLimitsTests {
    static func message(_ text: String, _ limits: XMLLimits = .init()) -> String? {
        guard let error = XMLDocumentTests.failure(text, limits) else { return nil }
        #expect(error.kind == .limit)
        return error.message
    }

    /// Ten entities, each of which is ten times the one before.
    static func laughs(_ use: String) -> String {
        var declarations = "<!ENTITY e0 'ha'>"
        for index in 1..<10 {
            declarations += "<!ENTITY e\(index) '" + String(repeating: "&e\(index - 1);", count: 10) + "'>"
        }
        return "<!DOCTYPE a [\(declarations)]>\(use)"
    }

    @Test(
        "Entities that stand for very much are refused at once",
        arguments: [
            laughs("<a>&e9;</a>"), laughs("<a x='&e9;'/>"), laughs("<a>&e5;&e5;&e5;&e5;&e5;&e5;</a>"),
            laughs("<a/>").replacing("]>", with: "<!ATTLIST a x CDATA '&e9;'>]>"),
            // One long entity, used often.
            "<!DOCTYPE a [<!ENTITY b '\(String(repeating: "x", count: 10_000))'>]><a>"
                + String(repeating: "&b;", count: 10_000) + "</a>",
            "<!DOCTYPE a [<!ENTITY b '\(String(repeating: "x", count: 10_000))'>]><a>"
                + String(repeating: "<c x='&b;'/>", count: 10_000) + "</a>",
        ])
    func expansion(_ text: String) {
        let duration = ContinuousClock().measure {
            #expect(Self.message(text) == "the references to entities stand for more than 1048576 bytes")
        }
        #expect(duration < .seconds(5))
    }

    @Test(
        "Entities that refer to themselves, stand for elements, or are too many are refused",
        arguments: [
            ("<!DOCTYPE a [<!ENTITY b '&c;&c;'><!ENTITY c '&b;&b;'>]><a>&b;</a>", "refers to itself"),
            ("<!DOCTYPE a [<!ENTITY b '&c;&c;'><!ENTITY c '&b;&b;'>]><a x='&b;'/>", "refers to itself"),
            ("<!DOCTYPE a [<!ENTITY b '<c/>'>]><a>&b;</a>", "the entity 'b' stands for elements; only text is allowed"),
            (
                "<!DOCTYPE a [\((0..<300).map { "<!ENTITY e\($0) ''>" }.joined())]><a/>",
                "there are more than 256 entities in the document type"
            ),
            (
                "<!DOCTYPE a [<!ENTITY % p ' '><!ENTITY % q ' '>\(String(repeating: "%p; %q; ", count: 150))]><a/>",
                "there are more than 256 entities in the document type"
            ),
        ])
    func entities(_ text: String, message: String) {
        let found = Self.message(text)
        #expect(found?.contains(message) == true, "\(found ?? "accepted")")
    }

    @Test("Size, depth and number of nodes are bounded")
    func sizes() throws {
        let limits = XMLLimits(bytes: 1000, depth: 3, nodes: 10)
        #expect(Self.message("<a>\(String(repeating: " ", count: 1000))</a>", limits)?.contains("1000 bytes") == true)
        #expect(Self.message("<a><a><a/></a></a>", limits) == nil)
        #expect(Self.message("<a><a><a><a/></a></a></a>", limits) == "elements are nested deeper than 3 levels")
        #expect(Self.message("<a>\(String(repeating: "<b x='1'/>", count: 5))</a>", limits)?.contains("10") == true)
        #expect(Self.message("<a>\(String(repeating: "<b/>", count: 9))</a>", limits) == nil)
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(Self.message(deep) == "elements are nested deeper than 256 levels")
        let deepest = String(repeating: "<a>", count: 256) + String(repeating: "</a>", count: 256)
        #expect(try XMLDocumentTests.parse(deepest).root?.elements.count == 1)
    }

    @Test("Default values of attributes cost nothing, however many elements could have them")
    func defaults() throws {
        let type = "<!DOCTYPE a [<!ATTLIST b x CDATA '\(String(repeating: "x", count: 10_000))'>]>"
        let document = try XMLDocumentTests.parse("\(type)<a>\(String(repeating: "<b/>", count: 10_000))</a>")
        #expect(document.root?.elements.first?.attributes == [])
        guard case .number(let length) = try document.xpath("count(//@x)") else { return }
        #expect(length == 0)
    }

    @Test("HTML is bounded as well")
    func html() throws {
        #expect(throws: XMLError.self) {
            try XMLDocument.parseHTML(Array(String(repeating: "<div>", count: 100_000).utf8))
        }
        #expect(throws: XMLError.self) {
            try XMLDocument.parseHTML(
                Array(String(repeating: "<p>x</p>", count: 100).utf8), limits: XMLLimits(nodes: 50))
        }
    }
}
