import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

/// Tests of the additions in OpenAPI 3.1 and 3.2.
@Suite("OpenAPI 3.1 and 3.2")
struct LaterVersionTests {
    private static let text = """
        openapi: 3.2.0
        info: { title: a, version: b }
        jsonSchemaDialect: https://spec.openapis.org/oas/3.1/dialect/base
        tags: [{ name: books, summary: Books, kind: nav, parent: all }, { name: all }]
        servers: [{ url: 'https://{host}/', name: main, variables: { host: { default: a.example.com } } }]
        paths:
          /search:
            query:
              requestBody: { $ref: '#/components/requestBodies/Query', description: what to find }
              responses: { 200: { summary: found } }
            get:
              parameters:
                - { name: q, in: querystring, content: { application/x-www-form-urlencoded: { schema: {} } } }
                - { name: c, in: cookie, style: cookie, schema: { type: array } }
              responses:
                200:
                  description: a stream
                  content: { text/event-stream: { $ref: '#/components/mediaTypes/Events' } }
            additionalOperations:
              LINK: { responses: { 204: { description: linked } } }
          /shared:
            $ref: '#/components/pathItems/Shared'
            summary: mine
            parameters: [{ name: p, in: query, schema: {} }]
            put: { responses: { 204: { description: put } } }
        webhooks:
          added: { post: { requestBody: { content: { application/json: {} } }, responses: { 204: { description: a } } } }
        components:
          pathItems:
            Shared:
              get: { responses: { 200: { description: shared } } }
              put: { responses: { 200: { description: never } } }
          requestBodies: { Query: { content: { application/json: { schema: true } } } }
          mediaTypes:
            Events: { itemSchema: { type: object } }
          securitySchemes:
            device:
              type: oauth2
              deprecated: true
              flows:
                deviceAuthorization:
                  { deviceAuthorizationUrl: https://a.example.com, tokenUrl: https://t.example.com, scopes: {} }
        """

    @Test func reads() throws {
        let (loaded, problems) = TextSource(["/openapi.yaml": Self.text]).load()
        #expect(problems == [])
        let description = try #require(loaded)
        #expect(description.schemaDialect == "https://spec.openapis.org/oas/3.1/dialect/base")
        #expect(description.tags.first?.parent == "all" && description.tags.first?.kind == "nav")
        #expect(description.servers.first?.name == "main")
        #expect(
            description.operations.map(\.title) == [
                "QUERY /search", "GET /search", "LINK /search", "PUT /shared", "GET /shared",
            ])
        let query = try #require(description.operations.first)
        #expect(query.requestBody?.description == "what to find")
        #expect(query.requestBody?.content.first?.schema?.value == true)
        let get = description.operations[1]
        #expect(get.parameters.map(\.location) == [.querystring, .cookie])
        #expect(get.parameters.map(\.style) == [.form, .cookie])
        let stream = get.response(for: 200)?.content(for: MediaRange("text/event-stream"))
        #expect(stream?.itemSchema?.value["type"] == "object" && stream?.range.text == "text/event-stream")
        let put = description.operations[3]
        #expect(put.response(for: 204) != nil && put.parameters.map(\.name) == ["p"])
        #expect(description.paths.last?.summary == "mine")
        #expect(description.webhooks.map(\.path) == ["added"])
        guard case .oauth2(let flows)? = description.securitySchemes.first?.kind else {
            Issue.record("expected OAuth 2 flows")
            return
        }
        #expect(flows.first?.deviceAuthorizationURL == "https://a.example.com")
    }

    @Test("A callback that refers to itself is read once")
    func callbacks() throws {
        let text = """
            openapi: 3.1.0
            info: { title: a, version: b }
            paths: { /a: { post: { callbacks: { a: { $ref: '#/components/callbacks/Again' } }, responses: {} } } }
            components:
              callbacks:
                Again:
                  '{$request.body#/url}':
                    post: { callbacks: { again: { $ref: '#/components/callbacks/Again' } }, responses: {} }
            """
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let callback = try #require(description.operations.first?.callbacks.first)
        #expect(callback.items.map(\.path) == ["{$request.body#/url}"])
        #expect(callback.items.first?.operations.first?.callbacks.first?.items.isEmpty == true)
    }

    @Test("The number of reported problems is limited, and a shared part is reported once")
    func bound() {
        let parameters = (0..<700).map { _ in "{ name: 5 }" }.joined(separator: ", ")
        let responses = (200..<400).map { "\($0): { $ref: '#/components/responses/R' }" }.joined(separator: ", ")
        let text = """
            openapi: 3.1.0
            info: { title: a, version: b }
            paths: { /a: { get: { responses: { \(responses) } }, put: { parameters: [\(parameters)] } } }
            components: { responses: { R: { description: [] } } }
            """
        let (_, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.count == 501)
        #expect(
            problems.last
                == "error: 201 more problems are not shown; fix the reported problems first [too-many-problems]")
        #expect(problems.filter { $0.contains("\"description\" must be a string, got an array") }.count == 1)
    }
}
