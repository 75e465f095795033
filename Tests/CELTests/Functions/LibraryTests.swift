import JSON
import Testing

@testable import CEL

/// Tests of the functions for lists, maps, encodings and URLs that go beyond the extensions of cel-go.
@Suite struct LibraryTests {
    @Test(arguments: [
        "[1, 2, 3].sum() == 6", "[].sum() == 0", "[1u, 2u].sum() == 3u", "[1, 2.5].sum() == 3.5",
        "type([1, 2].sum()) == int", "[duration('1s'), duration('2s')].sum() == duration('3s')",
        "json.parse('[1, 0.5]').sum() == 1.5", "[duration('1s')].sum() < duration('2s')",
        "[1, 2].avg() == 1.5", "[2u, 4u].avg() == 3.0", "[0.5].avg() == 0.5", "json.parse('[1.5]').avg() == 1.5",
        "[duration('1s'), duration('2s')].avg() == duration('1.5s')",
        "[3, 1, 2].min() == 1", "[3, 1, 2].max() == 3", "['b', 'a'].min() == 'a'", "[1, 2.5, 2u].max() == 2.5",
        "[timestamp('2026-01-02T00:00:00Z'), timestamp('2026-01-01T00:00:00Z')].min().getDate() == 1",
        "type([1, 1.0].min()) == int", "[false, true].max()",
        "{'a': 1, 'b': 2}.keys() == ['a', 'b']", "{'a': 1, 'b': 2}.values() == [1, 2]", "{}.keys() == []",
        "json.parse('{\"a\": 1.50}').values() == [1.5]",
        "json.stringify(json.parse('{\"a\": 1.50}').values()) == '[1.50]'",
        "{1: 'a', true: 'b'}.keys() == [1, true]",
        "{'a': 1, 'b': 2}.merge({'b': 3, 'c': 4}) == {'a': 1, 'b': 3, 'c': 4}",
        "{'a': {'x': 1}}.merge({'a': {'y': 2}}) == {'a': {'y': 2}}", "{1: 'a'}.merge({1u: 'b'}) == {1: 'b'}",
        "{'a': 1, 'b': 2}.pick(['b', 'z']) == {'b': 2}", "{'a': 1, 'b': 2}.pick([]) == {}",
        "{'a': 1, 'b': 2}.omit(['b', 'z']) == {'a': 1}", "{1: 'a'}.omit([1u]) == {}",
        "json.stringify(json.parse('{\"a\": 1.50, \"b\": 2}').omit(['b'])) == '{\"a\":1.50}'",
        "base64url.encode(b'\\xfb\\xff') == '-_8'", "base64url.decode('-_8') == b'\\xfb\\xff'",
        "base64url.decode('-_8=') == b'\\xfb\\xff'", "base64url.encode('') == ''",
        "hex.encode(md5('hello')) == '5d41402abc4b2a76b9719d911017c592'",
        "hex.encode(sha1('hello')) == 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'",
        "size(sha384('')) == 48", "size(sha512(b'')) == 64",
        "hex.encode(hmacSHA1('key', 'hello')) == 'b34ceac4516ff23a143e61d79d0fa7a4fbe5f266'",
        "size(hmacSHA384('key', '')) == 48", "size(hmacSHA512(b'key', '')) == 64",
        "html.escape('<a b=\"c\">&\\'') == '&lt;a b=&quot;c&quot;&gt;&amp;&#39;'",
        "html.unescape('&lt;a&gt; &amp;amp; &quot;&apos;&#39;&#x27;&eacute;&nbsp;') == '<a> &amp; \"\\'\\'\\'é\\u00a0'",
        "html.unescape('& &; &nix; &#; &#x; &#-1; &#0; &#xD800; &amp') == '& &; &nix; &#; &#x; &#-1; &#0; &#xD800; &amp'",
        "html.unescape('&#128512;') == '😀'", "html.unescape(html.escape('a<\"&amp;>')) == 'a<\"&amp;>'",
        "url.parse('https://ada:p%40ss@Example.org:8443/a/b?x=1#top') == {'scheme': 'https', 'user': 'ada',"
            + " 'password': 'p@ss', 'host': 'example.org', 'port': 8443, 'path': '/a/b', 'query': 'x=1',"
            + " 'parameters': {'x': ['1']}, 'fragment': 'top'}",
        "url.parse('/a').scheme == null && url.parse('/a').host == null && url.parse('/a').path == '/a'",
        "url.parse('http://[2001:DB8::1]:80/').host == '2001:db8::1' && url.parse('http://[::1]').port == null",
        "url.parse('http://h:/').port == null", "url.parse('http://h?').query == ''",
        "url.parse('mailto:a@b').path == 'a@b'",
        "url.parse('').path == ''", "url.parse('http://h?a=1&a=2').parameters == {'a': ['1', '2']}",
        "url.resolve('http://a/b/c/d?q', '../g?y#s') == 'http://a/b/g?y#s'",
        "url.resolve('http://a/b', '') == 'http://a/b'",
        "url.resolve('http://a/b', 'https://c') == 'https://c'", "url.resolve('http://a', 'b') == 'http://a/b'",
        "query.parse('a=1&b=x+y%26&a=2') == {'a': ['1', '2'], 'b': ['x y&']}", "query.parse('?a=1') == {'a': ['1']}",
        "query.parse('') == {}", "query.parse('a&=b') == {'a': [''], '': ['b']}",
        "query.parse('%FF') == {'\\ufffd': ['']}",
    ])
    func holds(_ source: String) throws {
        let value = try CELExpression(source).evaluate(CELVariables(), context: .fixed)
        guard case .bool(true) = value else {
            Issue.record("\(source) returns \(value)")
            return
        }
    }

    @Test(arguments: [
        ("['a'].sum()", "sum() requires a list of numbers or durations, but element 0 is string"),
        ("[1, duration('1s')].sum()", "sum() cannot add int and duration"),
        ("[1, 1u].sum()", "sum() cannot add int and uint"),
        ("[9223372036854775807, 1].sum()", "the result is out of range for int"),
        ("{'a': 1}.sum()", "no such overload: map.sum()"),
        ("[].avg()", "avg(): an empty list has no average; test its size first"),
        ("[null].avg()", "avg() requires a list of numbers or durations, but element 0 is null"),
        ("[].min()", "min(): an empty list has no minimum; test its size first"),
        ("[[1]].max()", "max() cannot order values of type list"),
        ("[1, 'a'].min()", "min() cannot order values of different types, got "),
        ("[0.0 / 0.0, 1.0].max()", "max() cannot order NaN"),
        ("sum([1])", "unknown function \"sum\"; call it as a method: x.sum(…)"),
        ("[1].average()", "unknown method \"average\"; write x.avg()"),
        ("[1].unique()", "unknown method \"unique\"; write x.distinct()"),
        ("math.max(1, 2)", "unknown function \"math.max\"; did you mean \"math.greatest\"?"),
        ("math.min(1, 2)", "unknown function \"math.min\"; did you mean \"math.least\"?"),
        ("Object.keys({})", "unknown function \"Object.keys\"; write x.keys()"),
        ("[1].keys()", "no such overload: list.keys()"),
        ("{}.merge([])", "no such overload: map.merge(list)"),
        ("{}.pick('a')", "no such overload: map.pick(string)"),
        ("{'a': 1}.pick([[]])", "pick() requires a list of keys, but one of its elements is list"),
        ("{'a': 1}.omit([1.5])", "omit() requires a list of keys, but one of its elements is double"),
        ("{}.omti([])", "unknown method \"omti\"; did you mean \"omit\"?"),
        ("base64url.decode('a+/b')", "the string is not valid base64url"),
        ("base64url.encode(1)", "no such overload: base64url.encode(int)"),
        ("md5(1)", "no such overload: md5(int)"),
        ("hmacSHA512(1, 'a')", "no such overload: hmacSHA512(int, string)"),
        ("html.escape(1)", "no such overload: html.escape(int)"),
        ("html.escpae('')", "unknown function \"html.escpae\"; did you mean \"html.escape\"?"),
        (
            "url.parse('http://a b/')",
            "url.parse(): \"http://a b/\" contains a space or control character; percent-encode it"
        ),
        ("url.parse('http://h:99999/')", "url.parse(): the port \"99999\" is not a number from 0 to 65535"),
        ("url.parse('http://h:-1/')", "url.parse(): the port \"-1\" is not a number from 0 to 65535"),
        ("url.parse('http://[::1/')", "url.parse(): the address \"[::1\" has no closing bracket"),
        ("url.parse('http://[::1]x')", "url.parse(): the port "),
        ("url.resolve('/a', 'b')", "url.resolve(): the base \"/a\" must have a scheme, such as https"),
        ("url.resolve('http://a', 'b c')", "url.resolve(): \"b c\" contains a space"),
        ("query.parse(null)", "no such overload: query.parse(null)"),
        ("url.prase('')", "unknown function \"url.prase\"; did you mean \"url.parse\"?"),
    ])
    func fails(_ source: String, _ message: String) {
        let text = shown(source)
        #expect(text.contains("error at"))
        #expect(text.drop { $0 != ":" }.dropFirst(2).hasPrefix(message), "\(text)")
    }

    /// The names of the fields of a response have any case.
    @Test func caseInsensitiveMaps() {
        let headers = CELValue.map(CELMap(caseInsensitive: ["content-type": "a", "x-id": "b"]))
        let variables: CELVariables = ["headers": headers]
        #expect(shown("headers.pick(['Content-Type'])", variables) == #"{"Content-Type": "a"}"#)
        #expect(shown("headers.omit(['X-ID'])", variables) == #"{"content-type": "a"}"#)
    }
}
