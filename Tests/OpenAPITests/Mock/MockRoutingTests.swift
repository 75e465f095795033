import OpenAPI
import Testing

@Suite("Paths of a mock")
struct MockRoutingTests {
    private static let text = """
        openapi: 3.1.0
        info: { title: Files, version: "1" }
        servers: [{ url: https://api.example.com/2.0 }]
        paths:
          /files/{file_id}:
            parameters: [{ name: file_id, in: path, required: true, schema: { type: integer } }]
            get: { responses: { 200: { description: ok, content: { text/plain: { example: a file } } } } }
            post: { responses: { 200: { description: ok, content: { text/plain: { example: restored } } } } }
          /files/content:
            servers: [{ url: "https://{region}.example.com/upload/v1", variables: { region: { default: eu } } }]
            post: { responses: { 200: { description: ok, content: { text/plain: { example: uploaded } } } } }
            options:
              servers: [{ url: /pre }]
              responses: { 200: { description: ok, content: { text/plain: { example: checked } } } }
          /{name}:
            get:
              parameters: [{ name: name, in: path, required: true, schema: { type: string, enum: [files] } }]
              servers: [{ url: "/{part}" , variables: { part: { default: a } } }]
              responses: { 200: { description: ok, content: { text/plain: { example: named } } } }
        """

    @Test(
        "A path may be relative to the description or to any of its servers",
        arguments: [
            ("POST /files/content", 200, "uploaded"), ("POST /2.0/files/content", 200, "uploaded"),
            ("POST /upload/v1/files/content?a=/x", 200, "uploaded"), ("OPTIONS /pre/files/content", 200, "checked"),
            ("POST /files/7", 200, "restored"), ("POST /2.0/files/7", 200, "restored"),
            ("POST /2.0/files/x", 400, "path file_id"), ("GET /b/files", 200, "named"), ("GET /files", 200, "named"),
            ("HEAD /2.0/files/3", 200, "a file"), ("GET /2.0/files/3?x=%2F", 200, "a file"),
            ("DELETE /2.0/files/content", 405, "POST, OPTIONS"),
            ("GET /2.0/other/thing", 404, "the description has no path /2.0/other/thing"),
        ])
    func paths(line: String, status: Int, text: String) throws {
        let answer = try MockFixture(Self.text).answer(line)
        #expect(answer.status == status)
        #expect(answer.text.contains(text), "\(answer.text)")
    }
}
