import ContractTools
import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing
import YAML

@Suite("Suites generated from descriptions")
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

    /// Returns a description with the given paths.
    private static func description(_ paths: String, _ rest: String = "") -> String {
        "openapi: 3.1.0\ninfo: { title: Things, version: \"1\" }\n\(rest)paths:\n"
            + paths.split(separator: "\n").map { "  \($0)\n" }.joined()
    }

    /// Returns the names of the tests, in order.
    private static func names(_ suite: GeneratedSuite) -> [String] {
        suite.text.split(separator: "\n").filter { $0.hasPrefix("  - name: ") }.map { String($0.dropFirst(10)) }
    }

    @Test("Operations run after those that provide their values, and deletions run last")
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
                "add thing", "list parts", "read part", "read thing", "remove part", "remove part, and it is gone",
                "remove thing", "remove thing, and it is gone",
            ])
        #expect(suite.gaps.isEmpty)
        #expect(suite.text.contains("thingID: $.thing.id"))
        #expect(suite.text.contains("partID: { json: \"$.data[0].id\", default: null }"))
        #expect(suite.text.contains("if: ${partID != null}\n    request: DELETE /things/${thingID}/parts/${partID}"))
        #expect(suite.text.contains("request: GET /things/${thingID}/parts/${partID}"))
    }

    @Test(
        "Each documented part of a request is written",
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
                "post: { requestBody: { content: { application/xml: { schema: { xml: { name: a }, type: object, required: [b], properties: { b: { const: '<' } } } } } }, responses: { 200: { description: a } } }",
                #"<a><b>&lt;</b></a>"#
            ),
            (
                "post: { requestBody: { content: { application/json: { example: { a: 'no', b: -1, c: null, d: '# x', e: 'é', f: '' } } } }, responses: { 200: { description: a } } }",
                ##"json: { a: "no", b: -1, c: null, d: "# x", e: é, f: "" }"##
            ),
        ])
    func requests(operation: String, expected: String) throws {
        let suite = try Self.suite(Self.description("/a: { \(operation) }")) { $0.negativeTests = .none }
        #expect((suite.text + "\n").contains(expected), "\(suite.text)")
        #expect(suite.testCount == 1)
    }

    @Test(
        "Values that cannot be derived are listed as gaps at the top",
        arguments: [
            ("get: { responses: { 404: { description: a } } }", "GET /a", "no success status is documented"),
            (
                "put: { requestBody: { required: true, content: { application/xml: {} } }, responses: { 200: { description: a } } }",
                "PUT /a",
                "the body is application/xml, but the description has neither an example of it nor a schema with a name"
            ),
            (
                "get: { security: [{ cert: [] }], responses: { 200: { description: a } } }", "GET /a",
                "it requires a client certificate (cert); add it under \"tls\""
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
        #expect(suite.gaps.map(\.text) == ["\(title): \(reason)"])
        #expect(suite.text.contains("# Not derived from openapi.yaml:\n# - \(title): \(reason)\n"))
        #expect(suite.operationCount == 1)
    }

    @Test("A path with a fragment has no test because no request can have one")
    func fragments() throws {
        let text = Self.description(
            """
            /files/{id}:
              parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
              get: { responses: { 200: { description: a } } }
            "/files/{id}#shared_link":
              parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
              get: { responses: { 200: { description: a } } }
              put: { responses: { 200: { description: a } } }
            """)
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        var generator = SuiteGenerator(description, options: GenerationOptions(contractPath: "openapi.yaml"))
        let suite = generator.generate()
        #expect(
            suite.gaps.map(\.text) == [
                "the path has a fragment, which requests never send (GET /files/{id}#shared_link, PUT /files/{id}#shared_link)",
                "GET /files/{id}: the variable \"fileID\" has a placeholder value because no response provides it",
            ])
        #expect(suite.operationCount == 1)
        #expect(!suite.text.contains("request: GET /files/${fileID}#"))
    }

    @Test("A body with an unresolvable reference is listed as a gap")
    func unknownBody() throws {
        let text = Self.description(
            "/a: { post: { requestBody: { $ref: '#/components/requestBodies/None' }, responses: { 200: { description: a } } } }"
        )
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.count == 1)
        var generator = SuiteGenerator(
            try #require(description), options: GenerationOptions(contractPath: "openapi.yaml"))
        #expect(
            generator.generate().gaps.map(\.text) == [
                "POST /a: the body is unknown: its $ref #/components/requestBodies/None cannot be resolved"
            ])
    }

    @Test("Operations are selected by id, by title, and by tag")
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

    @Test("Hostile text in a description stays text")
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

    // MARK: Resources

    @Test("Parameters of the same path share a variable, and the creating PUT comes first")
    func resources() throws {
        let item = "{ name: id, in: path, required: true, schema: { type: string } }"
        let outer = "{ name: thing_id, in: path, required: true, schema: { type: string } }"
        let suite = try Self.suite(
            Self.description(
                """
                /things: { get: { operationId: listThings, responses: { 200: { description: a } } } }
                /things/{id}:
                  parameters: [\(item)]
                  get: { operationId: readThing, responses: { 200: { description: a }, 404: { description: b } } }
                  patch: { operationId: changeThing, responses: { 200: { description: a } } }
                  delete: { operationId: removeThing, responses: { 204: { description: a } } }
                  put: { operationId: putThing, responses: { 200: { description: a }, 201: { description: b } } }
                /things/{thing_id}/parts/{id}:
                  parameters: [\(outer), \(item)]
                  get: { operationId: readPart, responses: { 200: { description: a } } }
                  put: { operationId: putPart, responses: { 201: { description: a } } }
                """))
        #expect(
            Self.names(suite) == [
                "list things", "put thing", "read thing", "change thing", "put part", "read part", "remove thing",
                "remove thing, and it is gone",
            ])
        #expect(suite.text.contains("request: GET /things/${thingID}/parts/${partID}\n    expect: 200"))
        #expect(suite.text.contains("request: GET /things/${thingID}\n    expect: 200"))
        #expect(!suite.text.contains("2xx") && suite.gaps.isEmpty)
    }

    @Test("A variable with a placeholder value may name something that does not exist and is listed once")
    func madeUp() throws {
        let id = "{ name: id, in: path, required: true, schema: { type: string } }"
        let suite = try Self.suite(
            Self.description(
                """
                /things/{id}:
                  parameters: [\(id)]
                  get: { responses: { 200: { description: a }, 404: { description: b } } }
                  delete: { responses: { 204: { description: a } } }
                  put: { responses: { 200: { description: a }, default: { description: b } } }
                /things/{thingId}/parts:
                  get:
                    parameters: [{ name: thingId, in: path, required: true, schema: { type: string } }]
                    responses: { 200: { description: a, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { type: integer } } } } } } }, 404: { description: b } }
                /things/{thingId}/parts/{id}:
                  get:
                    parameters:
                      - { name: thingId, in: path, required: true, schema: { type: string } }
                      - { name: id, in: path, required: true, schema: { type: integer } }
                    responses: { 200: { description: a } }
                """))
        #expect(
            suite.gaps.map(\.text) == [
                "the variable \"thingID\" has a placeholder value because no response provides it"
                    + " (GET /things/{id}, PUT /things/{id}, GET /things/{thingId}/parts and 2 more)"
            ])
        #expect(suite.text.contains("request: GET /things/${thingID}\n    expect: { status: [2xx, 404] }"))
        #expect(suite.text.contains("request: DELETE /things/${thingID}\n    expect: 2xx"))
        #expect(
            suite.text.contains("expect: { status: [2xx, 404] }\n    capture: { partID: { json: \"$[0].id\", default: ")
        )
        #expect(suite.text.contains("request: GET /things/${thingID}/parts/${partID}\n    expect: 2xx"))
    }

    @Test(
        "A path parameter is filled from a response value that is always valid for it",
        arguments: [
            ("type: string", "type: string", true), ("type: string", "type: integer", true),
            ("type: integer", "type: string", false), ("type: string, enum: [a]", "type: string", false),
            ("type: string, enum: [a, b]", "type: string, enum: [b]", true),
            ("type: string, pattern: ^C", "type: string, example: C1", false),
            ("type: string, pattern: ^C", "type: string, pattern: ^C", true),
            ("type: string, format: uuid, example: 0b2f6b0e-8f8e-4e39-9d0c-0c9c6d1a9f11", "type: string", false),
            ("type: string, example: emma", "type: integer", false),
            ("type: string, example: emma", "type: string", true),
        ])
    func widerValues(parameter: String, response: String, isFilled: Bool) throws {
        let suite = try Self.suite(
            Self.description(
                """
                /things: { post: { responses: { 201: { description: a, content: { application/json: { schema: { type: object, properties: { id: { \(response) } } } } } } } } }
                /things/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { \(parameter) } }], responses: { 200: { description: b } } } }
                """))
        // A value that no path needs is not captured.
        #expect(suite.text.contains("capture: { thingID: $.id }") == isFilled, "\(suite.text)")
        #expect(suite.text.contains("capture:") == isFilled && suite.text.contains("GET /things/${thingID}\n"))
    }

    @Test(
        "A path parameter with an example is filled from a list element of the same kind",
        arguments: [
            ("abc", "type: string", true), ("0b2f6b0e-8f8e-4e39-9d0c-0c9c6d1a9f11", "type: string", false),
            ("0b2f6b0e-8f8e-4e39-9d0c-0c9c6d1a9f11", "type: string, format: uuid", true),
            ("\"12\"", "type: string", false), ("\"12\"", "type: string, example: \"7\"", true),
            ("\"12\"", "type: integer", true), ("abc", "type: integer", false),
        ])
    func listedValues(example: String, response: String, isFilled: Bool) throws {
        let suite = try Self.suite(
            Self.description(
                """
                /things: { get: { responses: { 200: { description: a, content: { application/json: { schema: { type: array, items: { type: object, properties: { id: { \(response) } } } } } } } } } }
                /things/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: string }, example: \(example) }], responses: { 200: { description: b } } } }
                """))
        #expect(suite.text.contains("if: ${thingID != null}") == isFilled, "\(suite.text)")
        #expect(suite.text.contains("capture:") == isFilled, "\(suite.text)")
    }

    @Test("A link is used if the response has no schema, and if it names a header")
    func links() throws {
        let suite = try Self.suite(
            Self.description(
                """
                /orders: { post: { responses: { 201: { description: a, links: { l: { operationId: read, parameters: { number: $response.body#/order/number } }, m: { operationId: track, parameters: { code: $response.header.X-Code } } } } } } }
                /orders/{number}: { get: { operationId: read, parameters: [{ name: number, in: path, required: true, schema: { type: integer } }], responses: { 200: { description: a } } } }
                /parcels/{code}: { get: { operationId: track, parameters: [{ name: code, in: path, required: true, schema: { type: string } }], responses: { 200: { description: a } } } }
                """))
        #expect(suite.text.contains("capture: { orderNumber: $.order.number, parcelCode: { header: X-Code } }"))
        #expect(suite.text.contains("GET /orders/${orderNumber}") && suite.gaps.isEmpty)
    }

    @Test("Servers of a path or an operation are used")
    func servers() throws {
        let text = Self.description(
            """
            /files: { get: { operationId: list, responses: { 200: { description: a } } } }
            /files/content: { servers: [{ url: "https://upload.example.com/api/2" }], post: { operationId: upload, responses: { 201: { description: a } } } }
            /token: { post: { operationId: token, servers: [{ url: / }], responses: { 200: { description: a } } } }
            /signed: { put: { operationId: signed, servers: [{ url: "https://" }], responses: { 200: { description: a } } } }
            /same: { get: { operationId: same, servers: [{ url: "https://api.example.com/2/" }], responses: { 200: { description: a } } } }
            """, "servers: [{ url: \"https://api.example.com/2\" }]\n")
        let suite = try Self.suite(text)
        #expect(suite.text.contains("uploadURL: ${env('UPLOAD_URL', 'https://upload.example.com/api/2')}"))
        #expect(suite.text.contains("serverURL: ${env('SERVER_URL', 'https://api.example.com')}"))
        #expect(suite.text.contains("request: POST ${uploadURL}/files/content\n"))
        #expect(
            suite.text.contains("request: POST ${serverURL}/token\n") && suite.text.contains("request: GET /same\n"))
        #expect(suite.text.contains("request: PUT /signed\n") && !suite.text.contains("https:'"))
        #expect(suite.gaps.map(\.text) == ["PUT /signed: the server \"https://\" has no host"])
        let mocked = try Self.suite(text) { $0.servesMock = true }
        #expect(mocked.text.contains("uploadURL: /api/2\n") && mocked.text.contains("serverURL: \"\"\n"))
    }

    @Test(
        "Credentials that are required together are sent together",
        arguments: [
            ("{ key: [], token: [] }", "auth: { bearer: \"${env('TOKEN_TOKEN', 'test-token')}\" }"),
            ("{ token: [], key: [] }", "headers: { X-API-Key: \"${env('API_KEY', 'test-key')}\" }"),
            ("{ token: [], named: [] }", nil), ("{ token: [], basic: [] }", nil),
        ])
    func credentials(requirement: String, expected: String?) throws {
        let suite = try Self.suite(
            Self.description(
                "/a: { get: { security: [\(requirement)], responses: { 200: { description: a } } } }",
                "components: { securitySchemes: { key: { type: apiKey, in: header, name: X-API-Key }, token: { type: http, scheme: bearer }, basic: { type: http, scheme: basic }, named: { type: apiKey, in: header, name: authorization } } }\n"
            ))
        if let expected {
            #expect(suite.text.contains(expected) && suite.gaps.isEmpty, "\(suite.text)")
        } else {
            #expect(suite.gaps.map(\.text) == ["GET /a: it requires two kinds of credentials in the same header"])
        }
    }

    @Test("A description without security gets a note")
    func notes() throws {
        let path = "/a: { get: { responses: { 200: { description: a } } } }"
        let open = try Self.suite(Self.description(path))
        #expect(open.notes == ["no security scheme is documented; expect 401s, or add `auth` under `defaults`"])
        #expect(open.text.hasPrefix("# Note: no security scheme is documented; expect 401s"))
        let scheme = "components: { securitySchemes: { key: { type: http, scheme: bearer } } }\n"
        #expect(
            try Self.suite(Self.description(path, scheme)).notes == [
                "no operation requires a security scheme; expect 401s, or add `auth` under `defaults`"
            ])
        #expect(try Self.suite(Self.description(path, scheme + "security: [{ key: [] }]\n")).notes.isEmpty)
    }

    // MARK: Rejections

    @Test("Secured operations are tested with missing and with invalid credentials")
    func security() throws {
        let text = Self.description(
            """
            /a: { get: { operationId: read, responses: { 200: { description: a } } } }
            /b: { get: { operationId: open, security: [], responses: { 200: { description: a } } } }
            """,
            "security: [{ token: [], key: [] }]\ncomponents: { securitySchemes: { token: { type: http, scheme: bearer }, key: { type: apiKey, in: query, name: k } } }\n"
        )
        let suite = try Self.suite(text)
        #expect(
            Self.names(suite) == ["read", "read without credentials", "read with invalid credentials", "open"])
        #expect(
            suite.text.contains(
                "request: { url: /a, auth: none }\n    expect: { status: [401, 403], contract: { request: false } }"))
        #expect(
            suite.text.contains(
                "request: { url: /a, query: { k: wrong-credential }, auth: { bearer: wrong-credential } }"))
        let mocked = try Self.suite(text) { $0.servesMock = true }
        #expect(mocked.text.contains("if: ${isServer}\n    request: { url: /a, query: { k: wrong-credential }"))
        #expect(mocked.text.contains("  isServer: false\n") && mocked.text.contains("isServer: true"))
        #expect(try Self.names(Self.suite(text) { $0.negativeTests = .none }) == ["read", "open"])
    }

    @Test("A token documented as a query parameter is a credential")
    func tokenInQuery() throws {
        let text = Self.description(
            """
            /a:
              get:
                operationId: read
                parameters: [{ name: access_token, in: query, example: t, schema: { type: string } }]
                responses: { 200: { description: a } }
            """,
            "security: [{ token: [] }]\ncomponents: { securitySchemes: { token: { type: http, scheme: bearer } } }\n")
        let suite = try Self.suite(text)
        #expect(Self.names(suite) == ["read", "read without credentials", "read with invalid credentials"])
        #expect(suite.text.contains("request: { url: /a, query: { access_token: t } }"))
        #expect(suite.text.contains("request: { url: /a, auth: none }"))
        #expect(suite.text.contains("request: { url: /a, auth: { bearer: wrong-credential } }"))
    }

    @Test("Each constraint of each parameter is violated once")
    func parameters() throws {
        let text = Self.description(
            """
            /a/{id}:
              get:
                operationId: read
                parameters:
                  - { name: id, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 5 } }
                  - { name: X-Code, in: header, schema: { type: string, pattern: "^[A-Z]{3}$" } }
                  - { name: sort, in: query, required: true, schema: { type: string, enum: [up, down] } }
                  - { name: tags, in: query, schema: { type: array, maxItems: 1, items: { type: string, enum: [x] } } }
                responses: { 200: { description: a } }
            """)
        let expected = [
            "with a string as id", "with id too small", "with id too large", "without sort",
            "with X-Code in the wrong format",
            "with an unknown sort", "with too many items in tags", "with an unknown tags[0]",
        ]
        let suite = try Self.suite(text) { $0.negativeTests = .always }
        #expect(
            Self.names(suite) == ["read"] + expected.map { "read \($0)" } + [
                "/a/{id} with the unsupported method PATCH"
            ])
        #expect(
            suite.text.contains(
                "request: PATCH /a/${aID}\n    expect:\n      status: 405\n      headers: { Allow: { exists: true } }\n      contract: false"
            ))
        #expect(suite.text.contains("request: { url: /a/0, query: { sort: up"))
        // A rejection is not documented.
        #expect(try Self.names(Self.suite(text)) == ["read"])
    }

    @Test("A method documented by a more general path template counts as supported")
    func methodsOfWiderTemplates() throws {
        let text = Self.description(
            """
            /a/x: { post: { operationId: search, responses: { 200: { description: a }, 405: { description: b } } } }
            /a/{id}: { patch: { operationId: change, parameters: [{ name: id, in: path, required: true, example: 1, schema: { type: integer } }], responses: { 200: { description: a }, 405: { description: b } } } }
            """)
        let names = try Self.names(Self.suite(text))
        #expect(names.contains("/a/x with the unsupported method PUT"))
        #expect(names.contains("/a/{id} with the unsupported method PUT"))
    }

    @Test("Deletions are tested for rejection before the deletion, and bodies with an unknown media type")
    func refusals() throws {
        let suite = try Self.suite(
            Self.description(
                """
                /a: { post: { operationId: add, requestBody: { content: { application/json: { schema: { type: object } } } }, responses: { 201: { description: a }, 422: { description: b } } } }
                /a/{id}: { delete: { operationId: remove, parameters: [{ name: id, in: path, required: true, schema: { type: integer } }], responses: { 204: { description: a }, 404: { description: b } } } }
                """))
        #expect(
            Self.names(suite) == [
                "add", "add with an array as body", "add with a body of an unknown media type",
                "/a with the unsupported method PATCH", "remove with a string as id", "remove",
            ])
        #expect(suite.text.contains("contentType: application/x-unknown"))
        #expect(suite.text.contains("expect: { status: [415, 422], contract: { request: false } }"))
        // The status 405 is not documented.
        #expect(suite.text.contains("request: PATCH /a\n    expect: { status: 4xx, contract: false }"))
    }

    @Test(
        "Form fields are violated one by one if the invalid value is also invalid as a string",
        arguments: [("application/x-www-form-urlencoded", "form"), ("multipart/form-data", "multipart")])
    func forms(type: String, key: String) throws {
        let suite = try Self.suite(
            Self.description(
                """
                /a:
                  post:
                    operationId: send
                    requestBody:
                      content:
                        \(type):
                          schema:
                            type: object
                            required: [a]
                            additionalProperties: false
                            properties:
                              a: { type: integer, maximum: 3, examples: [2] }
                              b: { type: string, enum: [x] }
                              c: { type: string, minLength: 1, examples: [z] }
                              d: { type: array, items: { type: integer }, examples: [[1]] }
                              e: { type: object, properties: { n: { type: string, examples: [q] } } }
                    responses: { 200: { description: a }, 400: { description: b } }
                """))
        let expected = [
            "without a", "with a string as a", "with a too large", "with an unknown b", "with a string as d[0]",
            "with a number as e.n", "with a string as e", "with an unknown property",
            "with a body of an unknown media type",
        ]
        #expect(
            Self.names(suite) == ["send"] + expected.map { "send \($0)" } + ["/a with the unsupported method PATCH"],
            "\(suite.text)")
        #expect(suite.text.contains("\(key): { a: 4, b: x") || suite.text.contains("\(key):\n        a: 4\n"))
    }

    @Test("Array items, object properties, and JSON parameters are violated in queries")
    func queries() throws {
        let suite = try Self.suite(
            Self.description(
                """
                /a:
                  get:
                    operationId: find
                    parameters:
                      - { name: ids, in: query, schema: { type: array, items: { type: integer } } }
                      - { name: words, in: query, schema: { type: array, items: { type: string } } }
                      - { name: f, in: query, style: deepObject, schema: { type: object, additionalProperties: false, properties: { n: { type: integer }, s: { type: string } } } }
                      - { name: g, in: query, schema: { type: object, additionalProperties: false, properties: { m: { type: integer } } } }
                      - { name: j, in: query, content: { application/json: { schema: { type: object, properties: { k: { type: boolean } } } } } }
                    responses: { 200: { description: a }, 400: { description: b } }
                """))
        let expected = [
            "with a string as ids[0]", "with a string as f.n", "with an unknown property in f", "with a string as g.m",
            "with a string as j.k", "with a string as j",
        ]
        #expect(
            Self.names(suite) == ["find"] + expected.map { "find \($0)" } + ["/a with the unsupported method PATCH"],
            "\(suite.text)")
        #expect(suite.text.contains("unknownMember: text"))
    }

    @Test("Created and changed resources are read back, and deleted ones are gone")
    func state() throws {
        let thing =
            "{ type: object, required: [name], properties: { name: { type: string }, note: { type: [string, 'null'] }, at: { type: string, format: date-time }, password: { type: string } } }"
        let body = "{ application/json: { schema: { $ref: '#/components/schemas/Thing' } } }"
        let text = Self.description(
            """
            /things: { post: { operationId: add, requestBody: { content: \(body) }, responses: { 201: { description: a, content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } } } }
            /things/{id}:
              parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
              get: { operationId: read, responses: { 200: { description: a, content: \(body) } } }
              put: { operationId: change, requestBody: { content: \(body) }, responses: { 200: { description: a } } }
              delete: { operationId: remove, responses: { 204: { description: a } } }
            """, "components: { schemas: { Thing: \(thing) } }\n")
        let suite = try Self.suite(text)
        #expect(
            Self.names(suite) == [
                "add", "add, and it is stored", "read", "change", "change, and it is stored",
                "change with null properties",
                "change with null properties, and it is read", "change with required properties only",
                "change with required properties only, and it is read", "remove", "remove, and it is gone",
            ])
        #expect(suite.text.contains("request: GET /things/${thingID}\n    expect: { status: [404, 410] }"))
        #expect(suite.text.contains("$.name: ") && suite.text.contains("$.note: "))
        #expect(!suite.text.contains("$.at: ") && !suite.text.contains("$.password: "))
        #expect(suite.text.contains("note: null"))
        #expect(suite.text.contains("$.note: { either: [{ exists: false }, null] }"))
        #expect(
            try Self.suite(text) { $0.servesMock = true }.text.contains(
                "if: ${isServer}\n    request: GET /things/${thingID}\n    expect: { status: [404, 410] }"))
        // A request that is only accepted may not have been processed.
        let later = try Self.suite(text.replacing("204: {", with: "202: {"))
        #expect(!later.text.contains("gone"))
    }

    @Test("Each change sends values that differ from those of previous requests where possible")
    func changes() throws {
        let thing = """
            { type: object, properties: { name: { type: string, example: Dune }, title: { type: string, example: The one, maxLength: 7 }, color: { enum: [red, green, blue] },
              size: { type: integer, minimum: 4, maximum: 6, example: 5 }, isOpen: { type: boolean, example: true }, note: { type: string }, author_id: { type: integer, example: 7 },
              status: { enum: [draft, final] }, currency: { type: string, example: EUR }, inner: { type: object, properties: { label: { type: string, example: L } } } } }
            """
        let body = "{ application/json: { schema: { $ref: '#/components/schemas/Thing' } } }"
        let suite = try Self.suite(
            Self.description(
                """
                /things: { post: { operationId: add, requestBody: { content: \(body) }, responses: { 201: { description: a, content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } } } }
                /things/{id}:
                  parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
                  get: { operationId: read, responses: { 200: { description: a, content: \(body) } } }
                  put: { operationId: replace, requestBody: { content: \(body) }, responses: { 200: { description: a } } }
                  patch: { operationId: change, requestBody: { content: \(body) }, responses: { 200: { description: a } } }
                """, "components: { schemas: { Thing: \(thing.replacing("\n", with: " ")) } }\n")
        ) { $0.negativeTests = .none }
        let tests = suite.text.split(separator: "  - name: ").map(String.init)
        func values(_ name: String, _ member: String) -> String? {
            let test = tests.first { $0.hasPrefix("\(name)\n") } ?? ""
            guard let start = test.firstRange(of: "\(member): ") else { return nil }
            let text = test[start.upperBound...].prefix { !",}\n".contains($0) }
            return text.hasSuffix(" ") ? String(text.dropLast()) : String(text)
        }
        for (member, expected) in [
            ("name", ["Dune", "Dune2", "Dune3"]), ("title", ["The one", "The one", "The one"]),
            ("color", ["red", "green", "blue"]), ("isOpen", ["true", "false", "true"]),
            ("author_id", ["7", "7", "7"]), ("status", ["draft", "draft", "draft"]),
            ("currency", ["EUR", "EUR", "EUR"]), ("label", ["L", "L2", "L3"]),
        ] {
            #expect(["add", "replace", "change"].map { values($0, member) } == expected, "\(member)\n\(suite.text)")
        }
        for member in ["size", "note"] {
            let sent = ["add", "replace", "change"].compactMap { values($0, member) }
            #expect(Set(sent).count == 3, "\(member) \(sent)")
        }
    }
}
