import Testing

@testable import RunRecord

@Suite("The XML scanner")
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
        "Elements are returned in order",
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
        "XML that is not well-formed is rejected with its location",
        arguments: [
            ("", "missing root element", 0), ("x", "unexpected text outside the root element", 0),
            ("<a/>x", "unexpected text outside the root element", 4),
            ("<a/><b/>", "more than one root element", 4),
            ("<a>", "unexpected end of the document in \"a\"", 3),
            ("<a><b></a>", "expected the end tag \"b\", got \"a\"", 6),
            ("</a>", "the end tag \"a\" has no start tag", 0), ("<a b=1/>", "an attribute value is not in quotes", 5),
            ("<a b/>", "the attribute \"b\" has no value", 4),
            ("<a b=\"1\"c=\"2\"/>", "missing space before an attribute of \"a\"", 8),
            ("<a b='1' b='2'/>", "duplicate attribute \"b\"", 9),
            ("<a b='<'/>", "unescaped \"<\" in an attribute value", 6),
            ("<a b='1", "an attribute value is not closed", 7), ("<a b='&nbsp;'/>", "unknown reference \"&nbsp;\"", 6),
            ("<a b='&#xD800;'/>", "unknown reference \"&#xD800;\"", 6),
            ("<a b='&x'/>", "a reference is not closed", 6),
            ("<!DOCTYPE a><a/>", "document type declarations are not supported", 0),
            ("<a><!-- </a>", "a comment is not closed", 7),
            ("<a><![CDATA[x</a>", "a CDATA section is not closed", 12),
            ("<?xml version='1.0' encoding='latin1'?><a/>", "the encoding is not UTF-8", 2),
            ("<a", "unexpected end of the document in \"a\"", 2), ("< a/>", "expected a name", 1),
            ("<a></a", "the end tag \"a\" is not closed", 6),
        ])
    func bad(text: String, message: String, offset: Int) {
        let failure = #expect(throws: XMLScanner.Failure.self) { try events(text) }
        #expect(failure?.message == message)
        #expect(failure?.offset == offset)
    }

    @Test("Elements that are nested too deep are rejected")
    func depth() {
        #expect(throws: XMLScanner.Failure.self) { try events(String(repeating: "<a>", count: 100_000)) }
    }

    @Test("Every truncation and every changed byte of a report is handled")
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
