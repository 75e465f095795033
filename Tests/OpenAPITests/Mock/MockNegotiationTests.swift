import OpenAPI
import Testing

@Suite("Media types, statuses, and credentials of a mock")
struct MockNegotiationTests {
    private static let text = """
        openapi: 3.1.0
        info: { title: Books, version: "1" }
        paths:
          /books:
            get:
              responses:
                202: { description: later, content: { text/plain: { example: later } } }
                201: { description: first, content: { application/xml: { example: <a/> }, application/json: { example: 1 } } }
                200: { description: csv, content: { text/csv: { example: "a,b" } } }
          /none:
            get:
              responses:
                204: { description: none }
                206: { description: part, content: { text/plain: { example: part } } }
          /versions:
            get:
              responses:
                200:
                  description: some
                  content:
                    application/json;version=1: { example: 1 }
                    application/json;version=2: { example: 2 }
          /early:
            get: { responses: { 100: { description: go on }, 103: { description: hints }, 404: { description: none } } }
          /plain:
            get: { responses: { 200: { description: some, content: { application/json: { example: 1 }, application/xml: { example: <a/> } } } } }
        """

    @Test(
        "The lowest acceptable success status is sent, and JSON is preferred among equal types",
        arguments: [
            ("GET /books", nil, "200 text/csv"), ("GET /books", "*/*", "200 text/csv"),
            ("GET /books", "application/json", "201 application/json"),
            ("GET /books", "application/*", "201 application/json"),
            ("GET /books", "application/xml, application/json", "201 application/json"),
            ("GET /books", "application/xml, application/json;q=0.9", "201 application/xml"),
            ("GET /books", "text/plain", "202 text/plain"), ("GET /books", "image/png", "406 application/problem+json"),
            ("GET /none", "image/png", "204 "), ("GET /none", "text/plain", "204 "),
            ("GET /plain", "application/json; charset=utf-8", "200 application/json"),
            ("GET /plain", "application/json; profile=\"a,b;q=0\", text/css", "200 application/json"),
            ("GET /plain", "application/xml, */*", "200 application/xml"),
            (
                "GET /plain", "application/xml;charset=UTF-8;q=0.5, application/json;indent=2;q=0.4",
                "200 application/xml"
            ),
            ("GET /plain", "text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8", "200 application/xml"),
            ("GET /plain", "", "200 application/json"), ("GET /plain", "*", "200 application/json"),
            ("GET /plain", "application/json;q=0, */*", "200 application/xml"),
            ("GET /early", nil, "404 "),
            ("GET /versions", "application/json", "200 application/json;version=1"),
            ("GET /versions", "application/json; version=2; charset=utf-8", "200 application/json;version=2"),
            ("GET /versions", "application/json; version=3", "406 application/problem+json"),
        ] as [(String, String?, String)])
    func choices(line: String, accept: String?, expected: String) throws {
        let answer = try MockFixture(Self.text).answer(line, accept.map { ["Accept: \($0)"] } ?? [])
        #expect("\(answer.status) \(answer.header("Content-Type") ?? "")" == expected)
    }

    private static let secured = """
        openapi: 3.1.0
        info: { title: Books, version: "1" }
        paths:
          /basic: { get: { security: [{ basic: [] }], responses: { 200: { description: ok }, 401: { $ref: '#/components/responses/Refused' } } } }
          /bearer: { get: { security: [{ bearer: [] }], responses: { 200: { description: ok } } } }
          /oauth: { get: { security: [{ oauth: [] }, { key: [] }], responses: { 200: { description: ok } } } }
          /open: { get: { security: [{ basic: [] }, {}], responses: { 200: { description: ok } } } }
          /body:
            post:
              requestBody: { required: true, content: { application/json: { schema: { type: object, required: [id] } } } }
              responses:
                200: { description: ok }
                422:
                  description: wrong
                  content:
                    application/json:
                      schema: { type: object }
                      examples: { a: { value: 7 }, b: { value: { errors: [id] } } }
        components:
          responses:
            Refused: { description: refused, headers: { www-authenticate: { required: true, schema: { type: string } } }, content: { application/json: { example: { error: who are you } } } }
          securitySchemes:
            basic: { type: http, scheme: basic }
            bearer: { type: http, scheme: bearer }
            key: { type: apiKey, in: query, name: key }
            oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: {} } } }
        """

    @Test(
        "Credentials must have the form of their scheme",
        arguments: [
            ("GET /basic", nil, "\"basic\""), ("GET /basic", "Basic YTpi", nil), ("GET /basic", "basic   YTo=", nil),
            ("GET /basic", "Bearer YTpi", "(got the scheme \"Bearer\")"),
            ("GET /basic", "Basic", "got only the scheme"),
            ("GET /basic", "Basic a:b", "got credentials that are not a Base64-encoded username and password"),
            ("GET /basic", "Basic YWI=", "got credentials that are not a Base64-encoded username and password"),
            ("GET /basic", "Basic YTp=i", "got credentials that are not a Base64-encoded username and password"),
            ("GET /bearer", "Bearer x", nil), ("GET /bearer", "Basic YTpi", "(got the scheme \"Basic\")"),
            ("GET /oauth", "DPoP x", nil), ("GET /oauth", "Basic YTpi", "or the query parameter \"key\""),
            ("GET /oauth?key=1", nil, nil), ("GET /oauth?key=", nil, "a token, or the query parameter"),
            ("GET /open", "Digest x", nil),
        ] as [(String, String?, String?)])
    func credentials(line: String, authorization: String?, expected: String?) throws {
        let answer = try MockFixture(Self.secured).answer(line, authorization.map { ["Authorization: \($0)"] } ?? [])
        #expect(answer.status == (expected == nil ? 200 : 401))
        let said = answer.header("Problem") ?? answer.text.replacing("\\\"", with: "\"")
        if let expected { #expect(said.contains(expected), "\(said)") }
    }

    @Test("The documented example of a rejection is sent, with the reason in a header")
    func exampleOfRefusal() throws {
        let mock = try MockFixture(Self.secured)
        let refused = mock.answer("GET /basic")
        #expect(refused.status == 401)
        #expect(refused.text == #"{"error":"who are you"}"#)
        #expect(refused.header("Problem")?.contains("requires") == true)
        #expect(
            refused.headers.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value) == [
                #"Basic realm="mock""#
            ])
        let wrong = mock.answer("POST /body", ["Content-Type: application/json"], body: "{}")
        #expect(wrong.status == 422)
        #expect(wrong.text == #"{"errors":["id"]}"#)
        #expect(wrong.header("Problem")?.contains("id") == true)
    }
}
