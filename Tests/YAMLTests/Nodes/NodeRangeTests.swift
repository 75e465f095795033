import Diagnostics
import JSON
import Testing
import YAML

@Suite struct NodeRangeTests {
    /// The range and source text of the value of `k`.
    @Test(
        arguments: [
            ("k: abc\n", "1:4-1:7", "abc"),
            ("k:    abc   # c\n", "1:7-1:10", "abc"),
            ("k:\tabc\n", "1:4-1:7", "abc"),
            ("k: 'a''b'\n", "1:4-1:10", "'a''b'"),
            ("k: \"日本\"\n", "1:4-1:8", "\"日本\""),
            ("{日本: 1, 👍🏽: 2, k: abc}\n", "1:19-1:22", "abc"),
            ("{e\u{301}: 1,\tk: abc}\n", "1:12-1:15", "abc"),
            ("k:\n", "1:3-1:3", ""),
            ("k:\n  abc\n", "2:3-2:6", "abc"),
            ("k: ", "1:3-1:3", ""),
            ("k: &x", "1:6-1:6", ""),
            ("? k", "1:4-1:4", ""),
            ("k: a\n  b\nl: 1\n", "1:4-2:4", "a\n  b"),
            ("k: |\n  a\n  b\n\n# c\nl: 1\n", "1:4-3:4", "|\n  a\n  b"),
            ("k: |\n  a", "1:4-2:4", "|\n  a"),
            ("k: |\nl: 1\n", "1:4-1:5", "|"),
            ("k: >-\n  a\n\n\n", "1:4-2:4", ">-\n  a"),
            ("k: [1, 2]\n", "1:4-1:10", "[1, 2]"),
            ("k: {\n  a: 1\n}\nl: 1\n", "1:4-3:2", "{\n  a: 1\n}"),
            ("k:\n  - 1\n  - 2\n\n# c\nl: 1\n", "2:3-3:6", "- 1\n  - 2"),
            ("k:\n- 1\n- 2\nl: 1\n", "2:1-3:4", "- 1\n- 2"),
            ("k:\n  a: 1\n  b: x  # c\n\nl: 1\n", "2:3-3:7", "a: 1\n  b: x"),
            ("k:\n  a: |\n    x\n\nl: 1\n", "2:3-3:6", "a: |\n    x"),
            ("k:\n  a:\n    b:\n      c: 1\nl: 1\n", "2:3-4:11", "a:\n    b:\n      c: 1"),
            // Anchors and tags are not part of the content.
            ("k: &x abc\n", "1:7-1:10", "abc"),
            ("k: !!str abc\n", "1:10-1:13", "abc"),
            ("k: &x !!str 'a'\n", "1:13-1:16", "'a'"),
            ("k: !!str &x\n  abc\n", "2:3-2:6", "abc"),
            ("k: &x [1]\n", "1:7-1:10", "[1]"),
            ("k: !!map {a: 1}\n", "1:10-1:16", "{a: 1}"),
            ("k: &x\n  a: 1\n", "2:3-2:7", "a: 1"),
            ("k: &x\n  - 1\n", "2:3-2:6", "- 1"),
            ("k: &x\n- 1\n", "2:1-2:4", "- 1"),
            ("k: &x |\n  a\n", "1:7-2:4", "|\n  a"),
            ("k: &x\nl: 1\n", "1:6-1:6", ""),
            ("[&x a, {k: &y b}]\n", "1:15-1:16", "b"),
            // A byte order mark, the line breaks of all systems, and breaks that only YAML 1.1 has.
            ("\u{FEFF}k: abc\n", "1:4-1:7", "abc"),
            ("a: 1\r\nk: abc\r\n", "2:4-2:7", "abc"),
            ("a: 1\rk: abc\r", "2:4-2:7", "abc"),
            ("a: \"x\u{2028} y\"\nk: abc\n", "2:4-2:7", "abc"),
            ("k: !!str\u{2029}  abc\n", "1:12-1:15", "abc"), ("k: ! # x\u{85}  abc\n", "1:12-1:15", "abc"),
            ("# \u{85}\na: é\nk: 日abc\n", "3:4-3:8", "日abc"),
            ("--- # c\nk: abc\n", "2:4-2:7", "abc"),
        ] as [(String, String, String)])
    func valuesHaveTheirLocation(text: String, expected: String, source: String) throws {
        let reading = Reading(text)
        #expect(reading.rendered == "")
        let root = try reading.root
        let node = try #require(root["k"] ?? root.sequence?.last?["k"])
        #expect(location(node.range) == expected)
        #expect(node.range.text == source)
    }

    @Test func keysHaveTheirLocation() throws {
        let root = try Reading("é: 1\n\"b c\": {d: 2}\n? e\n: 3\n").root
        let members = try #require(root.mapping)
        #expect(members.map { location($0.key.range) } == ["1:1-1:2", "2:1-2:6", "3:3-3:4"])
        #expect(root.mapping?.keyNode("b c").map { location($0.range) } == "2:1-2:6")
        #expect(root.mapping?.keyNode("x") == nil)
    }

    @Test func anAliasHasItsOwnLocationToo() throws {
        let root = try Reading("a: &x {y: 1}\nb: *x\n").root
        let node = try #require(root["b"])
        #expect(location(node.range) == "1:7-1:13")
        #expect(node.aliasRange.map(location) == "2:4-2:6")
        #expect(root["a"]?.aliasRange == nil)
        #expect(node["y"]?.aliasRange == nil)
    }

    /// Parts of a scalar's text, and their source.
    @Test(
        arguments: [
            ("k: abc def\n", 4..<7, "def", "def"),
            ("k: 日本語\n", 1..<2, "本", "本"),
            ("k: 'it''s ${x}'\n", 2..<6, "'s $", "''s $"),
            ("k: 'it''s ${x}'\n", 5..<9, "${x}", "${x}"),
            ("k: \"\\u00e9\\t${x}\"\n", 2..<6, "${x}", "${x}"),
            ("k: \"\\u00e9\\t${x}\"\n", 0..<1, "é", "\\u00e9"),
            ("k: \"a\\x41\\U0001F44D\\\\b\"\n", 4..<5, "b", "b"),
            ("k: a\n  b\n  ${x}\n", 4..<8, "${x}", "${x}"),
            ("k: a\n\n\n  ${x}\n", 3..<7, "${x}", "${x}"),
            ("k: \"a\n  b\\\n  ${x}\"\n", 3..<7, "${x}", "${x}"),
            ("k: \"a\r\n  b\"\r\n", 2..<3, "b", "b"),
            ("k: |\n  one\n   ${x}\n", 5..<9, "${x}", "${x}"),
            ("k: |\n\n  one\n\n  ${x}\n", 6..<10, "${x}", "${x}"),
            ("k: |2\n    ${x}\n", 2..<6, "${x}", "${x}"),
            ("k: >\n  one\n  two\n\n  ${x}\n", 8..<12, "${x}", "${x}"),
            ("k: |\r\n  one\r\n  ${x}\r\n", 4..<8, "${x}", "${x}"),
            ("k: &x 'a'\n", 0..<1, "a", "a"),
            ("k: |2\n   \n   ${x}\n", 3..<7, "${x}", "${x}"),
            ("k: >-\n\n  a\n    ${x}\n  b\n", 5..<9, "${x}", "${x}"),
            ("k: abc\n", 3..<3, "", ""),
        ] as [(String, Range<Int>, String, String)])
    func partsOfATextHaveTheirLocation(text: String, part: Range<Int>, words: String, source: String) throws {
        let node = try #require(try Reading(text).root["k"])
        let scalars = Array(try #require(node.scalar?.text).unicodeScalars)
        #expect(String(String.UnicodeScalarView(scalars[part])) == words)
        #expect(node.range(ofText: part).text == source)
    }

    @Test func partsOutsideAreClamped() throws {
        let node = try #require(try Reading("k: 'abc'\nl: [1]\nm: ''\n").root["k"])
        #expect(node.range(ofText: 1..<99).text == "bc")
        #expect(location(node.range(ofText: 3..<3)) == "1:8-1:8")
        let root = try Reading("k: 'abc'\nl: [1]\nm: ''\n").root
        #expect(root["l"]?.range(ofText: 0..<1).text == "[1]")
        #expect(root["m"]?.range(ofText: 0..<1).text == "''")
    }
}
