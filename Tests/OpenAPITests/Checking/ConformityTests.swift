import Basics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Recognition of conforming exchanges")
struct ConformityTests {
    static let document = """
        openapi: 3.1.0
        info: { title: Books, version: '1' }
        servers: [{ url: 'https://books.example.com/v1' }, { url: /v2/ }]
        security: [{ key: [] }, { token: [] }, { user: [] }]
        paths:
          /: { get: { security: [], responses: { default: { description: any } } } }
          /books:
            get:
              parameters:
                - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
                - { name: q, in: query, schema: { type: string, maxLength: 5 } }
                - { name: tags, in: query, schema: { type: array, items: { type: string } } }
                - { name: X-Trace, in: header, schema: { type: integer } }
                - { name: sid, in: cookie, schema: { type: string } }
              responses:
                200:
                  description: books
                  headers:
                    X-Total: { required: true, schema: { type: integer } }
                    X-Tags: { schema: { type: array, items: { type: string, maxLength: 3 } } }
                  content:
                    application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } }
                    text/plain: { schema: { type: integer } }
                    text/*: {}
                    '*/*': {}
                4XX: { description: wrong, content: { 'application/*+json': { schema: { type: object } } } }
            post:
              security: [{}, { key: [] }]
              requestBody:
                required: true
                content:
                  application/json: { schema: { $ref: '#/components/schemas/Book' } }
                  application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Book' } }
              responses: { 201: { description: added }, 503: { description: later } }
          /books/new: { get: { security: [], responses: { 200: { description: new } } } }
          /books/{id}:
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            get: { responses: { 2XX: { description: book }, default: { description: other } } }
            delete: { responses: { 204: { description: gone } } }
          /files/{name}.{format}:
            parameters:
              - { name: name, in: path, required: true, schema: { type: string } }
              - { name: format, in: path, required: true, schema: { type: string } }
            get: { security: [], responses: { 200: { description: file } } }
          /search:
            get:
              security: []
              parameters: [{ name: filter, in: query, style: deepObject, explode: true, schema: { type: object } }]
              responses: { 200: { description: found } }
        components:
          securitySchemes:
            key: { type: apiKey, in: header, name: X-Key }
            token: { type: http, scheme: Bearer }
            user: { type: apiKey, in: query, name: user }
          schemas:
            Book: { type: object, required: [title], properties: { title: { type: string }, price: { type: number } } }
        """

    /// Conforming exchanges.
    private static let right = [
        "GET / => 200",
        "GET https://elsewhere.example.com/anything => 500",
        "GET /books?limit=3 | X-Key: a => 200 | X-Total: 1 | []",
        "GET /v2/books?limit=3&q=a+b%21 | X-Key: a => 200 | X-Total: 1 | [{\"title\": \"Dune\"}]",
        "GET https://BOOKS.example.com:443/v1/books | authorization: bearer x => 200 | X-Total: 1 | Content-Type: "
            + "Application/JSON ; charset=utf-8 | []",
        "GET /books | X-Trace: 7 | X-Key: a => 200 | X-Total: 1 | Content-Type: text/plain | 12",
        "GET /books | X-Key: a => 200 | X-Total: 1 | Content-Type: text/csv | a,b",
        "GET /books | X-Key: a => 200 | X-Total: 1 | Content-Type: image/png | a",
        "GET /books | X-Key: a => 404 | Content-Type: application/problem+json | {}",
        "GET /books => 401 | Content-Type: application/problem+json | {}",
        "POST /books | {\"title\": \"Dune\"} => 201",
        "POST /books | {\"title\": \"Dune\", \"price\": 3} => 503",
        "GET /books/new => 200",
        "GET /books/7#part | X-Key: a => 207",
        "DELETE /books/7? | X-Key: a => 204",
        "GET /search => 200",
    ]

    private static func outcome(
        _ text: String, settings: ContractSettings = ContractSettings()
    ) throws -> (outcome: ContractOutcome, isWhole: Bool) {
        let contract = try ContractText.contract(document)
        let exchange = ContractText.exchange(text)
        let outcome = ContractText.outcome(contract, exchange, settings: settings)
        let traffic = ExchangeTraffic(exchange)
        let checker = ContractChecker(contract, settings: settings, baseURL: exchange.baseURL)
        _ = checker.check(traffic)
        return (outcome, traffic.isTaken)
    }

    @Test(
        "Conforming exchanges are recognized without a full check",
        arguments: right)
    func conforming(_ exchange: String) throws {
        let (outcome, isWhole) = try Self.outcome(exchange)
        #expect(outcome.findings.isEmpty)
        #expect(!isWhole)
    }

    @Test(
        "Exchanges that differ or cannot be decided quickly get a full check",
        arguments: [
            "GET /books?limit=0 | X-Key: a => 200 | X-Total: 1 | []",
            "GET /books?limit=1&limit=2 | X-Key: a => 200 | X-Total: 1 | []",
            "GET /books?other=1 | X-Key: a => 200 | X-Total: 1 | []",
            "GET /books?tags=a&tags=b | X-Key: a => 200 | X-Total: 1 | []",
            "GET /books?q=abcdef | X-Key: a => 200 | X-Total: 1 | []",
            "GET /books | X-Trace: a | X-Key: a => 200 | X-Total: 1 | []",
            "GET /books | X-Key: a => 200 | []",
            "GET /books | X-Key: a => 200 | X-Total: a | []",
            "GET /books | X-Key: a => 200 | X-Total: 1 | X-Tags: a,bcde | []",
            "GET /books | X-Key: a => 200 | X-Total: 1 | [{}]",
            "GET /books | X-Key: a => 200 | X-Total: 1 | [",
            "GET /books | X-Key: a => 200 | X-Total: 1 | Content-Type: text/plain | a",
            "GET /books => 200 | X-Total: 1 | []",
            "GET /books?user=a => 200 | X-Total: 1 | []",
            "GET /books | Authorization: Basic a => 200 | X-Total: 1 | []",
            "GET /books | X-Key: a => 302",
            "GET /books/7 | X-Key: a => 500",
            "GET /books/seven | X-Key: a => 200",
            "GET /books/n%65w => 200",
            "HEAD /books | X-Key: a => 200 | X-Total: 1",
            "PUT /books => 200",
            "GET /none => 200",
            "POST /books => 201",
            "POST /books | {} => 201",
            "POST /books | Content-Type: application/x-www-form-urlencoded | title=a => 201",
            "POST /books | {\"title\": \"Dune\"} => 201 | {}",
            "GET /files/a.txt => 200",
            "GET /search?filter[a]=1 => 200",
        ])
    func different(_ exchange: String) throws {
        #expect(try Self.outcome(exchange).isWhole)
    }

    @Test("Parts that are not checked do not require a full check")
    func settings() throws {
        var settings = ContractSettings()
        settings.checksRequests = false
        #expect(try !Self.outcome("GET /books?limit=0 => 200 | X-Total: 1 | []", settings: settings).isWhole)
        settings.severities[.responseBody] = .off
        #expect(try !Self.outcome("GET /books?limit=1 => 200 | X-Total: 1 | [{}]", settings: settings).isWhole)
    }

    @Test(
        "The quick check finds the same operation as the full check, whatever the base URL",
        arguments: [nil, "http://x", "http://x/", "HTTP://X:80/v1", "http://x/gateway//", "https://books.example.com"])
    func operations(baseURL: String?) throws {
        // Every status has a response, so only the operation remains to be determined.
        let text = OperationRouterTests.document.replacing(
            "responses: {}", with: "responses: { default: { description: any } }")
        let contract = Contract(
            try #require(TextSource(["/openapi.yaml": text]).load().description), name: "openapi.yaml")
        let origins = ["http://x", "HTTP://me@x:80", "https://eu.example.com", "https://y"]
        let prefixes = ["", "/v1", "/api", "/gateway/", "/gatewayv1"]
        let paths = [
            "", "/", "/books", "/books/new", "/books/n%65w", "/books/7", "/books/7/cover", "/books//cover",
            "/books/1/pages/2", "/files/a.b", "/a%20b", "/own", "/books?x=/y", "/books#a?b",
        ]
        var known = 0
        for origin in origins {
            for prefix in prefixes {
                for path in paths {
                    for method in ["GET", "DELETE", "HEAD"] {
                        let exchange = ContractExchange(
                            method: method, url: origin + prefix + path, baseURL: baseURL, status: 200)
                        _ = ContractText.outcome(contract, exchange)
                        let traffic = ExchangeTraffic(exchange)
                        _ = ContractChecker(contract, baseURL: baseURL).check(traffic)
                        if !traffic.isTaken { known += 1 }
                    }
                }
            }
        }
        #expect(known > 50)
    }

    @Test("The quick check and the full check agree on random exchanges", arguments: 0..<8)
    func anyExchange(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let contract = try ContractText.contract(Self.document)
        var known = 0
        for _ in 0..<400 {
            let exchange = Self.exchange(&random)
            let outcome = ContractText.outcome(contract, exchange)
            let traffic = ExchangeTraffic(exchange)
            _ = ContractChecker(contract, baseURL: exchange.baseURL).check(traffic)
            if !traffic.isTaken {
                known += 1
                #expect(outcome.findings.isEmpty)
            }
        }
        #expect(known > 50 && known < 350)
    }

    /// Returns a conforming exchange with some parts changed.
    private static func exchange(_ random: inout SplitMix64) -> ContractExchange {
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &random)] }
        func isChanged() -> Bool { Int.random(in: 0..<10, using: &random) == 0 }
        var exchange = ContractText.exchange(one(right))
        let types = [
            "application/json", "text/plain; a=b", "text/csv", "APPLICATION/X+JSON", "json", "", "a/b;c", "é/é",
        ]
        let bodies = ["", "[]", "{}", "{\"title\": \"a\"}", "[{\"title\": 1}]", "12", "title=a"]
        if isChanged() { exchange.method = one(["GET", "POST", "DELETE", "HEAD", "get"]) }
        if isChanged() { exchange.url += one(["/", "/a", "?", "#x", "é", "%41"]) }
        if isChanged() {
            exchange.url += exchange.url.contains("?") ? "&" : "?"
            exchange.url += one([
                "limit=1", "limit=", "limit=a", "q=%41", "q", "tags=a", "&", "filter[a]=1", "é=1", "user=1",
            ])
        }
        if isChanged() { exchange.baseURL = one([nil, "http://localhost:8080/v1", "http://other"]) }
        if isChanged() { exchange.status = one([101, 200, 201, 204, 302, 304, 401, 404, 500, 503]) }
        if isChanged() { exchange.requestBody = one([nil, Array(one(bodies).utf8)]) }
        if isChanged() { exchange.responseBody = Array(one(bodies).utf8) }
        if isChanged() { exchange.items = one([[], [.null]]) }
        if isChanged(), !exchange.requestHeaders.isEmpty { exchange.requestHeaders.removeLast() }
        if isChanged(), !exchange.responseHeaders.isEmpty { exchange.responseHeaders.removeFirst() }
        if isChanged() {
            let fields = [
                ("x-key", "b"), ("Authorization", "Bearer"), ("X-Trace", "1"), ("X-Trace", "a"), ("Cookie", "sid=1"),
                ("Content-Encoding", "identity"), ("Content-Type", one(types)),
            ]
            exchange.requestHeaders.insert(one(fields), at: 0)
        }
        if isChanged() {
            let fields = [("x-total", "1"), ("X-Total", "a"), ("X-Tags", "a,b"), ("Content-Type", one(types))]
            exchange.responseHeaders.insert(one(fields), at: 0)
        }
        return exchange
    }
}
