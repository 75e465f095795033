import Testing

@testable import Output

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
}
