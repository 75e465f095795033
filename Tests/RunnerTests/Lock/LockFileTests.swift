import Diagnostics
import Expectations
import JSON
import SuiteModel
import Testing

@testable import Runner

struct LockFileTests {
    private static func shape(_ schema: String) throws -> Shape {
        try Shape(schema: try JSONValue(parsing: Array(schema.utf8)))
    }

    private static func entry(_ test: String, step: String? = nil, body: String? = nil) throws -> LockFile.Entry {
        LockFile.Entry(
            key: LockKey(test: test, step: step),
            shapes: [
                200: ResponseShape(contentTypes: ["application/json"], body: try body.map(Self.shape))
            ])
    }

    @Test(arguments: [
        ("bookshop.yaml", "bookshop.lock.yaml"), ("a/b.apitest.yaml", "a/b.apitest.lock.yaml"),
        ("b.yml", "b.lock.yml"), ("suite", "suite.lock.yaml"),
    ])
    func liesBesideTheSuite(suite: String, lock: String) {
        #expect(LockFile.path(ofSuite: suite) == lock)
    }

    @Test func isWrittenForPeople() throws {
        var first = try Self.entry(
            "add: a book", step: "POST /books",
            body:
                #"{"type":"object","required":["id"],"properties":{"id":{"type":["integer","null"]},"tags":{"type":"array","items":{"type":"string"}},"yes":{}}}"#
        )
        first.shapes[404] = ResponseShape(
            contentTypes: ["none", "text/html"], headers: ["etag": true, "link": false])
        var second = try Self.entry("last", body: "{}")
        second.key.document = 1
        #expect(
            LockFile(entries: [first, second]).text(ofSuite: "shop.yaml") == """
                # The shapes of the responses to shop.yaml: for each test and step the statuses, content types, names of
                # header fields, and a JSON Schema of the body. `apitest --locked` holds later runs to them.
                # Written by `apitest lock`, to be reviewed and committed; `apitest lock --update` merges changes into it.
                lock: 1
                tests:
                  - test: "add: a book"
                    step: POST /books
                    responses:
                      200:
                        contentType: application/json
                        body:
                          type: object
                          required: [id]
                          properties:
                            id: { type: [integer, "null"] }
                            tags:
                              type: array
                              items: { type: string }
                            "yes": {}
                      404:
                        contentType: [none, text/html]
                        headers: [etag]
                        optionalHeaders: [link]
                  - test: last
                    document: 2
                    responses:
                      200:
                        contentType: application/json
                        body: {}

                """)
    }

    @Test(arguments: [
        "plain", "with space", "null", "true", "No", "~", "", " lead", "trail ", "a: b", "- a", "# a", "a #b", "${id}",
        "1",
        "0x1F", "1e3", "[a]", "{a}", "a,b", "*a", "&a", "!a", "|", ">", "'", "\"", "\\", "a\nb", "\t", "\u{0}",
        "\u{7F}",
        "\u{85}", "\u{2028}", "\u{FEFF}", "é", "e\u{301}", "日本", "🙂", "%a", "@a", "`a", "?", "? a", ":", "=", "<<",
        "a:",
        "2026-11-22", "\u{202E}abc", "a\rb", "___", "/books/{id}", "on",
    ])
    func keepsEveryName(name: String) throws {
        let properties = JSONObject([(name, .object(["type": "integer"]))])
        let schema = JSONValue.object([
            "type": "object", "required": .array([.string(name)]), "properties": .object(properties),
        ])
        var entry = try Self.entry("test \(name)", step: name)
        entry.shapes[200]?.body = try Shape(schema: schema)
        let file = LockFile(entries: [entry])
        let (lock, diagnostics) = SuiteLock.read(Array(file.text(ofSuite: "a\nb.yaml").utf8), path: "a.lock.yaml")
        #expect(diagnostics == [])
        #expect(lock.file.entries == file.entries)
    }

    @Test(arguments: [
        ("", "1:1", "this is no lock: a map with \"lock\" and \"tests\" is expected"),
        ("- 1\n", "1:1", "this is no lock: a map with \"lock\" and \"tests\" is expected"),
        ("tests: []\n", "1:1", "the lock does not say its version: \"lock: 1\""),
        ("lock: 2\ntests: []\n", "1:7", "the lock has version 2, and this program knows 1"),
        ("lock: 1\ntests: {}\n", "2:8", "a list is expected under \"tests\""),
        ("lock: 1\ntests: []\nmore: 1\n", "3:1", "nothing is known of the key \"more\""),
        ("lock: 1\ntests: [a]\n", "2:9", "an entry is a map with \"test\" and \"responses\""),
        ("lock: 1\ntests:\n  - step: a\n", "3:5", "the entry does not name its test"),
        ("lock: 1\ntests:\n  - test: a\n", "3:5", "a map from statuses to responses is expected"),
        (
            "lock: 1\ntests:\n  - test: a\n    responses: { 20: { contentType: none } }\n", "4:18",
            "a status of three digits is expected"
        ),
        (
            "lock: 1\ntests:\n  - test: a\n    responses: { 200: {} }\n", "4:23",
            "a content type is expected, or \"none\""
        ),
        (
            "lock: 1\ntests:\n  - test: a\n    responses: { 200: 1 }\n", "4:23",
            "a response is a map with \"contentType\""
        ),
        (
            "lock: 1\ntests:\n  - test: a\n    document: 0\n    responses: { 200: { contentType: none } }\n", "4:15",
            "the number of a document is expected, from 1"
        ),
        (
            "lock: 1\ntests:\n  - { test: a, responses: { 200: { contentType: none } } }\n  - { test: a, responses: { 200: { contentType: none } } }\n",
            "4:5", "a has an entry on line 3 already"
        ),
        (
            "lock: 1\ntests:\n  - { test: a, responses: { 200: { contentType: none, headers: [[]] } } }\n", "3:65",
            "a text is expected"
        ),
        (
            "lock: 1\ntests:\n  - test: a\n    responses:\n      200:\n        contentType: a/b\n        body:\n          type: object\n          properties:\n            id: { type: int }\n",
            "10:25", "unknown type; expected object, array, string, number, integer, boolean or null"
        ),
    ])
    func saysWhatIsWrong(text: String, place: String, message: String) {
        let (_, diagnostics) = SuiteLock.read(Array(text.utf8), path: "a.lock.yaml")
        #expect(diagnostics.map(\.message) == [message])
        #expect(diagnostics.first?.range.map { "\($0.start.line):\($0.start.column)" } == place)
    }

    @Test func findsTheLineOfADifference() throws {
        let text = """
            lock: 1
            tests:
              - test: a
                responses:
                  200:
                    contentType: application/json
                    body:
                      type: object
                      properties:
                        items:
                          type: array
                          items:
                            type: object
                            properties:
                              id: { type: integer }
                        by: { type: object, additionalProperties: { type: number } }

            """
        let (lock, diagnostics) = SuiteLock.read(Array(text.utf8), path: "a.lock.yaml")
        #expect(diagnostics == [])
        let key = LockKey(test: "a")
        func place(_ path: [ShapePath.Step]) -> String {
            lock.place(of: .body(ShapeDifference(kind: .type, path: ShapePath(path)), status: 200), in: key)
        }
        #expect(place([]) == "a.lock.yaml:7")
        #expect(place([.member("items"), .element, .member("id")]) == "a.lock.yaml:15")
        #expect(place([.member("items"), .element, .member("new")]) == "a.lock.yaml:14")
        #expect(place([.member("by"), .anyMember]) == "a.lock.yaml:16")
        #expect(lock.place(of: .status(500, locked: [200]), in: key) == "a.lock.yaml:4")
        #expect(lock.place(of: .contentType("text/html", status: 200, locked: []), in: key) == "a.lock.yaml:6")
        #expect(lock.place(of: .lostHeader("etag", status: 200), in: key) == "a.lock.yaml:5")
        #expect(lock.place(of: .status(500, locked: []), in: LockKey(test: "b")) == "a.lock.yaml")
    }
}
