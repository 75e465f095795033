import Basics
import Testing
import XML

@Suite("Limits of XML documents", .enabled(if: XMLLibrary.isAvailable, "libxml2 is not installed"))
struct XMLLimitsTests {
    static func message(_ text: String, _ limits: XMLLimits = .init()) -> String? {
        guard let error = XMLDocumentTests.failure(text, limits) else { return nil }
        #expect(error.kind == .limit)
        return error.message
    }

    /// Returns ten entities that each expand to ten times the previous one.
    static func laughs(_ use: String) -> String {
        var declarations = "<!ENTITY e0 'ha'>"
        for index in 1..<10 {
            declarations += "<!ENTITY e\(index) '" + String(repeating: "&e\(index - 1);", count: 10) + "'>"
        }
        return "<!DOCTYPE a [\(declarations)]>\(use)"
    }

    /// A named technique that makes a short document expand.
    enum Bomb: String, CaseIterable {
        case text, attribute, repeated, defaultValue, longText, longAttribute, declared, used

        var document: String {
            let long = "<!DOCTYPE a [<!ENTITY b '\(String(repeating: "x", count: 10_000))'>]>"
            switch self {
            case .text: return XMLLimitsTests.laughs("<a>&e9;</a>")
            case .attribute: return XMLLimitsTests.laughs("<a x='&e9;'/>")
            case .repeated: return XMLLimitsTests.laughs("<a>&e5;&e5;&e5;&e5;&e5;&e5;</a>")
            case .defaultValue:
                return XMLLimitsTests.laughs("<a/>").replacing("]>", with: "<!ATTLIST a x CDATA '&e9;'>]>")
            case .longText: return "\(long)<a>\(String(repeating: "&b;", count: 10_000))</a>"
            case .longAttribute: return "\(long)<a>\(String(repeating: "<c x='&b;'/>", count: 10_000))</a>"
            case .declared: return "<!DOCTYPE a [\((0..<300).map { "<!ENTITY e\($0) ''>" }.joined())]><a/>"
            case .used:
                let uses = String(repeating: "%p; %q; ", count: 150)
                return "<!DOCTYPE a [<!ENTITY % p ' '><!ENTITY % q ' '>\(uses)]><a/>"
            }
        }

        var message: String {
            switch self {
            case .declared, .used: "the document type declaration exceeds the maximum of 256 entities"
            default: "the entity references expand to "
            }
        }
    }

    @Test("Entities that expand too much or are too many are rejected immediately", arguments: Bomb.allCases)
    func bombs(_ bomb: Bomb) {
        let duration = ContinuousClock().measure {
            #expect(Self.message(bomb.document)?.hasPrefix(bomb.message) == true)
        }
        #expect(duration < .seconds(5))
    }

    @Test(
        "Entities that refer to themselves or contain elements are rejected",
        arguments: [
            ("<!DOCTYPE a [<!ENTITY b '&c;&c;'><!ENTITY c '&b;&b;'>]><a>&b;</a>", "refers to itself"),
            ("<!DOCTYPE a [<!ENTITY b '&c;&c;'><!ENTITY c '&b;&b;'>]><a x='&b;'/>", "refers to itself"),
            ("<!DOCTYPE a [<!ENTITY b '<c/>'>]><a>&b;</a>", "the entity \"b\" contains elements; only text is allowed"),
        ])
    func entities(_ text: String, message: String) {
        let found = Self.message(text)
        #expect(found?.contains(message) == true, "\(found ?? "accepted")")
    }

    @Test("No external entity, DTD, inclusion, or XPath function reads outside the document")
    func outside() throws {
        let path = "file:///etc/hostname"
        let document = try XMLDocumentTests.parse(
            """
            <!DOCTYPE a SYSTEM "\(path)" [<!ENTITY f SYSTEM "\(path)"><!ENTITY % p SYSTEM "\(path)"> %p;]>
            <a xmlns:xi="http://www.w3.org/2001/XInclude">&f;<xi:include href="\(path)" parse="text"/></a>
            """)
        #expect(try XMLDocumentTests.string(document, "string(/)") == "")
        #expect(throws: XMLError.self) { try document.xpath("document('\(path)')") }
        #expect(throws: XMLError.self) { try document.xpath("unparsed-text('\(path)')") }
    }

    @Test("Default attribute values are not added")
    func defaults() throws {
        let type = "<!DOCTYPE a [<!ATTLIST b x CDATA '\(String(repeating: "x", count: 1000))'>]>"
        let document = try XMLDocumentTests.parse("\(type)<a>\(String(repeating: "<b/>", count: 900))</a>")
        #expect(document.root?.elements.first?.attributes == [])
        guard case .number(let length) = try document.xpath("count(//@x)") else { return }
        #expect(length == 0)
    }

    @Test("The limits also apply to HTML")
    func html() throws {
        #expect(throws: XMLError.self) {
            try XMLDocument.parseHTML(Array(String(repeating: "<div>", count: 100_000).utf8))
        }
        #expect(throws: XMLError.self) {
            try XMLDocument.parseHTML(
                Array(String(repeating: "<p>x</p>", count: 100).utf8), limits: XMLLimits(nodes: 50))
        }
    }

    /// A named technique that keeps libxml2 busy without checking the time, or exhausts memory.
    enum Flood: String, CaseIterable {
        case attributes, namespaces, nestedNamespaces, declaredAttributes, declaredNames, defaultValues, elements
        case texts, comments, instructions, sections

        var document: String {
            func list(_ count: Int, _ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: " ") }
            switch self {
            case .attributes: return "<a \(list(100_000) { "a\($0)=\"\"" })/>"
            case .namespaces: return "<a \(list(100_000) { "xmlns:a\($0)=\"u\"" })/>"
            case .nestedNamespaces:
                let starts = (0..<100).map { depth in "<a \(list(20) { "xmlns:a\(depth)x\($0)=\"u\"" })>" }
                return starts.joined() + String(repeating: "<a0x0:b/>", count: 1000)
            case .declaredAttributes: return "<!DOCTYPE a [<!ATTLIST a \(list(1500) { "x\($0) CDATA '1'" })>]><a/>"
            case .declaredNames:
                return "<!DOCTYPE a [<!ATTLIST a b (\(list(100_000) { "x\($0)|" })y) 'y'>]><a/>"
            case .defaultValues:
                let type = "<!DOCTYPE a [<!ATTLIST a \(list(900) { "x\($0) CDATA '1'" })>]>"
                return "\(type)<a>\(String(repeating: "<a/>", count: 3000))</a>"
            case .elements: return "<a>\(String(repeating: "<a/>", count: 20_001))</a>"
            case .texts: return "<a>\(String(repeating: "<?a?>x", count: 20_001))</a>"
            case .comments: return "<a>\(String(repeating: "<!---->", count: 40_001))</a>"
            case .instructions: return "<a>\(String(repeating: "<?a?>", count: 40_001))</a>"
            case .sections: return "<a>\(String(repeating: "<![CDATA[]]><?a?>", count: 20_001))</a>"
            }
        }

        var message: String {
            switch self {
            case .attributes, .namespaces, .nestedNamespaces:
                "an element exceeds the maximum of 1000 attributes and namespace declarations"
            case .declaredAttributes, .declaredNames:
                "the document type declaration exceeds the maximum of 1000 attributes or 65536 bytes"
            case .elements: "the document exceeds the maximum of 20000 elements"
            default: "the document exceeds the maximum of 40000 elements, attributes and other nodes"
            }
        }
    }

    @Test(
        "Documents that take libxml2 quadratic time are rejected immediately",
        arguments: Flood.allCases)
    func floods(_ flood: Flood) {
        let duration = ContinuousClock().measure {
            #expect(Self.message(flood.document, XMLLimits(elements: 20_000, nodes: 40_000)) == flood.message)
        }
        #expect(duration < .seconds(5))
    }

    @Test("An element may have 1,000 attributes in XML and HTML")
    func manyAttributes() throws {
        let attributes = (0..<1000).map { "a\($0)=\"\($0)\"" }.joined(separator: " ")
        let elements = String(repeating: "<b \(attributes)></b>", count: 3)
        let xml = try XMLDocumentTests.parse("<a>\(elements)</a>")
        #expect(xml.root?.elements.map(\.attributes.count) == [1000, 1000, 1000])
        guard case .number(let count) = try XMLDocument.parseHTML(Array(elements.utf8)).xpath("count(//@*)") else {
            Issue.record("expected a number")
            return
        }
        #expect(count == 3000)
    }

    @Test("The number of attributes of an HTML element is limited, even without values")
    func attributesOfHTML() {
        let attributes = (0..<100_000).map { "a\($0)" }.joined(separator: " ")
        #expect(
            throws: XMLError(
                kind: .limit, message: "an element exceeds the maximum of 1000 attributes and namespace declarations")
        ) { try XMLDocument.parseHTML(Array("<p \(attributes)>x</p>".utf8)) }
    }

    @Test("Parsing stops when it takes too much processor time")
    func time() {
        let text = "<a>\(String(repeating: "<b/>", count: 100_000))</a>"
        #expect(Self.message(text, XMLLimits(time: .zero)) == "parsing exceeded the maximum time of 0.0 seconds")
    }

    @Test("Parsing stops when its task is cancelled")
    func cancellation() async {
        let text = "<a>\(String(repeating: "<b/>", count: 100_000))</a>"
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return XMLDocumentTests.failure(text)?.kind
        }
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
