import Testing

@testable import Output

struct MarkdownTextTests {
    @Test(arguments: [
        ("add a book", "`add a book`"),
        ("", "` `"),
        ("a `b` c", "``a `b` c``"),
        ("`a", "`` `a ``"),
        ("a```", "```` a``` ````"),
        (" a ", "`  a  `"),
        ("  ", "`  `"),
        ("@ada #1 <b> ![x](y) &amp; :+1:", "`@ada #1 <b> ![x](y) &amp; :+1:`"),
        ("a\nb\u{1B}[31m\u{202E}", #"`a\nb\x1B[31m\u202E`"#),
        (#"ends in \"#, #"`ends in \`"#),
        ("a|b", "`a|b`"),
    ])
    func code(_ text: String, _ expected: String) {
        #expect(MarkdownText.code(text) == expected)
    }

    @Test(arguments: [
        ("a|b", "`a`&#124;`b`"), ("|", "&#124;"), ("||a", "&#124;&#124;`a`"), (#"a\|b"#, #"`a\`&#124;`b`"#),
        ("`|`", "`` ` ``&#124;`` ` ``"), ("plain", "`plain`"),
    ])
    func cell(_ text: String, _ expected: String) {
        #expect(MarkdownText.code(text, inTable: true) == expected)
    }

    @Test func html() {
        #expect(
            MarkdownText.htmlCode("</summary><script>\"&\"\n")
                == "<code>&lt;/summary&gt;&lt;script&gt;&quot;&amp;&quot;\\n</code>")
    }

    @Test func longTexts() {
        let long = String(repeating: "é", count: 1_000_000)
        #expect(MarkdownText.code(long, limit: 5) == "`éééé…`")
        #expect(MarkdownText.code(String(long.prefix(5)), limit: 5) == "`ééééé`")
        #expect(MarkdownText.printable(String(repeating: "\u{1}", count: 9), limit: 8) == #"\x01\x0…"#)
    }

    @Test(arguments: [
        ("a\nb\n", 100, "```text\na\nb\n```\n"),
        ("  a\n    b", 100, "```text\na\n  b\n```\n"),
        ("```\n</details>", 100, "````text\n```\n</details>\n````\n"),
        ("a `````` b", 100, "```````text\na `````` b\n```````\n"),
        ("1234\n1234\n1234", 10, "```text\n1234\n1234\n… 1 more line\n```\n"),
        ("12345678901\n1\n1", 10, "```text\n\n… 3 more lines\n```\n"),
    ])
    func block(_ text: String, _ limit: Int, _ expected: String) {
        #expect(MarkdownText.block(text, language: "text", limit: limit) == expected)
    }
}
