import OpenAPI
import Testing

@Suite("Checking exchanges against a description")
struct ContractCheckTests {
    static let books = """
        openapi: 3.0.3
        info: { title: Books, version: '1' }
        servers: [{ url: 'https://books.example.com/v1' }]
        paths:
          /books:
            get:
              operationId: listBooks
              parameters:
                - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
                - { name: sort, in: query, required: true, schema: { type: string, enum: [title, year] } }
                - { name: old, in: query, deprecated: true, schema: { type: string } }
              responses:
                200:
                  description: books
                  headers:
                    X-Total: { required: true, schema: { type: integer } }
                    X-Tags: { schema: { type: array, items: { type: string, maxLength: 3 } } }
                  content:
                    application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } }
                    text/csv: {}
                4XX: { description: wrong, content: { application/problem+json: { schema: { type: object } } } }
            post:
              operationId: addBook
              security: [{ key: [] }, { token: [read] }]
              requestBody:
                required: true
                content:
                  application/json: { schema: { $ref: '#/components/schemas/Book' } }
              responses:
                201: { description: added }
                401: { description: who }
                503: { description: later }
          /books/{id}:
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            get:
              deprecated: true
              responses:
                200: { description: book, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
                default: { description: other }
            delete: { responses: { 204: { description: gone } } }
        components:
          securitySchemes:
            key: { type: apiKey, in: header, name: X-Key }
            token: { type: http, scheme: bearer }
          schemas:
            Book:
              type: object
              required: [id, title]
              properties:
                id: { type: integer, readOnly: true }
                title: { type: string }
                price: { type: number, nullable: true, minimum: 0, exclusiveMinimum: true }
        """

    @Test(
        "Every difference is reported",
        arguments: [
            // No differences.
            (
                "GET /books?sort=title&limit=3 => 200 | X-Total: 1 | [{\"id\": 1, \"title\": \"Dune\", \"price\": null}]",
                []
            ),
            ("GET /v1/books?sort=title => 200 | X-Total: 1 | Content-Type: text/csv | a,b", []),
            ("POST /books | X-Key: k | {\"title\": \"Dune\"} => 201", []),
            ("POST /books | Authorization: Bearer t | {\"title\": \"Dune\"} => 201", []),
            ("DELETE /books/7 => 204", []),
            // A request to another API.
            ("POST https://auth.example.com/token => 200 | {}", []),
            // Operations.
            (
                "PUT /books => 200",
                ["error undocumented-operation [request] PUT /books is not documented; documented methods: GET, POST"]
            ),
            (
                "GET /bokks => 404",
                ["error undocumented-operation [request] GET /bokks is not documented; did you mean /books?"]
            ),
            (
                "GET https://books.example.com/books => 200 | Content-Type: text/csv | a",
                [
                    // On the server's own host, the entire path is tried last.
                    "error request-parameters [query sort] the required parameter \"sort\" is missing from the query",
                    "error missing-response-header [response header X-Total] the required header \"X-Total\" is missing",
                ]
            ),
            (
                "GET /books/7 => 200 | {\"id\": 7, \"title\": \"Dune\"}",
                ["warning deprecated-operation [request] the operation is deprecated"]
            ),
            // Statuses.
            (
                "DELETE /books/7 => 200",
                ["error undocumented-status [status] the status 200 is not documented; documented statuses: 204"]
            ),
            (
                "DELETE /books/7 => 404",
                ["warning undocumented-status [status] the status 404 is not documented; documented statuses: 204"]
            ),
            (
                "DELETE /books/7 => 500",
                [
                    "error server-error [status] the server failed with 500; if the status is intended, document it as 500 or 5XX"
                ]
            ),
            ("POST /books | X-Key: k | {\"title\": \"x\"} => 503", []),
            // Parameters.
            (
                "GET /books?limit=0&sort=name => 400 | Content-Type: application/problem+json | {}",
                [
                    "error request-parameters [query limit] expected at least 1, got 0",
                    "error request-parameters [query sort] expected one of \"title\", \"year\", got \"name\" (string)",
                ]
            ),
            (
                "GET /books?limit=ten => 400 | Content-Type: application/problem+json | {}",
                [
                    "error request-parameters [query limit] expected integer, got \"ten\" (string)",
                    "error request-parameters [query sort] the required parameter \"sort\" is missing from the query",
                ]
            ),
            (
                "GET /books?sort=title&limt=1&old=x => 400 | Content-Type: application/problem+json | {}",
                [
                    "warning deprecated-operation [query old] the query parameter \"old\" is deprecated",
                    "warning request-parameters [query limt] the query parameter \"limt\" is not documented; did you mean \"limit\"?",
                ]
            ),
            ("DELETE /books/x => 204", ["error request-parameters [path id] expected integer, got \"x\" (string)"]),
            // Responses.
            (
                "GET /books?sort=year => 200 | X-Total: many | X-Tags: a, bcde | [{\"id\": 1, \"title\": 2, \"price\": 0}, {\"id\": \"1\"}]",
                [
                    "error response-headers [response header X-Total] expected integer, got \"many\" (string)",
                    "error response-headers [response header X-Tags $[1]] expected at most 3 characters, got 4: \"bcde\"",
                    "error response-body [response body $[0].title] expected string, got 2 (integer)",
                    "error response-body [response body $[0].price] expected more than 0, got 0",
                    "error response-body [response body $[1]] missing property \"title\"",
                    "error response-body [response body $[1].id] expected integer, got \"1\" (string)",
                ]
            ),
            (
                "GET /books?sort=year => 200 | Content-Type: text/html | <p>",
                [
                    "error missing-response-header [response header X-Total] the required header \"X-Total\" is missing",
                    "error undocumented-content-type [response header Content-Type] the media type text/html is not documented for 200; documented media types: application/json, text/csv",
                ]
            ),
            (
                "GET /books?sort=year => 200 | X-Total: 1 | Content-Type: application/json | {",
                [
                    "error response-body [response body] the body is not JSON: expected a member name in double quotes or \"}\", found the end of the text"
                ]
            ),
            (
                "GET /books/1 => 200",
                [
                    "warning deprecated-operation [request] the operation is deprecated",
                    "error response-body [response body] expected a body of type application/json, got an empty body",
                ]
            ),
            ("HEAD /books?sort=year => 200 | X-Total: 1", []),
            (
                "POST /books | X-Key: k | {\"title\": \"x\"} => 201 | {\"id\": 1}",
                [
                    "warning undocumented-content-type [response body] the response 201 documents no body, but the 201 response has one (application/json)"
                ]
            ),
            // Requests.
            (
                "POST /books | X-Key: k => 201",
                ["error request-body [request body] the request has no body, but the operation requires one"]
            ),
            (
                "POST /books | X-Key: k | {\"title\": 1} => 201",
                ["error request-body [request body $.title] expected string, got 1 (integer)"]
            ),
            (
                "POST /books | X-Key: k | Content-Type: text/plain | Dune => 201",
                [
                    "error request-content-type [header Content-Type] the media type text/plain is not documented; documented media types: application/json"
                ]
            ),
            (
                "DELETE /books/1 | {} => 204",
                ["warning request-body [request body] the request has a body, but the operation documents none"]
            ),
            // Security.
            (
                "POST /books | {\"title\": \"x\"} => 201",
                [
                    "error missing-security [request] the operation requires the header \"X-Key\", or the header \"Authorization\" with \"bearer\", but a request without it got 201; a server that rejects a request must respond with 401 or 403"
                ]
            ),
            ("POST /books | {\"title\": \"x\"} => 401", []),
        ])
    func differences(_ exchange: String, _ expected: [String]) throws {
        let contract = try ContractText.contract(Self.books)
        let lines = ContractText.lines(ContractText.outcome(contract, ContractText.exchange(exchange)))
        #expect(lines == expected)
    }

    @Test("A finding names the operation and the location in the file")
    func locations() throws {
        let contract = try ContractText.contract(Self.books)
        let text = "POST /books | X-Key: k | {\"title\": 1} => 201"
        let finding = try #require(ContractText.outcome(contract, ContractText.exchange(text)).findings.first)
        #expect(finding.operation == "POST /books")
        #expect(finding.locationText == "openapi.yaml:51:24 (#/components/schemas/Book/properties/title/type)")
    }

    @Test("Settings disable rules and change their severity")
    func settings() throws {
        let contract = try ContractText.contract(Self.books)
        let exchange = ContractText.exchange("GET /books?limit=0 => 404 | Content-Type: text/html | x")
        func ids(_ change: (inout ContractSettings) -> Void) -> [String] {
            var settings = ContractSettings()
            change(&settings)
            return ContractText.outcome(contract, exchange, settings: settings).findings.map {
                "\($0.isError ? "error" : "warning") \($0.rule.rawValue)"
            }
        }
        #expect(
            ids { _ in } == [
                "error request-parameters", "error request-parameters", "error undocumented-content-type",
            ])
        #expect(ids { $0.checksRequests = false } == ["error undocumented-content-type"])
        #expect(
            ids {
                $0.severities = [.requestParameters: .warning, .undocumentedContentType: .off]
            } == ["warning request-parameters", "warning request-parameters"])
    }

    @Test("A named operation is used even if the path is different")
    func named() throws {
        let contract = try ContractText.contract(Self.books)
        let index = try #require(contract.operation(named: "addBook"))
        #expect(contract.operation(named: "POST /books") == index)
        #expect(contract.operation(named: "nothing") == nil)
        let exchange = ContractText.exchange("PATCH /elsewhere | X-Key: k | {} => 201")
        #expect(
            ContractText.lines(ContractText.outcome(contract, exchange, operation: index)) == [
                "error request-body [request body $] missing property \"title\""
            ])
    }

    @Test("An unusable schema is reported, and the rest is checked")
    func unusableSchema() throws {
        let text = """
            openapi: 3.1.0
            info: { title: x, version: '1' }
            paths:
              /a:
                get:
                  responses:
                    200:
                      description: x
                      headers: { X-A: { required: true, schema: { type: string } } }
                      content: { application/json: { schema: { type: object, pattern: '(' } } }
            """
        let contract = try ContractText.contract(text)
        let outcome = ContractText.outcome(contract, ContractText.exchange("GET /a => 200 | {}"))
        #expect(outcome.findings.map(\.rule) == [.missingResponseHeader, .unusableSchema])
        #expect(outcome.findings.last?.isError == false)
        #expect(outcome.findings.last?.locationText?.hasPrefix("openapi.yaml:10:") == true)
    }

    @Test("Schemas are found in other files, and their locations are reported")
    func otherFiles() throws {
        let text = """
            openapi: 3.1.0
            info: { title: x, version: '1' }
            paths:
              /a:
                get:
                  responses:
                    200:
                      description: x
                      content: { application/json: { schema: { $ref: 'parts/a%20b.yaml#/A' } } }
            """
        let part = """
            A:
              properties:
                next: { $ref: '#/A' }
                up: { $ref: '../up.yaml#/U' }
            """
        let contract = try ContractText.contract(
            text, others: ["/parts/a b.yaml": part, "/up.yaml": "U:\n  type: string"])
        let outcome = ContractText.outcome(contract, ContractText.exchange("GET /a => 200 | {\"next\": {\"up\": 1}}"))
        #expect(
            ContractText.lines(outcome) == [
                "error response-body [response body $.next.up] expected string, got 1 (integer)"
            ])
        #expect(outcome.findings.first?.locationText == "up.yaml:2:9 (#/U/type)")
    }
}
