import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Mock of a description")
struct ContractMockTests {
    private static let text = """
        openapi: 3.1.0
        info: { title: Books, version: "1" }
        servers: [{ url: https://example.com/v1 }]
        paths:
          /books:
            get:
              parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 9 } }]
              responses:
                200:
                  description: the books
                  headers:
                    X-Total: { required: true, schema: { type: integer, enum: [12] } }
                    X-Note: { schema: { type: string } }
                  content:
                    application/json:
                      schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
                      examples: { none: { value: [] }, dune: { value: [{ title: Dune }] }, wrong: { value: 7 } }
                    text/csv: { example: "title\\nDune" }
                400: { description: wrong }
            post:
              security: [{ key: [] }]
              requestBody:
                required: true
                content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
              responses:
                201: { description: added, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
                422: { description: wrong, content: { application/json: { schema: { type: object, required: [fault], properties: { fault: { const: f } } } } } }
                default: { description: other, content: { application/problem+json: { schema: { type: object, required: [title, detail] } } } }
          /events:
            get: { responses: { 2XX: { description: some }, 404: { description: none } } }
        components:
          securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
          schemas: { Book: { type: object, required: [title], properties: { title: { type: string, example: Emma } } } }
        """

    private static func mock() throws -> ContractMock {
        let (description, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.isEmpty, "\(problems)")
        return ContractMock(try #require(description))
    }

    private static func line(_ answer: ContractMock.Answer) -> String {
        let headers = answer.headers.map { "\($0.name): \($0.value)" }.joined(separator: " | ")
        return "\(answer.status) \(headers) \(String(decoding: answer.body, as: UTF8.self))"
    }

    @Test(
        "Documented requests get documented responses",
        arguments: [
            ("GET /books", [], "200 X-Total: 12 | Content-Type: application/json []"),
            ("GET /v1/books?limit=3", [], "200 X-Total: 12 | Content-Type: application/json []"),
            ("HEAD /books", [], "200 X-Total: 12 | Content-Type: application/json []"),
            (
                "GET /books", ["Accept: text/*;q=0.9, application/json;q=0.1"],
                "200 X-Total: 12 | Content-Type: text/csv title\nDune"
            ),
            (
                "GET /books", ["Prefer: example=dune"],
                #"200 X-Total: 12 | Content-Type: application/json [{"title":"Dune"}]"#
            ),
            ("GET /books", ["Prefer: code=400"], "400  "),
            (
                "GET /books", ["Prefer: code=\"404\""],
                #"404 Content-Type: application/problem+json {"type":"about:blank","title":"Not Found","status":404,"detail":"GET /books has no response 404 in the description"}"#
            ),
            (
                "GET /books", ["Prefer: example=emma"],
                #"404 Content-Type: application/problem+json {"type":"about:blank","title":"Not Found","status":404,"detail":"unknown example \"emma\"; known examples: none, dune, wrong"}"#
            ),
            ("GET /events", [], "200  "),
            ("OPTIONS /books", [], "204 Allow: GET, POST, HEAD, OPTIONS "),
        ])
    func answers(line: String, headers: [String], expected: String) throws {
        #expect(try Self.line(Self.answer(line, headers, "")) == expected)
    }

    private static func answer(_ line: String, _ headers: [String], _ body: String) throws -> ContractMock.Answer {
        let parts = line.split(separator: " ")
        let fields = headers.compactMap { header -> ContractMock.Field? in
            guard let colon = header.firstIndex(of: ":") else { return nil }
            return (String(header[..<colon]), String(header[header.index(colon, offsetBy: 2)...]))
        }
        return try mock().answer(
            method: String(parts[0]), target: String(parts[1]), headers: fields, body: Array(body.utf8))
    }

    @Test(
        "Invalid requests are rejected with the reason",
        arguments: [
            ("GET /bokos", [], "", 404, "the closest match is /books"),
            (
                "DELETE /books", [], "", 405,
                "/books does not support DELETE; supported methods: GET, POST, HEAD, OPTIONS"
            ),
            ("GET /books", ["Accept: image/png"], "", 406, ""),
            ("GET /books?limit=10", [], "", 400, ""),
            ("POST /books", [], "", 401, #"the operation requires the header \"X-Key\""#),
            ("POST /books", ["X-Key: a", "Content-Type: text/plain"], "a", 415, "text/plain is not documented"),
            ("POST /books", ["X-Key: a", "Content-Type: application/json"], "{}", 422, #"{"fault":"f"}"#),
            ("POST /books", ["X-Key: a"], "", 422, #"{"fault":"f"}"#),
        ])
    func refusals(line: String, headers: [String], body: String, status: Int, text: String) throws {
        let answer = try Self.answer(line, headers, body)
        #expect(answer.status == status, "\(Self.line(answer))")
        #expect(String(decoding: answer.body, as: UTF8.self).contains(text) || text.isEmpty, "\(Self.line(answer))")
    }

    @Test("A rejection states the reason in a header if the documented body cannot")
    func problemHeader() throws {
        let answer = try Self.answer("POST /books", ["X-Key: a", "Content-Type: application/json"], "{}")
        #expect(answer.headers.contains { $0.name == "Problem" && $0.value.contains("title") }, "\(Self.line(answer))")
        #expect(answer.operation == "POST /books")
    }

    @Test("Identical requests get identical responses")
    func isDeterministic() throws {
        let first = try Self.answer("POST /books", ["X-Key: a", "Content-Type: application/json"], #"{"title": "a"}"#)
        let second = try Self.answer("POST /books", ["X-Key: a", "Content-Type: application/json"], #"{"title": "a"}"#)
        #expect(Self.line(first) == #"201 Content-Type: application/json {"title":"Emma"}"#)
        #expect(Self.line(first) == Self.line(second))
    }
}
