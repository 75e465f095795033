import Testing

/// Tests that unlimited work caused by a suite or a response is limited by its size, without a timeout.
///
/// No test of the suites below has a time limit that could stop it instead, or fail on a busy machine.
@Suite(.serialized)
struct WorkTests {
    /// The request and expectations of a test, and the expected message.
    struct Work: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let expectation: String
        /// The message, or nil if the work passes in linear time.
        let message: String?

        init(_ name: String, _ request: String, _ expectation: String, _ message: String?) {
            self.name = name
            self.request = request
            self.expectation = expectation
            self.message = message
        }

        var testDescription: String { name }
    }

    private static let numbers = 10_000
    private static let nine = "[1, 2, 3, 4, 5, 6, 7, 8, 9]"
    private static let length = 1_000_000

    private static let expressions = [
        Work(
            "a search within macros", "text",
            "assert: \"\(nine).all(a, \(nine).all(b, \(nine).all(c, !text.contains('b'))))\"",
            "more than 10 million steps"),
        Work(
            "a text that replaces its letters with itself", "text", "assert: \"text.replace('a', text).size() > 0\"",
            "more than 64 MiB for strings and lists"),
        Work(
            "a text that doubles", "text",
            "assert: \"[text].map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a).size() > 0\"",
            "more than 64 MiB for strings and lists"),
        Work(
            "a text that is parsed repeatedly", "list",
            "assert: \"\(nine).all(a, \(nine).all(b, \(nine).all(c, json.parse(text).size() > 0)))\"",
            "more than 64 MiB for strings and lists"),
    ]

    private static let patterns = [
        Work("nested repetitions", "text", "assert: \"!text.matches('^(a+)+$b')\"", nil),
        Work("overlapping alternatives", "text", "expect: { body: { not: { matches: '^(a|aa|a?)+c$' } } }", nil),
        Work(
            "many ways to divide a text", "text",
            "expect: { body: { not: { matches: '(.*)(.*)(.*)(.*)(.*)(.*)[0-9]' } } }", nil),
        Work("a pattern in a schema", "string", "expect: { schema: { pattern: '^(a+)+$' } }", nil),
    ]

    private static let documents = [
        Work(
            "a JSONPath with nested descendants", "deep",
            "expect: { json: { '$..*..*..*..*..*': { exists: true } } }", "more than 20 million steps"),
        Work(
            "JSON nested too deep", "abyss", "expect: { json: { $: { type: array } } }",
            "exceeds the maximum depth of 512 levels"),
        Work(
            "an XPath that counts all nodes for each node", "xml",
            "expect: { xml: { 'count(//*[count(//*) > 0])': 1 } }",
            "the expression takes too long on this document"),
        Work(
            "nested entities", "laughs", "expect: { xml: { 'string(/a)': x } }",
            "the entity references expand to more than 1048576 bytes"),
        Work(
            "elements nested too deep", "spire", "expect: { xml: { 'string(/a)': x } }",
            "elements exceed the maximum depth of 256 levels"),
        Work(
            "a schema that doubles with each level", "list",
            "expect: { schema: { $ref: '#/$defs/a0', $defs: { "
                + (0..<40).map { "a\($0): { allOf: [{ $ref: '#/$defs/a\($0 + 1)' }, { $ref: '#/$defs/a\($0 + 1)' }] }" }
                .joined(separator: ", ") + ", a40: { minItems: 1 } } } }", "more than 50000000 steps"),
        Work("elements that all differ from each other", "list", "expect: { schema: { uniqueItems: true } }", nil),
    ]

    private static let mock = """
        routes:
          - { request: GET /list, respond: { file: list.json } }
          - { request: GET /text, respond: { file: text.txt } }
          - { request: GET /string, respond: { file: string.json } }
          - { request: GET /deep, respond: { file: deep.json } }
          - { request: GET /abyss, respond: { file: abyss.json } }
          - { request: GET /xml, respond: { file: many.xml } }
          - { request: GET /laughs, respond: { file: laughs.xml } }
          - { request: GET /spire, respond: { file: spire.xml } }
        """

    private func directory() throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        func write(_ text: String, _ name: String) { TestFiles.write(text.utf8, to: "\(directory.path)/\(name)") }
        write(Self.mock, "api.mock.yaml")
        write("[" + (1...Self.numbers).map { "\($0)" }.joined(separator: ",") + "]", "list.json")
        write(String(repeating: "a", count: Self.length), "text.txt")
        write("\"" + String(repeating: "a", count: Self.length) + "\"", "string.json")
        write(String(repeating: "[1,", count: 200) + "0" + String(repeating: "]", count: 200), "deep.json")
        write(String(repeating: "[", count: 1_000_000), "abyss.json")
        write("<a>" + String(repeating: "<b/>", count: 20_000) + "</a>", "many.xml")
        let entities = (1...40).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
        write("<!DOCTYPE a [<!ENTITY e0 \"lol\">\(entities)]><a>&e40;</a>", "laughs.xml")
        write(String(repeating: "<a>", count: 100_000), "spire.xml")
        return directory
    }

    @Test(arguments: expressions + patterns + documents)
    func endsAtABound(_ work: Work) async throws {
        let directory = try directory()
        TestFiles.write(
            """
            serve: { mock: api.mock.yaml }
            tests:
              - name: works
                request: { url: /\(work.request), timeout: 10m }
                \(work.expectation)
              - { name: beside, request: { url: /list, timeout: 10m }, expect: 200 }
            """.utf8, to: directory.path + "/suite.yaml")
        // Without optimization, libxml2 takes half a minute to reach its limit, if the processor does nothing else.
        let run = try await Program.run(
            ["suite.yaml", "--report", "junit=report.xml"], in: directory.path, within: .seconds(300))
        guard let message = work.message else {
            #expect(run.ending == .exit(0), "\(run.output.prefix(2_000))\(run.error)")
            return
        }
        #expect(run.ending == .exit(1), "\(run.output.prefix(2_000))\(run.error)")
        #expect(run.output.contains(message), "\(run.output.prefix(2_000))")
        #expect(!run.output.contains("timeout"), "\(run.output.prefix(2_000))")
        #expect(ConsoleSummary(run.output)?.outcomes["passed"] == 1, "\(run.output.prefix(2_000))")
    }

    /// Infinite or excessive work is rejected before anything is sent.
    @Test(arguments: [
        ("assert: \"!text.matches('((a{1,1000}){1,1000}){1,1000}')\"", "the pattern is too large when its repetitions"),
        (
            "expect: { body: { matches: '((a{1,1000}){1,1000}){1,1000}' } }",
            "the pattern is too large when its repetitions"
        ),
        (
            "expect: { schema: { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } } }",
            "infinite recursion: the schema refers to itself"
        ),
        ("assert: \"" + String(repeating: "(", count: 100_000) + "\"", "exceeds the maximum depth of 250 levels"),
        ("assert: \"" + String(repeating: "1 + ", count: 300_000) + "1 > 0\"", "exceeds the maximum of 1048576 bytes"),
        ("expect: { json: { '$" + String(repeating: "[?(", count: 300) + "': 1 } }", "[invalid-jsonpath]"),
        ("expect: { xml: { '" + String(repeating: "(", count: 900) + "': 1 } }", "[invalid-xpath]"),
        (
            "expect: { body: { matches: '" + String(repeating: "(", count: 100_000) + "' } }",
            "groups exceed the maximum depth of 250 levels"
        ),
    ])
    func isRefused(_ expectation: String, _ message: String) async throws {
        let directory = try directory()
        TestFiles.write(
            "baseURL: http://127.0.0.1:1\ntests:\n  - name: a\n    request: GET /\n    \(expectation)\n".utf8,
            to: directory.path + "/suite.yaml")
        let run = try await Program.run(["lint", "suite.yaml"], in: directory.path)
        #expect(run.ending == .exit(2), "\(run.output.prefix(2_000))\(run.error.prefix(2_000))")
        #expect(run.error.contains("suite.yaml:5:"), "\(run.error.prefix(2_000))")
        #expect(run.error.contains(message), "\(run.error.prefix(2_000))")
        // Only a part of such a line is shown.
        #expect(run.error.utf8.count < 4_000)
    }
}
