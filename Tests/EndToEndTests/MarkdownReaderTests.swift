import Testing

/// Tests of the Markdown report with GitHub's own parser.
struct MarkdownReaderTests {
    private static let hostile =
        "@ada #1 | <img src=x> ![i](u) [l](http://x.example) `b` www.example.com ada@x.example </details>"

    private static let suite = """
        name: '\(hostile)'
        serve: { mock: api.mock.yaml }
        tests:
          - name: '\(hostile) 1'
            request: GET /a
            expect: { json: { $.text: none } }
          - name: '\(hostile) 2'
            skip: '\(hostile)'
            request: GET /a
          - name: after
            needs: '\(hostile) 1'
            request: GET /a
        """

    private static let mock = """
        routes:
          - request: GET /a
            respond: { json: { text: "```\\n</code></pre></details> \(hostile)\\n````" } }
        """

    /// A script that prints unexpected elements, all attributes with links, and the text of code spans.
    private static let reader = """
        import sys, cmarkgfm
        from cmarkgfm.cmark import Options
        from html.parser import HTMLParser
        known = set('h1 h2 h3 p table thead tbody tr th td details summary code pre sub strong br'.split())
        class Reader(HTMLParser):
            depth = 0
            text = None
            def handle_starttag(self, tag, attributes):
                if tag not in known or any(name not in ('align', 'lang') for name, value in attributes):
                    print('unknown', tag, attributes)
                if tag == 'details': self.depth += 1
                if tag == 'code': self.text = ''
            def handle_endtag(self, tag):
                if tag == 'details': self.depth -= 1
                if tag == 'code' and self.text.count('\\n') == 0: print('code', self.text)
                if tag == 'code': self.text = None
            def handle_data(self, data):
                if self.text is not None: self.text += data
        reader = Reader()
        reader.feed(cmarkgfm.github_flavored_markdown_to_html(open(sys.argv[1]).read(), Options.CMARK_OPT_UNSAFE))
        print('depth', reader.depth)
        """

    private static func isInstalled() async -> Bool {
        guard ReportReaderTests.python != nil, let directory = try? TemporaryDirectory() else { return false }
        return (try? await ReportReaderTests.output("import cmarkgfm; print('yes')", [], in: directory.path)) == "yes\n"
    }

    @Test(
        "Hostile names and bodies stay plain text",
        .enabled("APITEST_PYTHON must name a Python with cmarkgfm") { await isInstalled() })
    func hostileTexts() async throws {
        let directory = try TemporaryDirectory()
        TestFiles.write(Self.suite.utf8, to: directory.path + "/suite.yaml")
        TestFiles.write(Self.mock.utf8, to: directory.path + "/api.mock.yaml")
        let run = try await Program.run(["suite.yaml", "--report", "markdown"], in: directory.path)
        #expect(run.ending == .exit(1), "\(run.output)\(run.error)")
        let output = try await ReportReaderTests.output(Self.reader, ["report.md"], in: directory.path)
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("unknown") } == [])
        #expect(lines.last == "depth 0")
        #expect(lines.contains("code \(Self.hostile) › \(Self.hostile) 1"))
        // In tables, a pipe separates two spans.
        #expect(lines.contains("code @ada #1 "))
    }
}
