import Basics
import Diagnostics
import Testing

@Suite struct JSONRendererTests {
    @Test func allMembers() {
        let file = SourceFile(name: "dir/f.yaml", text: "abc")
        let range = SourceRange(
            file: file, start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 1, column: 3))
        let diagnostics = [
            Diagnostic(
                id: "x", severity: .warning, message: "a \"b\"", range: range, label: "l",
                related: [.init(message: "r", range: range), .init(message: "q")], suggestion: "s"),
            Diagnostic(id: "y", message: "m"),
        ]
        let location = "\"file\":\"dir/f.yaml\",\"start\":{\"line\":1,\"column\":1},\"end\":{\"line\":1,\"column\":3}"
        #expect(
            JSONRenderer().render(diagnostics) == """
                [
                  {"id":"x","severity":"warning","message":"a \\"b\\"",\(location),"label":"l",\
                "related":[{"message":"r",\(location)},{"message":"q"}],"suggestion":"s"},
                  {"id":"y","severity":"error","message":"m"}
                ]

                """)
        #expect(JSONRenderer().render([]) == "[]\n")
    }

    @Test(
        arguments: [
            ("\\", "\\\\"), ("\n\r\t", "\\n\\r\\t"), ("\u{1}", "\\u0001"), ("\u{1F}", "\\u001F"), ("\u{7F}", "\\u007F"),
            ("\u{2028}", "\\u2028"), ("é日👍", "é日👍"), ("/", "/"),
        ] as [(String, String)])
    func stringsAreEscaped(text: String, escaped: String) {
        #expect(
            JSONRenderer().render([Diagnostic(id: "y", message: MessageText(text))])
                == "[\n  {\"id\":\"y\",\"severity\":\"error\",\"message\":\"\(escaped)\"}\n]\n")
    }
}
