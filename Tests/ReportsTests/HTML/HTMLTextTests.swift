import Diagnostics
import Testing

@testable import Output
@testable import Reports

struct HTMLTextTests {
    @Test(arguments: [
        ("Dune", "Dune"), ("<b a=\"1\">&amp;</b>", "&lt;b a=&quot;1&quot;&gt;&amp;amp;&lt;/b&gt;"),
        ("a\nb", "a\nb"), ("\u{1B}[31m\u{0}", "\\x1B[31m\\0"), ("\u{202E}x", "\\u202Ex"), ("渡辺", "渡辺"),
    ])
    func escaped(_ text: String, _ expected: String) {
        var output: [UInt8] = []
        HTMLText.append(text, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    @Test(arguments: [("abcdef", 6, "abcdef"), ("abcdef", 3, "abc…"), ("<<<<", 2, "&lt;&lt;…"), ("ééé", 4, "ééé")])
    func cut(_ text: String, _ limit: Int, _ expected: String) {
        var output: [UInt8] = []
        HTMLText.append(text, to: &output, limit: limit)
        #expect(String(decoding: output, as: UTF8.self) == expected)
    }

    /// The marked part of a line, including after wide characters and at the ends of the line.
    @Test(arguments: [
        ("title: Dune", 7..<11, ["title: ", "Dune", ""]), ("渡辺: \"x\" # 1", 8..<11, ["渡辺: ", "\"x\"", " # 1"]),
        ("a: [1]", 3..<6, ["a: ", "[1]", ""]), ("abc", 0..<1, ["", "a", "bc"]), ("abc", 3..<3, ["abc", "", ""]),
    ])
    func marked(_ text: String, _ bytes: Range<Int>, _ expected: [String]) throws {
        let line = try #require(HTMLMarkedLine(SourceRange(file: SourceFile(name: "a", text: text), bytes: bytes)))
        #expect([line.before, line.marked, line.behind] == expected)
        #expect(line.number == 1)
    }
}
