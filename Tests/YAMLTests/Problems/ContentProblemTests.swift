import Diagnostics
import JSON
import Testing
import YAML

@Suite struct ContentProblemTests {
    @Test(
        arguments: [
            ("a: 1\nb: 2\na: 3\n", ["duplicate-key 3:1-3:2"], "{\"a\":1,\"b\":2}"),
            ("{a: 1, 'a': 2, \"a\": 3}\n", ["duplicate-key 1:8-1:11", "duplicate-key 1:16-1:19"], "{\"a\":1}"),
            ("1: a\n'1': b\n", ["duplicate-key 2:1-2:4"], "{\"1\":\"a\"}"),
            ("<<: {a: 1}\n<<: {b: 2}\n", ["duplicate-key 2:1-2:3"], "{\"a\":1}"),
            ("? [a]\n: b\nc: 1\n", ["complex-key 1:3-1:6"], "{\"c\":1}"),
            ("{a: {{x}}}\n", ["complex-key 1:6-1:9"], "{\"a\":{}}"),
            ("? \n: 1\n", ["missing-key 1:2-1:2"], "{}"),
            ("a: !foo bar\n", ["unknown-tag 1:4-1:8"], "{\"a\":\"bar\"}"),
            ("a: !!binary YQ==\nb: !!timestamp 2026-01-01\n", ["unknown-tag 1:4-1:12", "unknown-tag 2:4-2:15"], nil),
            ("a: &x !foo [1]\n", ["unknown-tag 1:7-1:11"], "{\"a\":[1]}"),
            ("a: !!set {b}\n", ["unknown-tag 1:4-1:9"], nil),
            ("a: !!int abc\n", ["wrong-tag 1:10-1:13"], "{\"a\":\"abc\"}"),
            ("a: !!int 1.5\n", ["wrong-tag 1:10-1:13"], nil),
            ("a: !!bool yes\n", ["wrong-tag 1:11-1:14"], nil),
            ("a: !!float x\n", ["wrong-tag 1:12-1:13"], nil),
            ("a: !!null x\n", ["wrong-tag 1:11-1:12"], nil),
            ("a: !!map x\n", ["wrong-tag 1:10-1:11"], nil),
            ("a: !!map [x]\n", ["wrong-tag 1:4-1:9"], "{\"a\":[\"x\"]}"),
            ("a: !!str {x: 1}\n", ["wrong-tag 1:4-1:9"], nil),
            ("a: *x\n", ["undefined-alias 1:4-1:6"], "{\"a\":null}"),
            ("a: &x [1, *x]\n", ["recursive-alias 1:11-1:13"], "{\"a\":[1,null]}"),
            ("&x a: &y {b: {c: *y}}\n", ["recursive-alias 1:18-1:20"], nil),
            ("<<: 1\na: 2\n", ["bad-merge 1:5-1:6"], "{\"a\":2}"),
            ("<<: [{a: 1}, 2, [3]]\n", ["bad-merge 1:14-1:15", "bad-merge 1:17-1:20"], "{\"a\":1}"),
            ("a: &x 1\nb: {<<: *x}\n", ["bad-merge 2:9-2:11"], "{\"a\":1,\"b\":{}}"),
        ] as [(String, [String], String?)])
    func problemsDoNotStopReading(text: String, problems: [String], json: String?) {
        let reading = Reading(text)
        #expect(reading.problems == problems)
        #expect(reading.documents.count == 1)
        if let json { #expect(reading.documents.first?.json.serialized() == json) }
    }

    @Test func duplicatesInALargeMap() throws {
        let text = (0..<50).map { "k\($0): \($0)\n" }.joined() + "k7: x\nk49: y\n"
        let reading = Reading(text)
        #expect(reading.problems == ["duplicate-key 51:1-51:3", "duplicate-key 52:1-52:4"])
        #expect(reading.diagnostics.first?.related.first?.range.map(location) == "8:1-8:3")
        #expect(try reading.root.mapping?.count == 50)
        #expect(try reading.root["k49"]?.scalar?.text == "49")
    }

    @Test func theWholeOutput() {
        #expect(
            Reading("a: 1\nb:\n  c: 2\na: 3\n").rendered == """
                a.yaml:4:1: error: duplicate key "a" [duplicate-key]
                    4 │ a: 3
                      │ ^ the second "a"
                a.yaml:1:1: note: first defined here
                    1 │ a: 1
                      │ ^

                """)
        #expect(
            Reading("base: &base {}\nm: *bsae\n").rendered == """
                a.yaml:2:4: error: no anchor "&bsae" precedes this alias [undefined-alias]
                    2 │ m: *bsae
                      │    ^^^^^ did you mean "*base"?

                """)
        #expect(
            Reading("a: !!int abc\n").rendered == """
                a.yaml:1:10: error: "abc" is not an integer [wrong-tag]
                    1 │ a: !!int abc
                      │          ^^^
                a.yaml:1:4: note: the tag is here
                    1 │ a: !!int abc
                      │    ^^^^^

                """)
        #expect(
            Reading("a: {{name}}\n").rendered == """
                a.yaml:1:5: error: a key must be a string, not a mapping [complex-key]
                    1 │ a: {{name}}
                      │     ^^^^^^ quote it if it is a string; a template is written "${…}"

                """)
    }
}
