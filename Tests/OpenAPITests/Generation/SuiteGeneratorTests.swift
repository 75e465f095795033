import Diagnostics
import JSON
import OpenAPI
import Testing
import YAML

@Suite("Suites that are made from descriptions")
struct SuiteGeneratorTests {
    private static func suite(
        _ text: String, change: (inout GenerationOptions) -> Void = { _ in }
    ) throws -> GeneratedSuite {
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        var options = GenerationOptions(contractPath: "openapi.yaml")
        change(&options)
        var generator = SuiteGenerator(try #require(description), options: options)
        return generator.generate()
    }

    /// A description with these paths.
    private static func description(_ paths: String, _ rest: String = "") -> String {
        "openapi: 3.1.0\ninfo: { title: Things, version: \"1\" }\n\(rest)paths:\n"
            + paths.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// The names of the tests, in order.
    private static func names(_ suite: GeneratedSuite) -> [String] {
        suite.text.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }.map { String($0.dropFirst(10)) }
    }

    @Test("What gives a value comes before what needs it, and what deletes comes last")
    func order() throws {
        let suite = try Self.suite(
            Self.description(
                """
                /things/{thingId}/parts/{id}:
                  parameters:
                    - { name: thingId, in: path, required: true, schema: { type: integer } }
                    - { name: id, in: path, required: true, schema: { type: integer } }
                  delete: { operationId: removePart, responses: { 204: { description: a } } }
                  get: { operationId: readPart, responses: { 204: { description: a } } }
                /things/{thingId}:
                  parameters: [{ name: thingId, in: path, required: true, schema: { type: integer } }]
                  delete: { operationId: removeThing, responses: { 204: { description: a } } }
                  get: { operationId: readThing, responses: { 204: { description: a } } }
                /things/{thingId}/parts:
                  parameters: [{ name: thingId, in: path, required: true, schema: { type: integer } }]
                  get:
                    operationId: listParts
                    responses: { 200: { description: a, content: { application/json: { schema: { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/Thing' } } } } } } } }
                /things:
                  post: { operationId: addThing, responses: { 201: { description: a, content: { application/json: { schema: { type: object, properties: { thing: { $ref: '#/components/schemas/Thing' } } } } } } } }
                """,
                "components: { schemas: { Thing: { type: object, required: [id], properties: { id: { type: integer } } } } }\n"
            ))
        #expect(
            Self.names(suite) == [
                "add thing", "list parts", "read part", "read thing", "remove part", "remove thing",
            ])
        #expect(suite.gaps.isEmpty)
        #expect(suite.text.contains("thingID: $.thing.id") && suite.text.contains("partID: \"$.data[0].id\""))
        #expect(suite.text.contains("request: GET /things/${thingID}/parts/${partID}"))
    }

    @Test(
        "What a description says of a request is written",
        arguments: [
            ("get: { summary: 'Two  words.', responses: { 200: { description: a } } }", "name: Two words\n"),
            (
                "get: { operationId: readHTTPThing_now, responses: { 200: { description: a } } }",
                "name: read HTTP thing now"
            ),
            ("get: { responses: { 200: { description: a } } }", "name: GET /a\n"),
            (
                "get: { responses: { 200: { description: a }, 204: { description: b } } }",
                "expect: { status: [200, 204] }"
            ),
            ("get: { responses: { 2XX: { description: a } } }", "expect: 2xx"),
            ("get: { responses: { default: { description: a } } }", "expect: 2xx"),
            ("get: { responses: { 302: { description: a } } }", "redirects: false"),
            (
                "get: { parameters: [{ name: m, in: query, required: true, schema: { const: '012' } }], responses: { 200: { description: a } } }",
                "query: { m: \"012\" }"
            ),
            (
                "get: { parameters: [{ name: m, in: query, schema: { type: string, default: '${x}' } }], responses: { 200: { description: a } } }",
                "query: { m: \"$${x}\" }"
            ),
            (
                "get: { parameters: [{ name: m, in: query, schema: { type: string } }], responses: { 200: { description: a } } }",
                "request: GET /a\n"
            ),
            (
                "post: { requestBody: { content: { text/plain: { example: \"a: \\u0001 \\\"b\\\"\" } } }, responses: { 200: { description: a } } }",
                #"text: "a: \u0001 \"b\"""#
            ),
            (
                "post: { requestBody: { content: { application/json: { example: { a: 'no', b: -1, c: null, d: '# x', e: 'é', f: '' } } } }, responses: { 200: { description: a } } }",
                ##"json: { a: "no", b: -1, c: null, d: "# x", e: é, f: "" }"##
            ),
        ])
    func requests(operation: String, expected: String) throws {
        let suite = try Self.suite(Self.description("/a: { \(operation) }"))
        #expect((suite.text + "\n").contains(expected), "\(suite.text)")
        #expect(suite.testCount == 1)
    }

    @Test(
        "What cannot be filled in is told, and stands at the top",
        arguments: [
            ("get: { responses: { 404: { description: a } } }", "GET /a", "no status of success is documented"),
            (
                "put: { requestBody: { required: true, content: { application/xml: {} } }, responses: { 200: { description: a } } }",
                "PUT /a", "the body is application/xml, and there is no example of it"
            ),
            (
                "get: { security: [{ cert: [] }], responses: { 200: { description: a } } }", "GET /a",
                "it needs a client certificate (cert): give it under \"tls\""
            ),
            (
                "get: { parameters: [{ name: m, in: query, required: true, schema: false }], responses: { 200: { description: a } } }",
                "GET /a", "query parameter m: the schema allows no value"
            ),
        ])
    func gaps(operation: String, title: String, reason: String) throws {
        let suite = try Self.suite(
            Self.description(
                "/a: { \(operation) }\n/b: { get: { responses: { 200: { description: a } } } }",
                "components: { securitySchemes: { cert: { type: mutualTLS } } }\n"))
        #expect(suite.gaps.map { [$0.operation, $0.reason] } == [[title, reason]])
        #expect(suite.text.hasPrefix("# Not filled in from openapi.yaml:\n# - \(title): \(reason)\n"))
        #expect(suite.operationCount == 1)
    }

    @Test("Operations are selected by their ids, their titles and tags")
    func selection() throws {
        let text = Self.description(
            """
            /a: { get: { operationId: one, tags: [x], responses: { 200: { description: a } } } }
            /b: { get: { operationId: two, tags: [x, y], responses: { 200: { description: a } } } }
            """)
        #expect(try Self.names(Self.suite(text) { $0.operations = ["two"] }) == ["two"])
        #expect(try Self.names(Self.suite(text) { $0.operations = ["get /a"] }) == ["one"])
        #expect(try Self.names(Self.suite(text) { $0.tags = ["y"] }) == ["two"])
        #expect(try Self.names(Self.suite(text) { $0.tags = ["x"] }) == ["one", "two"])
    }

    @Test("What is hostile in a description stays text")
    func hostile() throws {
        let suite = try Self.suite(
            """
            openapi: 3.1.0
            info: { title: "a\\nb: ${env('HOME')}", version: "1" }
            paths:
              "/a/$%7B":
                get: { summary: "x\\u001b[31m ${1}", tags: ["- t", "{"], responses: { 200: { description: a } } }
              /b: { get: { operationId: "'; ${2}", responses: { 404: { description: a } } } }
            """)
        #expect(!suite.text.contains("\u{1b}"))
        #expect(suite.text.contains("$${env('HOME')}") && suite.text.contains("$${1}"))
        let (documents, problems) = YAMLStream.parse(SourceFile(name: "suite.yaml", text: suite.text))
        #expect(problems.isEmpty && documents.count == 1, "\(suite.text)")
    }
}
