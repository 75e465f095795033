import Testing

@testable import RunRecord

@Suite("The reader of XML")
struct XMLScannerTests {
    /// Returns a textual description of a document's events.
    private func events(_ text: String) throws -> [String] {
        var scanner = XMLScanner(Array(text.utf8))
        var events: [String] = []
        while let event = try scanner.next() {
            switch event {
            case .start(let name, let attributes):
                events.append(
                    ([name] + attributes.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }).joined(separator: " "))
            case .end(let name): events.append("/" + name)
            }
        }
        return events
    }

    @Test(
        "gives the elements in order",
        arguments: [
            ("<a/>", ["a", "/a"]),
            (
                "<?xml version=\"1.0\" encoding='utf-8'?>\n<a>\n <b x='1' y = \"2\" />t<b></b ></a>\n",
                [
                    "a", "b x=1 y=2", "/b", "b", "/b", "/a",
                ]
            ),
            ("\u{FEFF}<a b=\"&lt;&gt;&amp;&quot;&apos;&#10;&#x1F600;\"/>", ["a b=<>&\"'\n😀", "/a"]),
            ("<a b=\"x\ny\tz\"/>", ["a b=x y z", "/a"]),
            ("<!-- <x> --><a><![CDATA[<b>]]]]><![CDATA[>]]><!-- - --><?p <q> ?></a><!---->", ["a", "/a"]),
            ("<ns:a-b.c_d ä='ö'/>", ["ns:a-b.c_d ä=ö", "/ns:a-b.c_d"]),
        ])
    func good(text: String, expected: [String]) throws {
        #expect(try events(text) == expected)
    }

    @Test(
        "refuses what is not well-formed, with its place",
        arguments: [
            ("", "there is no element", 0), ("x", "there is text outside of the root element", 0),
            ("<a/>x", "there is text outside of the root element", 4),
            ("<a/><b/>", "there is a second root element", 4),
            ("<a>", "the document ends within \"a\"", 3), ("<a><b></a>", "\"b\" is ended as \"a\"", 6),
            ("</a>", "there is no \"a\" to be ended", 0), ("<a b=1/>", "a value is not in quotes", 5),
            ("<a b/>", "the attribute \"b\" has no value", 4),
            ("<a b=\"1\"c=\"2\"/>", "an attribute of \"a\" is not set apart by a space", 8),
            ("<a b='1' b='2'/>", "the attribute \"b\" comes twice", 9),
            ("<a b='<'/>", "there is a \"<\" in a value", 6),
            ("<a b='1", "a value is not closed", 7), ("<a b='&nbsp;'/>", "the reference \"&nbsp;\" means nothing", 6),
            ("<a b='&#xD800;'/>", "the reference \"&#xD800;\" means nothing", 6),
            ("<a b='&x'/>", "a reference is not closed", 6),
            ("<!DOCTYPE a><a/>", "a document type is not read", 0), ("<a><!-- </a>", "a comment is not closed", 7),
            ("<a><![CDATA[x</a>", "a CDATA section is not closed", 12),
            ("<?xml version='1.0' encoding='latin1'?><a/>", "the encoding is not UTF-8", 2),
            ("<a", "the document ends within \"a\"", 2), ("< a/>", "a name is missing", 1),
            ("<a></a", "the end of \"a\" is not closed", 6),
        ])
    func bad(text: String, message: String, offset: Int) {
        let failure = #expect(throws: XMLScanner.Failure.self) { try events(text) }
        #expect(failure?.message == message)
        #expect(failure?.offset == offset)
    }

    @Test("refuses elements that are nested too deep")
    func depth() {
        #expect(throws: XMLScanner.Failure.self) { try events(String(repeating: "<a>", count: 100_000)) }
    }

    @Test("survives every cut and every changed byte of a report")
    func damage() {
        let text = Array(
            "<testsuites><testsuite name=\"a&amp;b\"><testcase name='x'/><!--c--></testsuite></testsuites>".utf8)
        for end in text.indices {
            var scanner = XMLScanner(Array(text[..<end]))
            #expect(throws: XMLScanner.Failure.self) { while try scanner.next() != nil {} }
        }
        for index in text.indices {
            for byte in [0x00, 0x3C, 0x3E, 0x26, 0x22, 0xFF] as [UInt8] {
                var changed = text
                changed[index] = byte
                var scanner = XMLScanner(changed)
                // In any case, it ends.
                while (try? scanner.next()) != nil {}
            }
        }
    }
}
