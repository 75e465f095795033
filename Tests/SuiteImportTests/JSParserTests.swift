import Testing

@testable import SuiteImport

/// The parser of the subset of JavaScript.
struct JSParserTests {
    private func statements(_ text: String) -> [JSStatement] { JSParser.statements(of: Array(text.utf8)) }

    /// Returns the construct of each statement that is not supported.
    private func unsupported(_ text: String) -> [String] {
        statements(text).compactMap { if case .unsupported(let construct) = $0.kind { construct } else { nil } }
    }

    @Test(arguments: [
        "a.b?.c[0]('x', ...y)", "const { a, b: { c = 1 } } = e", "let [x, , y] = z", "x => x + 1",
        "async (a, b = 2) => { await f(a); }", "function f(a) { return a / 2 / 3 }", "if (a) b(); else { c() }",
        "for (const x of y) z(x)", "for (let i = 0; i < n; i++) { a[i]; }",
        "try { a() } catch (e) { b() } finally { c() }",
        "var a = `x ${b + `${c}`} y`", "a = b ? c : d", "a\n.b()\n.c()", "x.match(/[/\\]]+/g)", "a = b / c / d",
        "if (a) /x/.test(b)", "({ a, 'b': 1, [c]: 2, d() { return 1 } })", "a++ + --b", "new Date().getTime()",
        "!a && typeof b !== 'undefined' || c instanceof D", "var a = 0x1F, b = 1_000, c = .5e3", "'\\u{1F600}\\x41\\n'",
        "a ??= b", "// x\n/* y */ a;;", "let async = 1", "\u{FEFF}a",
    ])
    func supported(_ text: String) {
        #expect(unsupported(text).isEmpty, "\(text)")
    }

    @Test func unsupportedStatementsAreSkipped() {
        #expect(unsupported("while (a) { b() }\nc()\ndo { e() } while (d)\nf()") == ["while", "do"])
        #expect(unsupported("let a = ;\nb()\nclass C {}\nd()") == ["script", "class"])
        let list = statements("a()\nlet b = 1 +;\nc()")
        #expect(list.count == 3)
        #expect(unsupported("'open") == ["script"])
        #expect(unsupported("}}a()").count == 2)
    }

    @Test func rangesAreThoseOfStatements() {
        let text = "a();\n  pm.test('x', () => {\n    b();\n  });\n"
        let list = statements(text)
        #expect(list.count == 2)
        #expect(
            String(decoding: Array(text.utf8)[list[1].range], as: UTF8.self) == "pm.test('x', () => {\n    b();\n  });")
    }

    @Test func depthIsLimited() {
        for (open, close) in [
            ("(", ")"), ("[", "]"), ("{", "}"), ("a(", ")"), ("!", ""), ("() => ", ""), ("if (a) ", ""),
        ] {
            let text = String(repeating: open, count: 2_000) + "x" + String(repeating: close, count: 2_000)
            #expect(!statements(text).isEmpty)
        }
        #expect(!statements("a" + String(repeating: ".b", count: 2_000)).isEmpty)
        #expect(!statements("a" + String(repeating: " + b", count: 2_000)).isEmpty)
    }

    @Test(arguments: [
        (#"^[\w\-]+\@x\_$"#, "", #"^[\w\-]+@x_$"#), ("a", "gi", "(?i:a)"), (#"{"a"}"#, "", #"\{"a"\}"#),
        (#"x{2,3}y{1}"#, "", "x{2,3}y{1}"), ("a]", "", #"a\]"#), (#"\/a\/"#, "", #"\/a\/"#),
    ])
    func patterns(_ pattern: String, _ flags: String, _ expected: String) {
        #expect(JSRegularExpression.pattern(pattern, flags: flags) == expected)
    }

    @Test func invalidPattern() { #expect(JSRegularExpression.pattern("(", flags: "") == nil) }
}
