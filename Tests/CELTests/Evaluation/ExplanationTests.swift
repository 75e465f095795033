import Basics
import JSON
import Testing

@testable import CEL

@Suite struct ExplanationTests {
    static let variables = scope([
        "status": 200, "empty": [], "limit": 5.5, "name": "Ada Lovelace", "flag": false,
        "body": [
            "count": 2, "title": "Dune",
            "items": [
                ["id": 1, "name": "a"], ["id": -5, "name": "b"], ["id": -6, "name": "c"],
            ],
        ],
        "tags": ["x", "y", "7"], "headers": ["content-type": "application/json"], "long": .string(longText),
        "other": .string(longText.replacing("word37", with: "Word 37")),
    ])
    static let longText = (0..<60).map { "word\($0)" }.joined(separator: " ")

    /// Returns the parts as lines, indented by two spaces per level.
    static func lines(_ source: String) throws -> [String] {
        var lines: [String] = []
        func append(_ part: CELExplanation.Part, _ depth: Int) {
            let text =
                switch part.content {
                case .value(let source, let value): "\(source) = \(value.brief)"
                case .condition(let source, let flag): "\(source) is \(flag)"
                case .failure(let source, let message): "\(source) fails: \(message)"
                case .element(let variable, let key, let value): "at \(key): \(variable) = \(value.brief)"
                case .sample(let key): "at \(key)"
                case .note(let text): "(\(text))"
                }
            lines.append(String(repeating: "  ", count: depth) + text)
            for child in part.children { append(child, depth + 1) }
        }
        for part in try CELExpression(source).explain(variables).parts { append(part, 0) }
        return lines
    }

    /// Keys are shown neither as arguments nor as the values of names.
    @Test(arguments: [
        ("jwt.sign({}, name, 'RS256') == ''", nil), ("jwt.verify('a.b.c', name) == 1", nil),
        ("string(hmacSHA256(name, long)) == 'x'", "long"),
    ])
    func keysAreHidden(_ source: String, _ shown: String?) throws {
        let lines = try Self.lines(source).joined(separator: "\n")
        #expect(!lines.contains("Ada"))
        if let shown { #expect(lines.contains("\(shown) = ")) }
        let pem = "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----"
        let bound = try CELExpression("cel.bind(k, key, jwt.sign({}, k, 'HS256') == '')")
        let parts = bound.explain(scope(["key": .string(pem)])).parts
        #expect(!parts.contains { if case .value(_, .string(let text)) = $0.content { text == pem } else { false } })
    }

    @Test(
        arguments: [
            // Values and their origins.
            ("body.count == 3", ["body.count = 2"]),
            (
                "body.count + 1 == size(body.items) + 5",
                [
                    "body.count + 1 = 3", "  body.count = 2", "size(body.items) + 5 = 8", "  size(body.items) = 3",
                    #"    body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c…"#,
                ]
            ),
            ("body.items.size() == 2", ["body.items.size() = 3"]),
            ("flag", []), ("flag == true", ["flag = false"]),
            ("!(status == 200)", ["status == 200 is true", "  status = 200"]),
            ("type(status) == string", ["type(status) = int", "  status = 200"]),
            ("(status + 1)\n   * 2 == 3", ["(status + 1) * 2 = 402", "  status + 1 = 201", "    status = 200"]),
            // The operands of && and ||: briefly, those that did not determine the result.
            ("false && status == 1", []),
            (
                "status == 200 && body.count > 2 && flag",
                ["status == 200 is true", "body.count > 2 is false", "  body.count = 2"]
            ),
            (
                "status == 201 || body.count > 2",
                ["status == 201 is false", "  status = 200", "body.count > 2 is false", "  body.count = 2"]
            ),
            (
                "!(status == 201 || body.count == 2 || flag)",
                [
                    "status == 201 || body.count == 2 || flag is true", "  status == 201 is false",
                    "  body.count == 2 is true", "    body.count = 2",
                ]
            ),
            (
                "status == 201 || (body.count == 2 && flag)",
                [
                    "status == 201 is false", "  status = 200", "body.count == 2 && flag is false",
                    "  body.count == 2 is true", "  flag = false",
                ]
            ),
            (
                "body.nothing == 1 && flag",
                [
                    #"body.nothing fails: no such key: "nothing"; available keys: "count", "title", "items""#,
                    "flag = false",
                ]
            ),
            // The branch of ?: that was evaluated.
            (
                "status == 200 ? body.count > 5 : flag",
                [
                    "status == 200 is true", "  status = 200",
                    "(the condition is true, so the result is that of body.count > 5)", "body.count > 5 is false",
                    "  body.count = 2",
                ]
            ),
            (
                "(flag ? 1 : body.count) == 3",
                [
                    "flag ? 1 : body.count = 2", "  flag = false",
                    "  (the condition is false, so the result is that of body.count)", "  body.count = 2",
                ]
            ),
            // has and in: the existing alternatives.
            ("has(body.titel)", [#"(the most similar key is "title")"#]),
            ("has(body.zzz)", [#"(available keys: "count", "title", "items")"#]),
            ("!has(body.count)", ["has(body.count) is true", "  body.count = 2"]),
            (
                "!has(headers['content-type'])",
                ["has(headers['content-type']) is true", #"  headers['content-type'] = "application/json""#]
            ),
            (
                "'Count' in body",
                [
                    #"(the most similar key is "count")"#,
                    #"body = {"count": 2, "title": "Dune", "items": [{"id": 1, "name": "a"}, {"id…"#,
                ]
            ),
            ("'X' in tags", [#"(the element at index 0 is "x" (string))"#, #"tags = ["x", "y", "7"]"#]),
            ("7 in tags", [#"(the element at index 2 is "7" (string))"#, #"tags = ["x", "y", "7"]"#]),
            ("1 in empty", ["(the list is empty)", "empty = []"]),
            // Equality: differences that the values do not show at a glance.
            ("body.title == 'dune'", ["(they differ only in case)", #"body.title = "Dune""#]),
            (
                "body.title == 'Dune '",
                ["(they differ only in leading or trailing whitespace)", #"body.title = "Dune""#]
            ),
            ("'caf\\u00e9' == 'cafe\\u0301' + string(empty.size() - 0 == 0 ? '' : 'x')", nil),
            (
                "body.count == '2'",
                [
                    "(int and string are never equal; to convert, write string(x), int(x) or double(x))",
                    "body.count = 2",
                ]
            ),
            (
                "duration('2s') == '2s' + name.substring(0, 0)",
                [
                    "(duration and string are never equal; to parse a string, write duration(x))",
                    #"'2s' + name.substring(0, 0) = "2s""#, #"  name.substring(0, 0) = """#,
                    #"    name = "Ada Lovelace""#,
                ]
            ),
            ("long == other", ["(they first differ at character 250)", "long = ", "other = "]),
            (
                "limit - 5.4 == 0.1",
                [
                    "(they differ only by rounding; to allow a difference, write math.abs(a - b) < 0.001)",
                    "limit - 5.4 = 0.09999999999999964", "  limit = 5.5",
                ]
            ),
            (
                "tags == ['y', 'x', '7']",
                ["(they have the same elements in a different order)", #"tags = ["x", "y", "7"]"#]
            ),
            (
                "tags == ['x', 'y', 7]",
                [#"(they differ at [2]: "7" (string) and 7 (int))"#, #"tags = ["x", "y", "7"]"#]
            ),
            ("tags == ['x', 'y']", [#"(only the left side has [2]: "7")"#, #"tags = ["x", "y", "7"]"#]),
            (
                "body.items[0] == {'id': 1, 'name': 'b'}",
                [#"(they differ at .name: "a" and "b")"#, #"body.items[0] = {"id": 1, "name": "a"}"#]
            ),
            (
                "body.items[0] == {'id': 1, 'name': 'a', 'x-y': null}",
                [#"(only the right side has ["x-y"]: null)"#, #"body.items[0] = {"id": 1, "name": "a"}"#]
            ),
            (
                "{'a': body.items} == {'a': [{'id': 1, 'name': 'a'}]}",
                [
                    #"(only the left side has .a[1]: {"id": -5, "name": "b"})"#,
                    #"body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c…"#,
                ]
            ),
            // Strings.
            ("name.contains('ada')", ["(it does if case is ignored)", #"name = "Ada Lovelace""#]),
            ("name.startsWith('ADA')", ["(it does if case is ignored)", #"name = "Ada Lovelace""#]),
            ("long.endsWith('word60')", [#"(it ends with …word57 word58 word59")"#, "long = "]),
            ("name.matches('^ada')", ["(it does if case is ignored)", #"name = "Ada Lovelace""#]),
            (
                "(name + ' ').matches('lace$')",
                [
                    "(it does without leading and trailing whitespace)", #"name + ' ' = "Ada Lovelace ""#,
                    #"  name = "Ada Lovelace""#,
                ]
            ),
            // Macros: the element that determined the result, or some of the elements if none did.
            (
                "body.items.all(i, i.id > 0)",
                [
                    #"at 1: i = {"id": -5, "name": "b"}"#, "  i.id = -5",
                    #"body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c…"#,
                ]
            ),
            (
                "!tags.exists(t, t == 'y')",
                [#"tags.exists(t, t == 'y') is true"#, #"  at 1: t = "y""#, #"  tags = ["x", "y", "7"]"#]
            ),
            (
                "!headers.exists(k, v, v.contains('json'))",
                [
                    #"headers.exists(k, v, v.contains('json')) is true"#,
                    #"  at "content-type": v = "application/json""#,
                    #"  headers = {"content-type": "application/json"}"#,
                ]
            ),
            (
                "tags.exists(t, t == 'z')",
                [
                    "(it is true for none of the 3 elements)", "at 0", #"  t = "x""#, "at 1", #"  t = "y""#, "at 2",
                    #"  t = "7""#, #"tags = ["x", "y", "7"]"#,
                ]
            ),
            ("empty.exists(t, t == 'z')", ["(the list is empty)", "empty = []"]),
            (
                "!tags.all(t, t != 'z' && status == 200)",
                [
                    "tags.all(t, t != 'z' && status == 200) is true", "  (it is true for all 3 elements)",
                    "  at 0", #"    t = "x""#, "    status = 200", "  at 1", #"    t = "y""#, "    status = 200",
                    "  at 2", #"    t = "7""#, "    status = 200", #"  tags = ["x", "y", "7"]"#,
                ]
            ),
            (
                "tags.exists_one(t, t != 'x')",
                ["(it is true for 2 elements, at index 1, 2)", #"tags = ["x", "y", "7"]"#]
            ),
            (
                "tags.exists_one(t, t == 'z')",
                [
                    "(it is true for none of the 3 elements)", "at 0", #"  t = "x""#, "at 1", #"  t = "y""#, "at 2",
                    #"  t = "7""#, #"tags = ["x", "y", "7"]"#,
                ]
            ),
            (
                "[1, 2].all(a, [3, 1].all(b, a != b + 1 || a == 1))",
                [
                    "at 1: a = 2", "  at 1: b = 1", "    a != b + 1 is false", "      a = 2", "      b + 1 = 2",
                    "    a == 1 is false",
                ]
            ),
            ("tags.filter(t, t > 'x').size() == 2", [#"tags.filter(t, t > 'x').size() = 1"#]),
            (
                "body.items.map(i, i.id) == [1, -5]",
                [
                    "(only the left side has [2]: -6)", "body.items.map(i, i.id) = [1, -5, -6]",
                    #"  body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c…"#,
                ]
            ),
            (
                "cel.bind(n, size(tags), n == 4)",
                ["size(tags) = 3", #"  tags = ["x", "y", "7"]"#, "n == 4 is false", "  n = 3"]
            ),
            ("body.?none.orValue('a') == 'b'", [#"body.?none.orValue('a') = "a""#, "  body.?none = optional.none()"]),
            // Errors: the element that failed.
            (
                "body.items.map(i, i.price)[0] == 1",
                [
                    #"at 0: i = {"id": 1, "name": "a"}"#,
                    #"body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c…"#,
                ]
            ),
            (
                "body.items.all(i, i.id < 5 && i.x)",
                [
                    #"at 0: i = {"id": 1, "name": "a"}"#, "  i.id < 5 is true", "    i.id = 1",
                    #"body.items = [{"id": 1, "name": "a"}, {"id": -5, "name": "b"}, {"id": -6, "name": "c…"#,
                ]
            ),
            ("tags.exists(t, int(t) == 8)", [#"at 0: t = "x""#, #"tags = ["x", "y", "7"]"#]),
        ] as [(String, [String]?)])
    func whatLedToTheResult(_ source: String, _ expected: [String]?) throws {
        let lines = try Self.lines(source)
        guard let expected else { return }
        #expect(lines.count == expected.count, "\(lines)")
        for (line, wanted) in zip(lines, expected) {
            // For long values, only the beginning is compared.
            let isCut = wanted.hasSuffix("= ") || wanted.hasSuffix("…")
            let start = wanted.hasSuffix("…") ? String(wanted.dropLast(8)) : wanted
            #expect(isCut ? line.hasPrefix(start) && line.hasSuffix("…") : line == wanted, "\(lines)")
        }
    }

    @Test func textsThatLookAlike() throws {
        let explanation = try CELExpression("a == b").explain(scope(["a": "caf\u{E9}", "b": "cafe\u{301}"]))
        guard case .note(let note) = try #require(explanation.parts.first).content else {
            Issue.record("expected a note")
            return
        }
        #expect(note == "they look alike, but differ in Unicode normalization (NFC and NFD)")
    }

    @Test func errors() throws {
        let explanation = try CELExpression("status == 200 && body.cont > 1").explain(Self.variables)
        guard case .failure(let error) = explanation.result else {
            Issue.record("expected an error")
            return
        }
        #expect(error.message.text == #"no such key: "cont"; did you mean "count"?"#)
        #expect(try Self.lines("status == 200 && body.cont > 1") == ["status == 200 is true", "  status = 200"])
    }

    @Test func offsetsAreInScalars() throws {
        let explanation = try CELExpression("'😀é' == string(status)").explain(Self.variables)
        let part = try #require(explanation.parts.first)
        #expect([part.offset, part.length] == [8, 14])
        #expect(part.children.map { [$0.offset, $0.length] } == [[15, 6]])
    }

    /// Random values and the time are the same in the explanation as in the preceding evaluation.
    @Test func repeatableContexts() throws {
        let context = CELContext()
        let expression = try CELExpression("[uuid(), randomString(8), string(now())]")
        let again = context.repeatable()
        let first = try expression.evaluate(CELVariables(), context: again.repeatable()).shown
        #expect(try expression.evaluate(CELVariables(), context: again).shown == first)
        #expect(try expression.evaluate(CELVariables(), context: again).shown != first)
    }

    @Test func longLoopsAndLargeValuesKeepItShort() throws {
        let list = JSONValue.array((0..<20_000).map { ["id": .number(JSONNumber($0)), "tags": ["a", "b"]] })
        let scope = scope(["l": list])
        for source in [
            "l.all(x, x.tags.all(t, t == 'a' || t == 'b')) && false", "l.exists(x, x.id < 0)",
            "l.filter(x, x.tags.exists(t, t == 'c')).size() == 1", "l.map(x, x.id) == l", "l.exists_one(x, x.id > 5)",
        ] {
            let explanation = try CELExpression(source).explain(scope)
            func count(_ parts: [CELExplanation.Part]) -> Int { parts.reduce(0) { $0 + 1 + count($1.children) } }
            #expect(count(explanation.parts) < 40, "\(source)")
        }
    }
}
