import Diagnostics
import Testing
import YAML

@Suite struct SyntaxProblemTests {
    @Test(
        arguments: [
            // Tabs.
            ("a: 1\n\tb: 2\n", "tab-indentation 2:1-2:2"),
            ("a:\n\tb: 2\n", "tab-indentation 2:1-2:2"),
            ("a:\n  \tb: 2\n", "tab-indentation 2:3-2:4"),
            ("x: |\n\ttab\n", "tab-indentation 2:1-2:2"),
            // Characters that cannot start a value.
            ("a: @foo\n", "reserved-character 1:4-1:5"),
            ("a: `foo`\n", "reserved-character 1:4-1:5"),
            ("a: %foo\n", "reserved-character 1:4-1:5"),
            ("a: *.json\n", "bad-alias 1:4-1:5"),
            ("a: */*\n", "bad-alias 1:4-1:5"),
            ("a: &\n", "bad-anchor 1:4-1:5"),
            ("é日: ]\n", "missing-value 1:5-1:6"),
            ("a: , b\n", "missing-value 1:4-1:5"),
            ("a: [1, , 2]\n", "missing-value 1:8-1:9"),
            // Colons and keys.
            ("a: b: c\n", "unexpected-colon 1:5-1:6"),
            ("a: x\n  y: z\n", "unexpected-colon 2:4-2:5"),
            ("a: 1\nfoo\nb: 2\n", "missing-colon 2:1-2:4"),
            ("a: 1\nfoo bar  # c\n", "missing-colon 2:1-2:13"),
            (": x\n", "missing-key 1:1-1:2"),
            ("{: 1, b: 2}\n", "missing-key 1:2-1:3"),
            ("a: {x: ", "unclosed-bracket 1:4-1:5"),
            ("a: - b\n", "unexpected-list-item 1:4-1:5"),
            // Indentation.
            ("a:\n    b: 1\n  c: 2\n", "bad-indentation 3:3-3:7"),
            ("a:\n  - 1\n  b: 2\n", "bad-indentation 3:3-3:7"),
            ("a: 1 # c\n b: 2\n", "bad-indentation 2:2-2:6"),
            ("  a: 1\nb: 2\n", "unexpected-content 2:1-2:5"),
            ("a: 'x' y\n", "bad-indentation 1:8-1:9"),
            // Brackets and quotes.
            ("a: [1, 2\nb: 3\n", "unclosed-bracket 2:2-2:3"),
            ("a: {x: 1\n", "unclosed-bracket 1:4-1:5"),
            ("a: {x: [1\n", "unclosed-bracket 1:8-1:9"),
            ("a: [1 2]]\n", "bad-indentation 1:9-1:10"),
            ("a: \"unclosed\nb: 2\n", "unterminated-string 1:4-1:13"),
            ("a: 'unclosed\n---\nb: 2\n", "unterminated-string 1:4-1:13"),
            ("a: \"日\\d+\"\n", "unknown-escape 1:6-1:8"),
            ("a: \"\\xZZ\"\n", "bad-escape 1:7-1:8"),
            ("a: \"\\ud800\"\n", "bad-escape 1:7-1:8"),
            // Block scalars, tags and directives.
            ("a: |x\n  text\n", "bad-block-scalar 1:5-1:6"),
            ("a: |0\n  text\n", "bad-block-scalar 1:5-1:6"),
            ("a: !<x y\n", "bad-tag 1:4-1:7"),
            ("a: !x!y z\n", "unknown-tag 1:4-1:8"),
            ("%FOO bar\na: 1\n", "bad-directive 1:5-1:6"),
            ("%YAML 3.0\n---\na\n", "bad-directive 1:1-1:2"),
        ] as [(String, String)])
    func errorsHaveTheirLocation(text: String, problem: String) {
        let reading = Reading(text)
        #expect(reading.problems == [problem])
        #expect(reading.diagnostics.allSatisfy { !$0.message.hasSuffix(".") && $0.suggestion != nil })
    }

    @Test(
        arguments: [
            ("a: { url: /books/${id}, x: 1 }\n", "1:11-1:23", "\"/books/${id}\""),
            ("a: [${env(\"X, Y\")}]\n", "1:5-1:19", "'${env(\"X, Y\")}'"),
            ("a: [${env('X')}]\n", "1:5-1:16", "\"${env('X')}\""),
            ("a: [${f('}', \"]\")}, b]\n", "1:5-1:19", "'${f(''}'', \"]\")}'"),
            ("a: { json: { title: ${title} } }\n", "1:21-1:29", "\"${title}\""),
            ("a: { ${k}: 1 }\n", "1:6-1:10", "\"${k}\""),
            ("a: { x: \"${ok}\", y: ${bad} }\n", "1:21-1:27", "\"${bad}\""),
            ("a: { x: '${ok}', # ${c}\n  y: v-${bad}-w }\n", "2:6-2:16", "\"v-${bad}-w\""),
            ("é: [日, ${x}${y} z]\n", "1:8-1:18", "\"${x}${y} z\""),
            ("a: [\n  1,\n  ${x}\n]\n", "3:3-3:7", "\"${x}\""),
            ("a: [${x\n", "1:5-1:8", "\"${x\""),
            ("- {a: [${m.map(v, {v: 1})}]}\n", "1:8-1:27", "\"${m.map(v, {v: 1})}\""),
        ] as [(String, String, String)])
    func unquotedTemplatesAreShownQuoted(text: String, range: String, quoted: String) {
        let reading = Reading(text)
        #expect(reading.problems == ["unquoted-template \(range)"])
        #expect(reading.diagnostics.first?.suggestion == "write \(quoted)")
    }

    @Test(arguments: [
        "a: ${x}\n", "a: x ${y} z\n", "a: [\"${x}\"]\n", "a: {x: '${y}'}\n", "- ${x}: ${y}\n", "a: [$x, x$]\n",
    ])
    func otherTemplatesAreFine(text: String) {
        #expect(Reading(text).rendered == "")
    }

    @Test func anErrorBehindAQuotedTemplateIsNotBlamedOnIt() {
        #expect(Reading("a: [\"${x}\", {b: 1]\n").problems == ["unclosed-bracket 1:18-1:19"])
        #expect(Reading("a: [1]\nb: ${x}\nc: [2\n").problems == ["unclosed-bracket 3:4-3:5"])
    }

    @Test(
        arguments: [
            ("a: b: c\n", "quote the value: a: \"b: c\""),
            ("  - name: add: \"x\"  # c\n", "quote the value: name: 'add: \"x\"'"),
            ("a: ${x ? \"y: z\" : 1}\n", "quote the value: a: '${x ? \"y: z\" : 1}'"),
            ("a: x\n  y: z\n", "quote the value if the colon is part of it, or check the indentation"),
            ("a: *.json # c\n", "quote it: \"*.json\""),
            ("a: @it's \"x\"\n", "quote it: '@it''s \"x\"'"),
            ("a: \"\\d\"\n", "write \"\\\\d\" for a backslash, or use single quotes"),
            ("a: 'x\n", "add the closing '"),
            ("a: \"x\n", "add the closing \""),
        ] as [(String, String)])
    func suggestionsShowHow(text: String, suggestion: String) {
        #expect(Reading(text).diagnostics.first?.suggestion == suggestion)
    }

    /// The suggested quotes are applied to the text, which then has the value that was meant.
    @Test(
        arguments: [
            // A value in a flow collection.
            ("{ $.a: { matches: ^[a-z]+$ } }", "quote the value: matches: \"^[a-z]+$\""),
            ("{ $.a: { matches: ^\\d{3}$ } }", "quote the value: matches: '^\\d{3}$'"),
            ("{ id: $.items[0].id }", "quote the value: id: \"$.items[0].id\""),
            ("{ x: $[0].id, y: $.a }", "quote the value: x: \"$[0].id\""),
            ("{ id: { json: $.list[*] } }", "quote the value: json: \"$.list[*]\""),
            ("{ id: $.a[?@.b == \"c, d\"].e, f: 1 }", "quote the value: id: '$.a[?@.b == \"c, d\"].e'"),
            ("{ A: *, B: b }", "quote it: \"*\""),
            ("{ a: @x, b: 1 }", "quote it: \"@x\""),
            ("{ condition: \"a\" == x }", "quote the whole value: condition: '\"a\" == x'"),
            ("{ a: ok ? 'x' : y[1], b: 1 }", "quote the value: a: \"ok ? 'x' : y[1]\""),
            ("{ a: it's x[1], b: don't }", "quote the value: a: \"it's x[1]\""),
            // A key in a flow mapping.
            ("{ $[?@.id == 1].name: [abc] }", "quote the path: \"$[?@.id == 1].name\": …"),
            ("{ $.a: 1, $.items[0].id: 3 }", "quote the path: \"$.items[0].id\": …"),
            ("{ //a[1]: x }", "quote the path: \"//a[1]\": …"),
            ("{ count(//a[1]): x }", "quote the key: \"count(//a[1])\": …"),
            ("{ $.list[*]: { length: 2 } }", "quote the path: \"$.list[*]\": …"),
            ("{\n  $.a: 1,  # one\n  $.items[0].id: 3 }", "quote the path: \"$.items[0].id\": …"),
            // An item of a flow sequence.
            ("[body.x == 'a', \"b\" == text]", "quote the whole value: '\"b\" == text'"),
            ("[[1,2].size() == 2]", "quote the whole value: \"[1,2].size() == 2\""),
            ("[\"a\" + \"b\"]", "quote the whole value: '\"a\" + \"b\"'"),
            ("[{ a: 1 } == body, c]", "quote the whole value: \"{ a: 1 } == body\""),
            ("['a' in list, b]", "quote the whole value: \"'a' in list\""),
            // A value or an item in block style.
            ("\"GET\" == method", "quote the whole value: a: '\"GET\" == method'"),
            ("[1].size() == 2 # one", "quote the whole value: a: \"[1].size() == 2\""),
            ("!has(x) && y", "quote the whole value: a: \"!has(x) && y\""),
            ("!has(x) || y", "quote the whole value: a: \"!has(x) || y\""),
            ("body == {\"a\": 1}", "quote the value: a: 'body == {\"a\": 1}'"),
            ("\n- \"GET\" == method\n- b", "quote the whole value: - '\"GET\" == method'"),
            (
                "\n  - [1, 2].exists(x, x == 1) && \"a: b\" == \"c\"",
                "quote the whole value: - '[1, 2].exists(x, x == 1) && \"a: b\" == \"c\"'"
            ),
            ("\n  - \"a\" == b ? \"c\" : \"d\"", "quote the whole value: - '\"a\" == b ? \"c\" : \"d\"'"),
            ("\n  - \"a\" == text.f(\" #1\") # c", "quote the whole value: - '\"a\" == text.f(\" #1\")'"),
            // A key in block style.
            ("\n  @type: Book", "quote the key: \"@type\": …"),
            ("\n  $[?@.name == \"a: b\"]: 1", "quote the path: '$[?@.name == \"a: b\"]': …"),
        ] as [(String, String)])
    func suggestedQuotesRepairTheText(value: String, suggestion: String) throws {
        let text = "a: \(value)\nz: 1\n"
        #expect(Reading(text).diagnostics.map(\.suggestion) == [suggestion])
        let quoted = try #require(suggestion.firstRange(of: /(?:'.*'|".*")(?=(: …)?$)/).map { String(suggestion[$0]) })
        let plain = try #require(try Reading(quoted).root.scalar?.text)
        let repaired = Reading(text.replacing(plain, with: quoted))
        #expect(repaired.rendered == "")
        let scalars = try Self.scalars(of: repaired.root)
        #expect(scalars.contains(plain))
    }

    /// A missing comma, bracket or indentation is not blamed on quotes.
    @Test(
        arguments: [
            ("a: { b: 1 c: 2 }\n", "add \"}\", or a comma between two values"),
            ("a: { b: [1] c: 2 }\n", "add \"}\", or a comma between two values"),
            ("a: [\"x\" \"y\"]\n", "add \"]\", or a comma between two values"),
            ("a: [[1] [2]]\n", "add \"]\", or a comma between two values"),
            ("a: [b [c]]\n", "add \"]\", or a comma between two values"),
            ("a: [1, 2\nb: 3\n", "add \"]\", or a comma between two values"),
            ("a: 'x' y\n", "align it with the keys of the mapping at column 1, or check the quotes above"),
            ("a:\n  - \"x\" == y &&\n    z\n", "start it with \"- \", or align it with the key of the sequence"),
            ("a: { b: x[1 }\n", "add \"}\", or a comma between two values"),
            (
                "a: !vault secret\n",
                "remove it, or quote the value if \"!\" is part of it; the known tags are !!str, !!int, !!float, !!bool, !!null, !!map and !!seq"
            ),
        ] as [(String, String)])
    func otherMistakesSuggestNoQuotes(text: String, suggestion: String) {
        #expect(Reading(text).diagnostics.first?.suggestion == suggestion)
    }

    /// Returns the texts of all keys and values.
    private static func scalars(of node: YAMLNode) -> [String] {
        if let text = node.scalar?.text { return [text] }
        return node.elements.flatMap(scalars) + node.members.flatMap { scalars(of: $0.key) + scalars(of: $0.value) }
    }

    @Test func theWholeOutput() {
        #expect(
            Reading("tests:\n\t- name: x\n").rendered == """
                a.yaml:2:1: error: a tab cannot be used as indentation [tab-indentation]
                    2 │     - name: x
                      │ ^^^^ use spaces

                """)
        #expect(
            Reading("a:\n    b: 1\n  c: 2\n").rendered == """
                a.yaml:3:3: error: this is not indented like the mapping above it [bad-indentation]
                    3 │   c: 2
                      │   ^^^^ align it with the keys of the mapping at column 1, or check the quotes above
                a.yaml:1:1: note: the mapping starts here
                    1 │ a:
                      │ ^

                """)
        #expect(
            Reading("request: { url: /books/${id} }\n").rendered == """
                a.yaml:1:17: error: "${…}" must be quoted inside brackets, where braces and commas have a special meaning [unquoted-template]
                    1 │ request: { url: /books/${id} }
                      │                 ^^^^^^^^^^^^ write "/books/${id}"

                """)
        #expect(
            Reading("a: [1\n").rendered == """
                a.yaml:1:4: error: the sequence that starts here is not closed [unclosed-bracket]
                    1 │ a: [1
                      │    ^ add "]"

                """)
    }

    /// No truncation of a text may crash, hang, or report a range outside of the file.
    @Test func everyPrefixOfATextIsHandled() {
        let text = """
            # c
            a: &x !!str "q\\u00e9 ${x}"
            b: [1, {c: 'd''e', ? f : g}, *x, "${y}", ${z}]
            k: |2-
               lit
            l: >
              fold
             - x
            <<: {m: ~}
            日本: 👍 # end
            ---
            - !!int 1
            - ? k
              : |
            ...

            """
        let bytes = Array(text.utf8)
        for length in 0...bytes.count {
            let reading = Reading(bytes: Array(bytes[..<length]))
            for diagnostic in reading.diagnostics {
                guard let range = diagnostic.range else { continue }
                #expect(range.start.line >= 1 && range.start.column >= 1)
                #expect(Int(range.end.line) <= range.file.lineCount)
                #expect(range.byteRange.upperBound <= length)
            }
            for document in reading.documents { _ = document.json }
            #expect(
                TextRenderer(color: true, width: 30).render(reading.diagnostics).isEmpty == reading.diagnostics.isEmpty)
        }
    }
}
