import Basics
import JSON
import Testing
import YAML

@Suite struct CoreSchemaTests {
    @Test(
        arguments: [
            ("null", "null"), ("Null", "null"), ("NULL", "null"), ("~", "null"), ("", "null"), ("# c", "null"),
            ("true", "true"), ("True", "true"), ("TRUE", "true"), ("false", "false"), ("False", "false"),
            ("FALSE", "false"),
            // Numbers, with their digits retained if JSON has the notation.
            ("0", "0"), ("-0", "-0"), ("12", "12"), ("-12", "-12"), ("+12", "12"), ("012", "12"), ("-007", "-7"),
            ("00", "0"), ("1.10", "1.10"), ("1e3", "1e3"), ("1E+3", "1E+3"), ("-1.5e-7", "-1.5e-7"), (".5", "0.5"),
            ("-.5", "-0.5"), ("+.5e1", "0.5e1"), ("1.", "1.0"), ("1.e3", "1.0e3"), ("01.50", "1.50"),
            ("12345678901234567890", "12345678901234567890"), ("0.1000", "0.1000"),
            ("0x1F", "31"), ("0xff", "255"), ("0o17", "15"), ("0x0", "0"),
            ("0xFFFFFFFFFFFFFFFFFFFF", "1208925819614629174706175"), ("1e400", "1e400"),
        ] as [(String, String)])
    func plainScalarsAreResolved(text: String, json: String) throws {
        #expect(try Reading("a: \(text)\n").root["a"]?.json.serialized() == json)
    }

    @Test(arguments: [
        "no", "yes", "on", "off", "y", "n", "No", "tRUE", "nULL", "nil", "None", "truex", "1:30", "2026-01-01",
        "2026-01-01T00:00:00Z", "1_000", "0b11", "0x", "0xG", "0o8", "0o", "-0x1", "+0o7", "1e", "1e+", "e3", "+",
        ".", "..", "+.", "-.e3", "1.2.3", "1 2", "0x+1", "12a", "1,5", "١", "1e3e4", "--1", ".e1", "-x",
        "Infinity", "NaN", "inf", "<<",
    ])
    func everythingElseIsAString(text: String) throws {
        #expect(try Reading("a: \(text)\n").root["a"]?.json == .string(text))
    }

    @Test(arguments: [".inf", ".Inf", ".INF", "+.inf", "-.inf", "-.INF", ".nan", ".NaN", ".NAN"])
    func nonFiniteNumbersAreKeptAsText(text: String) throws {
        let node = try #require(try Reading("a: \(text)\n").root["a"])
        #expect(node.scalar?.isNonFinite == true)
        #expect(node.scalar?.isString == false)
        #expect(node.json == .string(text))
        #expect(node.typeDescription == "a number")
    }

    @Test(arguments: [".iNF", "-.nan", "+.nan", ".infinity"])
    func nearlyNonFiniteNumbersAreStrings(text: String) throws {
        let node = try #require(try Reading("a: \(text)\n").root["a"])
        #expect(node.scalar?.isNonFinite == false)
        #expect(node.scalar?.isString == true)
    }

    @Test(arguments: ["'1'", "\"1\"", "|-\n  1", ">-\n  1", "!!str 1", "! 1"])
    func quotedScalarsAreStrings(text: String) throws {
        #expect(try Reading("a: \(text)\n").root["a"]?.json == .string("1"))
    }

    @Test(
        arguments: [
            ("!!str 012", "\"012\""), ("!!str", "\"\""), ("!!str null", "\"null\""), ("!!int \"12\"", "12"),
            ("!!int '0x1F'", "31"), ("!!float 1", "1"), ("!!float \"1.50\"", "1.50"), ("!!bool \"true\"", "true"),
            ("!!null ''", "null"), ("!!null ~", "null"), ("!!map {a: 1}", "{\"a\":1}"), ("!!seq [1]", "[1]"),
            ("!<tag:yaml.org,2002:str> 1", "\"1\""), ("&x !!str 1", "\"1\""), ("!!str &x 1", "\"1\""),
            ("!!int\n  1", "1"), ("!!float .inf", "\".inf\""),
        ] as [(String, String)])
    func coreTagsAreHonored(text: String, json: String) throws {
        let reading = Reading("a: \(text)\n")
        #expect(reading.rendered == "")
        #expect(try reading.root["a"]?.json.serialized() == json)
    }

    @Test(
        arguments: [
            ("\"a\\tb\\n\\x41\\u00e9\\U0001F44D\\\"\\\\\\/\\0\"", "a\tb\n\u{41}é👍\"\\/\u{0}"),
            ("'it''s'", "it's"), ("'a\\n'", "a\\n"), ("a # c", "a"), ("a#c", "a#c"), ("a b\n   c", "a b c"),
            ("a\n\n\n  b", "a\n\nb"), ("\"a\n  b\\\n  c\"", "a bc"), ("|\n  a\n   b\n\n  c\n", "a\n b\n\nc\n"),
            ("|+\n  a\n", "a\n\n"), ("|-\n  a\n\n", "a"), (">\n  a\n  b\n\n  c\n", "a b\nc\n"),
            ("|2\n    a\n", "  a\n"),
            ("http://x:80/?a=b", "http://x:80/?a=b"), ("${x}", "${x}"), ("a ${x} b", "a ${x} b"), ("日本 👍", "日本 👍"),
            ("-1-", "-1-"), ("\"a\u{2028}b\"", "a\u{2028}b"),
        ] as [(String, String)])
    func textsAreRead(text: String, value: String) throws {
        let reading = Reading("a: \(text)\n")
        #expect(reading.rendered == "")
        #expect(try reading.root["a"]?.scalar?.text == value)
    }

    @Test func stylesAreKnown() throws {
        let root = try Reading("- a\n- 'a'\n- \"a\"\n- |\n  a\n- >\n  a\n- [a]\n-\n  - a\n").root
        let nodes = try #require(root.sequence)
        #expect(nodes.map(\.scalar?.style) == [.plain, .singleQuoted, .doubleQuoted, .literal, .folded, nil, nil])
        #expect(nodes.map(\.isFlow) == [false, false, false, false, false, true, false])
    }

    @Test(
        arguments: [
            ("x", "a string"), ("'1'", "a string"), ("1", "an integer"), ("1.0", "an integer"), ("1.5", "a number"),
            ("true", "a boolean"), ("", "null"), ("[1]", "a sequence"), ("{}", "a mapping"),
        ] as [(String, String)])
    func typesAreDescribed(text: String, words: String) throws {
        #expect(try Reading("a: \(text)\n").root["a"]?.typeDescription.text == words)
    }
}
