import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Loading descriptions")
struct OpenAPILoaderTests {
    private static let books = """
        openapi: 3.0.3
        info: { title: Books, version: 1.0 }
        servers:
          - url: https://{region}.example.com/v1
            variables: { region: { default: eu, enum: [eu, us] } }
        security: [{ key: [] }]
        paths:
          /books/{id}:
            parameters:
              - { name: id, in: path, required: true, schema: { type: integer } }
              - { name: full, in: query, schema: { type: boolean } }
            get:
              operationId: readBook
              parameters: [{ $ref: 'parts.yaml#/full' }]
              responses:
                200: { $ref: '#/components/responses/Book' }
                4XX: { description: wrong }
                default: { description: other }
            delete:
              security: []
              responses: { 204: { description: gone } }
        components:
          responses:
            Book:
              description: a book
              headers: { Content-Type: { schema: {} }, ETag: { required: true, schema: { type: string } } }
              content:
                application/json: { schema: { $ref: '#/components/schemas/Book' } }
                application/*: {}
          schemas:
            Book: { type: object, properties: { next: { $ref: '#/components/schemas/Book' } } }
          securitySchemes:
            key: { type: apiKey, in: header, name: X-Key }
        """

    private static let parts = "full: { name: full, in: query, required: true, schema: { type: string } }"

    @Test("All parts of a description are read, and references are followed")
    func reads() throws {
        let (loaded, problems) = TextSource(["/openapi.yaml": Self.books, "/parts.yaml": Self.parts]).load()
        #expect(problems.isEmpty)
        let description = try #require(loaded)
        #expect(description.version == .openAPI30)
        #expect(description.title == "Books" && description.apiVersion == "1.0")
        #expect(description.servers.map(\.defaultURL) == ["https://eu.example.com/v1"])
        #expect(description.operations.map(\.title) == ["GET /books/{id}", "DELETE /books/{id}"])
        let read = try #require(description.operations.first)
        #expect(read.id == "readBook")
        #expect(read.parameters.map(\.name) == ["id", "full"])
        #expect(read.parameters.map(\.isRequired) == [true, true])
        #expect(
            read.parameters.map(\.node.locationText) == [
                "openapi.yaml#/paths/~1books~1{id}/parameters/0", "parts.yaml#/full",
            ])
        #expect(read.security.map { $0.schemes.map(\.name) } == [["key"]])
        #expect(description.operations.last?.security.isEmpty == true)
        #expect(read.response(for: 200)?.description == "a book")
        #expect(read.response(for: 404)?.status == .range(4))
        #expect(read.response(for: 500)?.status == .fallback)
        let response = try #require(read.response(for: 200))
        #expect(response.headers.map(\.name) == ["ETag"])
        #expect(response.site.range?.start.line == 16 && response.node.keyRange?.start.line == 24)
        let media = response.content(for: MediaRange("Application/JSON; charset=utf-8"))
        #expect(media?.range.text == "application/json")
        #expect(response.content(for: MediaRange("application/xml"))?.range.text == "application/*")
        #expect(response.content(for: MediaRange("text/plain")) == nil)
        let schema = try #require(media?.schema.flatMap { description.resolved($0) })
        #expect(schema.locationText == "openapi.yaml#/components/schemas/Book")
    }

    @Test(
        "Problems are reported with their location, and the rest is read",
        arguments: [
            (
                "openapi: 3.9.0\ninfo: { title: a, version: b }\npaths: {}",
                #"openapi.yaml:1:10: error: unknown OpenAPI version "3.9.0"; supported versions are swagger: "2.0" and openapi: 3.0, 3.1, and 3.2 [invalid-openapi]"#
            ),
            (
                "openapi: 3.1.0\ninfo: { title: a, version: b }\npaths: { /a: { get: { responses: { 200: { $ref: '#/components/responses/Bok' } } } } }\ncomponents: { responses: { Book: { description: a } } }",
                ##"openapi.yaml:3:49: error: "#/components/responses/Bok" cannot be resolved; did you mean "Book"? [unresolved-reference]"##
            ),
            (
                "openapi: 3.1.0\ninfo: { title: a, version: b }\npaths: { /a: { $ref: 'https://example.com/a.yaml' } }",
                #"openapi.yaml:3:22: error: "https://example.com/a.yaml" is not loaded from the network; save a copy and name it under "schemas" in the suite or with --schema https://example.com/a.yaml=FILE [unresolved-reference]"#
            ),
            (
                "openapi: 3.1.0\ninfo: { title: a, version: b }\npaths: { /a: { $ref: '#/paths/~1b' }, /b: { $ref: '#/paths/~1b' } }",
                ##"openapi.yaml:3:22: error: "#/paths/~1b" is a circular reference (2 references) [unresolved-reference]"##
            ),
            (
                "openapi: 3.1.0\ninfo: { title: a, version: b }\npaths: { '/a/{id}': { get: { responses: { 2xy: {} } } } }",
                #"openapi.yaml:3:43: error: "2xy" is not a status; write a status such as 200, a class such as 2XX, or default [invalid-openapi]"#
            ),
        ])
    func problems(text: String, expected: String) {
        let (_, problems) = TextSource(["/openapi.yaml": text]).load()
        #expect(problems.contains(expected), "\(problems)")
    }
}
