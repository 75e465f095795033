import Testing

@testable import Reports

struct XMLTextTests {
    @Test(arguments: [
        ("a<b>&\"'", "a&lt;b&gt;&amp;\"'", "a&lt;b&gt;&amp;&quot;'"), ("]]>", "]]&gt;", "]]&gt;"),
        ("a\nb\tc\rd", "a\nb\tc&#13;d", "a&#10;b&#9;c&#13;d"),
        ("\0\u{1B}[31m\u{B}", #"\u{0}\u{1B}[31m\u{B}"#, #"\u{0}\u{1B}[31m\u{B}"#),
        ("\u{7F}\u{9B}\u{A0}", #"\u{7F}\u{9B}"# + "\u{A0}", #"\u{7F}\u{9B}"# + "\u{A0}"),
        ("\u{FFFE}x\u{FFFF}\u{FFFD}", #"\u{FFFE}x\u{FFFF}"# + "\u{FFFD}", #"\u{FFFE}x\u{FFFF}"# + "\u{FFFD}"),
        ("渡辺 \u{1F600}", "渡辺 \u{1F600}", "渡辺 \u{1F600}"), ("", "", ""),
    ])
    func escapes(text: String, data: String, attribute: String) {
        var output: [UInt8] = []
        XMLText.append(text, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == data)
        output = []
        XMLText.append(text, to: &output, isAttribute: true)
        #expect(String(decoding: output, as: UTF8.self) == attribute)
    }

    @Test(arguments: [
        (10, "aé渡z"), (7, "aé渡z"), (6, "aé渡… (1 more bytes)"), (5, "aé… (4 more bytes)"), (0, "… (7 more bytes)"),
    ])
    func isCutBetweenCharacters(limit: Int, expected: String) {
        var output: [UInt8] = []
        XMLText.append("aé渡z", to: &output, limit: limit)
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("bookshop.yaml", 0, "bookshop.yaml", "bookshop", "at Suite(bookshop.yaml:3)"),
        (
            "./tests/api/book-shop.apitest.yaml", 0, "tests/api/book-shop.apitest.yaml", "tests.api.book-shop",
            "at tests.api.Suite(book-shop.apitest.yaml:3)"
        ),
        ("/home/ada/shop/a b/c.d.yml", 1, "a b/c.d.yml", "a_b.c_d_2", "at a b.Suite(c.d.yml:3)"),
        ("/elsewhere/x.yaml", 0, "/elsewhere/x.yaml", "elsewhere.x", "at elsewhere.Suite(x.yaml:3)"),
        ("../x/./y/../z.yaml", 0, "../x/z.yaml", "x.z", "at x.Suite(z.yaml:3)"),
        ("Tests/api/x.yaml", 0, "Tests/api/x.yaml", "Tests.api.x", "at api.Suite(x.yaml:3)"),
        (".yaml", 0, ".yaml", "_yaml", "at Suite(.yaml:3)"),
    ])
    func places(path: String, document: Int, file: String, className: String, trace: String) {
        let place = SuitePlace(path: path, documentIndex: document, workingFolder: "/home/ada/shop")
        #expect(place.file == file)
        #expect(place.className == className)
        #expect(place.trace(line: 3) == trace)
    }
}
