import Testing
import YAMLFormat

/// Tests of formatted texts.
struct YAMLFormatterTests {
    /// A text and its canonical layout.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var before: String
        var after: String

        var testDescription: String { name }

        /// Creates a case. Without a second text, the first one is already formatted.
        init(_ name: String, _ before: String, _ after: String? = nil) {
            self.name = name
            self.before = before
            self.after = after ?? before
        }
    }

    static func format(_ text: String, _ formatter: YAMLFormatter = YAMLFormatter(), _ layouts: [NodeLayout] = [])
        throws -> String
    {
        String(decoding: try formatter.format(Array(text.utf8), layouts: layouts), as: UTF8.self)
    }

    @Test(arguments: indentation + spaces + scalars)
    func layout(_ example: Case) throws {
        let result = try Self.format(example.before)
        #expect(result == example.after)
        #expect(try Self.format(result) == result, "formatting again changed the text")
    }

    @Test(arguments: comments + documents)
    func commentsAndDocuments(_ example: Case) throws {
        let result = try Self.format(example.before)
        #expect(result == example.after)
        #expect(try Self.format(result) == result, "formatting again changed the text")
    }

    static let indentation = [
        Case("mappings indented by two", "a:\n    b:\n          c: 1\n    d: 2\n", "a:\n  b:\n    c: 1\n  d: 2\n"),
        Case("sequences below their key", "a:\n- 1\n- 2\nb: 3\n", "a:\n  - 1\n  - 2\nb: 3\n"),
        Case("sequences indented by four", "a:\n    -   b: 1\n        c: 2\n", "a:\n  - b: 1\n    c: 2\n"),
        Case("a mapping after a single dash", "-\n    a: 1\n    b: 2\n-\n  c: 3\n", "- a: 1\n  b: 2\n- c: 3\n"),
        Case("nested sequences", "-   - 1\n    - 2\n-   -   3\n", "- - 1\n  - 2\n- - 3\n"),
        Case("a sequence below a dash", "-\n   - 1\n", "-\n  - 1\n"),
        Case("a value below its key", "a:\n      text\n", "a:\n  text\n"),
        Case("no value", "a:\nb:   \n-x: ~\n", "a:\nb:\n-x: ~\n"),
        Case("empty elements", "-\n-   \n- a\n", "-\n-\n- a\n"),
        Case(
            "blank lines, at most one", "\n\na: 1\n\n\n\nb:\n\n\n  c: 1\n  \n\n  d: 2\n\n\n",
            "a: 1\n\nb:\n\n  c: 1\n\n  d: 2\n"),
        Case("carriage returns", "a:\r\n    b: 1\r\n\r\n    c: 2\r\n", "a:\n  b: 1\n\n  c: 2\n"),
        Case("CR line breaks", "a:\r   b: 1\r# c\rd: 2", "a:\n  b: 1\n# c\nd: 2\n"),
        Case("a byte order mark", "\u{FEFF}a:   1", "a: 1\n"),
        Case("no line break at the end", "a: 1", "a: 1\n"),
        Case("an explicit key", "? a\n:   1\n?    b\n? c # d\n: 2\n", "a: 1\nb:\n? c # d\n: 2\n"),
        Case(
            "an explicit key on multiple lines", "?   |\n   a\n   b\n:   -  1\n    - 2\n",
            "? |\n  a\n  b\n: - 1\n  - 2\n"),
        Case("anchors", "a:   &x\n    b: 1\nc:   *x\nd: &y   2\n", "a: &x\n  b: 1\nc: *x\nd: &y 2\n"),
        Case(
            "anchors in sequences", "-   &x\n    b: 1\n-   *x\n- &y   [1]\n- &z k: v\n",
            "- &x\n  b: 1\n- *x\n- &y [1]\n- &z k: v\n"),
        Case("an alias as a key", "a: &x b\n*x :   1\n", "a: &x b\n*x : 1\n"),
        Case("merge keys", "a: &x {b: 1}\nc:\n      <<:   *x\n      d: 2\n", "a: &x { b: 1 }\nc:\n  <<: *x\n  d: 2\n"),
        Case(
            "tags", "a:  !!str   1\nb: !!map\n    c: !<tag:yaml.org,2002:int>  2\n",
            "a: !!str 1\nb: !!map\n  c: !<tag:yaml.org,2002:int> 2\n"),
        Case("a tag and an anchor", "a: &x   !!str  1\nb: !!str &y\n     2\n", "a: &x !!str 1\nb: !!str &y\n  2\n"),
        Case("only a scalar", "   text\n", "text\n"),
        Case("an empty file", "", ""),
        Case("only blank lines", "\n  \n\n", ""),
    ]

    static let spaces = [
        Case("in braces", "a: {b: 1,c: 2 , d:   3}\n", "a: { b: 1, c: 2, d: 3 }\n"),
        Case("in brackets", "a: [ 1,2 ,   3 ]\nb: [ ]\nc: {   }\n", "a: [1, 2, 3]\nb: []\nc: {}\n"),
        Case("nested", "a: {b: [ {c: 1},{ } ], \"d\":{}}\n", "a: { b: [{ c: 1 }, {}], \"d\": {} }\n"),
        Case("JSON", "{\"a\":1,\"b\":[true,null]}\n", "{ \"a\": 1, \"b\": [true, null] }\n"),
        Case(
            "surrogate pair escapes in JSON",
            "{\"a\":\"\\ud83d\\udc4d \\\\ud83d \\uD83D\\uDC4D\",\"\\ud83d\\udc4d\":\"\\u00e9\"}\n",
            "{ \"a\": \"\\ud83d\\udc4d \\\\ud83d \\uD83D\\uDC4D\", \"\\ud83d\\udc4d\": \"\\u00e9\" }\n"),
        Case(
            "characters that YAML rejects, in JSON",
            "[\n\"\u{7F}\u{80}\u{85}\u{9F}\u{2028}\u{2029}\u{FEFF}\u{FFFE}\u{FFFF}é😀\",2]\n",
            "[\n  \"\u{7F}\u{80}\u{85}\u{9F}\u{2028}\u{2029}\u{FEFF}\u{FFFE}\u{FFFF}é😀\", 2]\n"),
        Case("a trailing comma", "a: [1, 2,]\nb: { c: 1, }\n", "a: [1, 2]\nb: { c: 1 }\n"),
        Case("keys without values", "a: { b, c: , d: }\n", "a: { b, c: , d: }\n"),
        Case("pairs", "a: [ b: 1,c:   2, ? d : 3, e: ]\n", "a: [b: 1, c: 2, d: 3, e: ]\n"),
        Case("an explicit key in braces", "{ ? a : 1, ? b }\n", "{ a: 1, b }\n"),
        Case("aliases", "a: &x 1\nb: [ *x,*x ]\nc: { *x : *x }\n", "a: &x 1\nb: [*x, *x]\nc: { *x : *x }\n"),
        Case(
            "tags without values", "a: [!!str ,!!str ]\nb: { c: !!str , d: &x }\n",
            "a: [!!str , !!str ]\nb: { c: !!str , d: &x }\n"),
        Case("unchanged lines", "a: [1,2,\n 3,\n       4]\n", "a: [1, 2,\n  3,\n  4]\n"),
        Case(
            "brackets on lines of their own", "a: {\n b: 1,\n      c: [\n2\n],\n }\n",
            "a: {\n  b: 1,\n  c: [\n    2\n  ],\n}\n"),
        Case("two brackets on a line", "a: [{\n    b: 1\n}, {\n  c: 2}]\n", "a: [{\n  b: 1\n}, {\n  c: 2 }]\n"),
        Case("in a sequence", "- {\n   b: 1\n  }\n- [\n  ]\n", "- {\n    b: 1\n  }\n- []\n"),
        Case("below a key", "a:\n     { b: 1,\n    c: 2 }\n", "a:\n  { b: 1,\n    c: 2 }\n"),
        Case("commas before", "a: [\n  1\n  , 2\n  , 3\n]\n", "a: [\n  1,\n  2,\n  3\n]\n"),
        Case("a value on the next line", "{ a:\n 1, b:\n    [2,\n3] }\n", "{ a:\n  1, b:\n    [2,\n      3] }\n"),
        Case("at the ends of lines", "a: 1   \nb: \t\n", "a: 1\nb:\n"),
    ]

    static let scalars = [
        Case("plain on multiple lines", "a: one\n      two\n\n   three\nb: 1\n", "a: one\n  two\n\n  three\nb: 1\n"),
        Case("plain below its key", "a:\n     one\n       two\n", "a:\n  one\n  two\n"),
        Case("plain in a sequence", "-    one\n  two\n-\n   three\n", "- one\n  two\n- three\n"),
        Case("plain with dashes", "a: one\n   - two\n   # no\n", "a: one\n  - two\n# no\n"),
        Case("plain in brackets", "[ one\n two, three\n   four ]\n", "[one\n  two, three\n  four]\n"),
        Case("quoted", "a:   'it''s'\nb: \"\\t # \\\" \"\n", "a: 'it''s'\nb: \"\\t # \\\" \"\n"),
        Case("quotes are kept", "a: \"text\"\n'b': 'c'\n\"d\": 1\n"),
        Case("quoted on multiple lines", "a: 'one  \n      two\n\n\n   three'\n", "a: 'one\n  two\n\n\n  three'\n"),
        Case(
            "escaped line breaks", "a: \"one \\\n      \\  two\\ \n   three \\\\  \n  four\"\n",
            "a: \"one \\\n  \\  two\\ \n  three \\\\\n  four\"\n"),
        Case(
            "literal", "a: |\n      one # no comment\n        two\n\n      three\nb: 1\n",
            "a: |\n  one # no comment\n    two\n\n  three\nb: 1\n"),
        Case("folded", "a: >-\n    one\n    two\n\n\n\nb: 1\n", "a: >-\n  one\n  two\n\nb: 1\n"),
        Case("kept blank lines", "a: |+\n    one\n\n\nb: >+\n\n\nc: 1\n", "a: |+\n  one\n\n\nb: >+\n\n\nc: 1\n"),
        Case("kept blank lines at the end", "a: |+\n    one\n\n\n", "a: |+\n  one\n\n\n"),
        Case("kept blank lines and a comment", "a: |+\n    one\n\n\n# c\n\nb: 1\n", "a: |+\n  one\n\n\n# c\n\nb: 1\n"),
        Case("trailing spaces are text", "a: |\n    one  \n      \n    two\n", "a: |\n  one  \n    \n  two\n"),
        Case("explicit indentation", "a:\n    b: |2\n        one\n      two\n", "a:\n  b: |2\n      one\n    two\n"),
        Case(
            "explicit indentation in a sequence", "-  |1-\n   one\n- >4\n     two\n", "- |1-\n   one\n- >4\n     two\n"),
        Case("a block without a line break", "a: |\n    one", "a: |-\n  one\n"),
        Case("a kept block without a line break", "a: >2+\n    one", "a: >2-\n    one\n"),
        Case("an empty block", "a: |\nb: >-\n\n\nc: |+\n", "a: |\nb: >-\n\nc: |+\n"),
        Case("a block at the end of a file", "a: |", "a: |\n"),
        Case("a block that starts with blank lines", "a: |\n\n  \n    one\n", "a: |\n\n\n  one\n"),
        Case("a block below its key", "a:\n   |\n      one\n", "a:\n  |\n  one\n"),
        Case(
            "a block in a sequence in a mapping", "a:\n- |\n one\n-   b: |\n      two\n",
            "a:\n  - |\n    one\n  - b: |\n      two\n"),
        Case("only a block", "--- |\n one\n", "--- |\n  one\n"),
        Case(
            "text in several scripts", "ключ:   значение # примечание\n値:  [ あ,い ]\n😀: é\n",
            "ключ: значение # примечание\n値: [あ, い]\n😀: é\n"),
    ]
}
