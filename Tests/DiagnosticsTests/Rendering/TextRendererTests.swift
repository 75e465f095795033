import Basics
import Diagnostics
import Testing

@Suite struct TextRendererTests {
    private func render(
        _ text: String, _ line: Int, _ columns: Range<Int>, label: MessageText = "", suggestion: MessageText? = nil,
        width: Int = 120
    ) -> String {
        let file = SourceFile(name: "f.yaml", text: text)
        let range = SourceRange(
            file: file, start: SourcePosition(line: line, column: columns.lowerBound),
            end: SourcePosition(line: line, column: columns.upperBound))
        let diagnostic = Diagnostic(id: "x", message: "wrong", range: range, label: label, suggestion: suggestion)
        return TextRenderer(color: false, width: width).render([diagnostic])
    }

    @Test func theFormOfTheExample() {
        let text = String(repeating: "\n", count: 23) + "      metod: POST"
        let file = SourceFile(name: "bookshop.yaml", text: text)
        let diagnostic = Diagnostic(
            id: "unknown-key", message: "unknown key \"metod\"",
            range: SourceRange(
                file: file, start: SourcePosition(line: 24, column: 7), end: SourcePosition(line: 24, column: 12)),
            suggestion: "did you mean \"method\"?")
        #expect(
            TextRenderer(color: false).render([diagnostic]) == """
                bookshop.yaml:24:7: error: unknown key "metod" [unknown-key]
                   24 │       metod: POST
                      │       ^^^^^ did you mean "method"?

                """)
    }

    @Test(
        arguments: [
            // Tabs, wide, combining and unprintable characters remain aligned.
            ("\ta: b", 2..<3, "    a: b", "    ^"),
            ("ab\tc", 4..<5, "ab  c", "    ^"),
            ("abcd\te", 6..<7, "abcd    e", "        ^"),
            ("日本: x", 5..<6, "日本: x", "      ^"),
            ("日本: x", 1..<3, "日本: x", "^^^^"),
            ("e\u{301}a: x", 3..<4, "e\u{301}a: x", " ^"),
            ("👍🏽: x", 5..<6, "👍🏽: x", "    ^"),
            ("a\u{1B}b", 3..<4, "a\\x1Bb", "     ^"),
            ("a\u{1B}b", 2..<3, "a\\x1Bb", " ^^^^"),
            ("a\u{202E}b", 3..<4, "a\\u202Eb", "       ^"),
            // Empty ranges, and ranges at and after the end of the line.
            ("abc", 2..<2, "abc", " ^"),
            ("abc", 4..<4, "abc", "   ^"),
            ("abc", 9..<12, "abc", "   ^"),
            ("abc", 2..<99, "abc", " ^^"),
            ("abc   ", 1..<4, "abc", "^^^"),
        ] as [(String, Range<Int>, String, String)])
    func underlinesAreAligned(text: String, columns: Range<Int>, line: String, underline: String) {
        #expect(
            render(text, 1, columns)
                == "f.yaml:1:\(columns.lowerBound): error: wrong [x]\n    1 │ \(line)\n      │ \(underline)\n")
    }

    @Test func anEmptyLine() {
        #expect(render("a\n\nb", 2, 1..<1) == "f.yaml:2:1: error: wrong [x]\n    2 │\n      │ ^\n")
    }

    @Test func labelSuggestionAndNotes() {
        let file = SourceFile(name: "f", text: "one\ntwo\nthree\n")
        func range(_ line: Int) -> SourceRange {
            SourceRange(
                file: file, start: SourcePosition(line: line, column: 1), end: SourcePosition(line: line, column: 3))
        }
        let diagnostic = Diagnostic(
            id: "dup", severity: .warning, message: "twice", range: range(3), label: "again",
            related: [.init(message: "first here", range: range(1)), .init(message: "a fact")], suggestion: "remove it")
        #expect(
            TextRenderer(color: false).render([diagnostic]) == """
                f:3:1: warning: twice [dup]
                    3 │ three
                      │ ^^ again
                f:1:1: note: first here
                    1 │ one
                      │ ^^
                      = note: a fact
                      = help: remove it

                """)
    }

    @Test func withoutALocation() {
        let diagnostics = [
            Diagnostic(id: "a", message: "no file", suggestion: "give one"),
            Diagnostic(id: "b", severity: .note, message: "evil\u{1B}[0m\nname"),
        ]
        #expect(
            TextRenderer(color: false).render(diagnostics) == """
                error: no file [a]
                      = help: give one

                note: evil\\x1B[0m\\nname [b]

                """)
        #expect(TextRenderer(color: false).render([]) == "")
    }

    @Test func aLabelOfSeveralLines() {
        #expect(
            render("a: b", 1, 4..<5, label: "one\ntwo") == """
                f.yaml:1:4: error: wrong [x]
                    1 │ a: b
                      │    ^ one
                      │      two

                """)
        #expect(
            render("a: b", 1, 4..<5, label: "l", suggestion: "one\ntwo") == """
                f.yaml:1:4: error: wrong [x]
                    1 │ a: b
                      │    ^ l
                      = help: one
                              two

                """)
    }

    @Test func aRangeOverSeveralLinesUnderlinesTheFirst() {
        let file = SourceFile(name: "f", text: "a: [1,  \n  2]\n")
        let range = SourceRange(
            file: file, start: SourcePosition(line: 1, column: 4), end: SourcePosition(line: 2, column: 5))
        #expect(
            TextRenderer(color: false).render([Diagnostic(id: "x", message: "wrong", range: range)])
                == "f:1:4: error: wrong [x]\n    1 │ a: [1,\n      │    ^^^\n")
    }

    @Test func aLocationThatIsNotInTheFileHasNoExcerpt() {
        #expect(render("a", 7, 1..<2, suggestion: "s") == "f.yaml:7:1: error: wrong [x]\n      = help: s\n")
    }

    @Test(arguments: [
        // 40 columns consist of 8 columns of margin and 32 of text.
        (1..<4, "abcdefghijabcdefghijabcdefghija…", 0), (501..<504, "…hijabcdefghijabcdefghijabcdefg…", 14),
        (998..<1001, "…abcdefghijabcdefghijabcdefghij", 28),
    ])
    func longLinesAreCutAroundTheRange(columns: Range<Int>, line: String, before: Int) {
        let text = String(repeating: "abcdefghij", count: 100)
        let underline = String(repeating: " ", count: before) + "^^^"
        #expect(
            render(text, 1, columns, width: 40)
                == "f.yaml:1:\(columns.lowerBound): error: wrong [x]\n    1 │ \(line)\n      │ \(underline)\n")
    }

    @Test func aHugeLineIsShownQuickly() {
        let text = String(repeating: "日本 語", count: 200_000)
        let output = render(text, 1, 400_001..<400_003)
        #expect(output.contains("…"))
        #expect(output.utf8.count < 1_000)
        #expect(output.contains("^^^^\n"))
    }

    @Test func colorsDoNotChangeTheText() {
        let file = SourceFile(name: "f", text: "abc")
        let range = SourceRange(
            file: file, start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 1, column: 3))
        let output = TextRenderer(color: true).render([Diagnostic(id: "x", message: "wrong", range: range, label: "l")])
        #expect(
            output
                == "\u{1B}[1mf:1:1:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m \u{1B}[1mwrong\u{1B}[0m \u{1B}[2m[x]\u{1B}[0m\n"
                + "\u{1B}[34m    1 │\u{1B}[0m abc\n\u{1B}[34m      │\u{1B}[0m \u{1B}[1;31m^^ l\u{1B}[0m\n")
    }

    @Test func lineNumbersOfSixDigits() {
        let text = String(repeating: "\n", count: 123_455) + "x"
        #expect(
            render(text, 123_456, 1..<2) == "f.yaml:123456:1: error: wrong [x]\n123456 │ x\n       │ ^\n")
    }
}
