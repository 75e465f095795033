import Diagnostics
import SuiteModel
import Testing

@Suite struct ContractMockServerTests {
    private static let description = """
        openapi: 3.1.0
        info: { title: Books, version: "1" }
        paths:
          /books/{id}:
            parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
            get:
              responses:
                200:
                  description: a book
                  headers: { ETag: { required: true, schema: { const: '"a"' } } }
                  content: { application/json: { example: { id: 7 } } }
            put:
              requestBody: { required: true, content: { application/json: { schema: { required: [id] } } } }
              responses: { 204: { description: done }, 422: { description: wrong } }
        """

    @Test(
        "Documented operations are served",
        arguments: [
            ("GET", "/books/7", "", 200, #"{"id":7}"#), ("HEAD", "/books/7", "", 200, ""),
            ("PUT", "/books/7", #"{"id": 7}"#, 204, ""), ("PUT", "/books/7", "{}", 422, ""),
            ("OPTIONS", "/books/7", "", 204, ""),
        ])
    func answers(_ method: String, _ target: String, _ body: String, _ status: Int, _ expected: String) async throws {
        try await MockRun.connected(Self.description) { connection throws in
            let response = try connection.send(
                method, target, headers: body.isEmpty ? [] : [("Content-Type", "application/json")], body: body)
            #expect(response.status == status)
            #expect(response.body == expected)
            if method == "GET" { #expect(response.header("etag") == #""a""#) }
            if status == 422 { #expect(response.header("problem")?.contains("request body") == true) }
        }
    }

    @Test("An error in a description is a warning, and the rest is served")
    func broken() throws {
        let (definition, problems) = MockRun.load("openapi: 3.1.0\ninfo: { title: a, version: b }\npaths: { /a: 7 }")
        #expect(definition?.contract != nil)
        #expect(problems.map(\.id) == ["invalid-openapi"])
        #expect(problems.map(\.severity) == [.warning])
    }
}
