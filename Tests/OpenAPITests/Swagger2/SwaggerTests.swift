import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Swagger 2.0")
struct SwaggerTests {
    private static let shop = """
        swagger: "2.0"
        info: { title: Shop, version: 1.0.0 }
        host: shop.example.com
        basePath: /api
        schemes: [https, http]
        consumes: [application/json]
        produces: [application/json]
        securityDefinitions:
          password: { type: basic }
          key: { type: apiKey, in: header, name: X-Key }
          login: { type: oauth2, flow: accessCode, authorizationUrl: https://a.example.com, tokenUrl: https://t.example.com, scopes: { read: reads } }
        security: [{ key: [] }]
        parameters:
          page: { name: page, in: query, type: integer, minimum: 1, default: 1 }
          item: { name: item, in: body, required: true, schema: { $ref: '#/definitions/Item' } }
          color: { name: color, in: formData, type: string, required: true }
        responses:
          Wrong: { description: wrong, schema: { $ref: '#/definitions/Error' } }
        paths:
          /items/{id}:
            parameters:
              - { name: id, in: path, required: true, type: string, format: uuid }
            get:
              operationId: readItem
              produces: [application/json, application/xml]
              parameters:
                - { $ref: '#/parameters/page' }
                - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: multi }
                - { name: sizes, in: query, type: array, items: { type: integer } }
                - { name: codes, in: query, type: array, items: { type: integer }, collectionFormat: pipes }
                - { name: odd, in: query, type: array, items: { type: integer }, collectionFormat: tsv }
                - { name: X-Ids, in: header, type: array, items: { type: integer } }
              responses:
                200:
                  description: an item
                  schema: { $ref: '#/definitions/Item' }
                  headers: { X-Rate: { type: integer, description: left } }
                  examples: { application/json: { id: 1 } }
                400: { $ref: '#/responses/Wrong' }
                204: { description: nothing }
            put:
              security: []
              parameters: [{ $ref: '#/parameters/item' }]
              responses: { default: { $ref: '#/responses/Wrong' } }
            post:
              consumes: [multipart/form-data]
              schemes: [http]
              parameters:
                - { name: photo, in: formData, type: file, required: true, description: a picture }
                - { $ref: '#/parameters/color' }
                - { name: marks, in: formData, type: array, items: { type: string }, collectionFormat: multi }
              responses:
                200: { description: a file, schema: { type: file } }
                201: { description: like, schema: { $ref: '#/paths/~1items~1{id}/get/responses/200/schema' } }
        definitions:
          Item:
            type: object
            discriminator: kind
            required: [kind]
            properties:
              kind: { type: string }
              note: { type: string, x-nullable: true }
              more: { $ref: '#/definitions/Item', x-nullable: true }
          Error: { type: object }
        """

    private func shop() throws -> OpenAPIDescription {
        let (loaded, problems) = TextSource(["/openapi.yaml": Self.shop]).load()
        #expect(problems == [])
        return try #require(loaded)
    }

    @Test("Servers and security are converted to 3.0")
    func root() throws {
        let description = try shop()
        #expect(description.version == .swagger2)
        #expect(description.servers.map(\.url) == ["https://shop.example.com/api", "http://shop.example.com/api"])
        #expect(description.servers.first?.node?.range?.start.line == 3)
        let schemes = description.securitySchemes.map { "\($0.name) \($0.kind)".prefix(24) }
        #expect(
            schemes.map(String.init) == [
                "password http(scheme: \"b", "key apiKey(in: OpenAPI.P", "login oauth2(flows: [Ope",
            ])
        guard case .oauth2(let flows)? = description.securityScheme(named: "login")?.kind else {
            Issue.record("expected OAuth 2 flows")
            return
        }
        #expect(flows.map(\.kind) == ["authorizationCode"] && flows.first?.scopes.map(\.name) == ["read"])
        #expect(flows.first?.node.range?.start.line == 11)
        let operations = description.operations
        #expect(operations.map(\.title) == ["GET /items/{id}", "PUT /items/{id}", "POST /items/{id}"])
        #expect(operations.map(\.security.count) == [1, 0, 1])
        #expect(operations.map { $0.servers.map(\.url) }.last == ["http://shop.example.com/api"])
    }

    @Test("Parameters are converted to schemas and styles")
    func parameters() throws {
        let read = try #require(try shop().operations.first)
        let lines = read.parameters.map { parameter in
            "\(parameter.name) \(parameter.location) \(parameter.style) \(parameter.isExploded) "
                + "\(parameter.schema?.value["type"]?.stringValue ?? "none") \(parameter.node.range?.start.line ?? 0)"
        }
        #expect(
            lines == [
                "id path simple false string 22", "page query form true integer 14", "tags query form true array 28",
                "sizes query form false array 29", "codes query pipeDelimited false array 30",
                "odd query form true string 31", "X-Ids header simple false array 32",
            ])
        let page = try #require(read.parameters.first { $0.name == "page" })
        #expect(page.schema?.value["minimum"] == 1)
        #expect(page.schema?["minimum"]?.range?.start.column == 58)
    }

    @Test("Body parameters are converted to request bodies with media types")
    func bodies() throws {
        let operations = try shop().operations
        let body = try #require(operations[1].requestBody)
        #expect(body.isRequired && body.content.map(\.range.text) == ["application/json"])
        #expect(body.content.first?.schema?.reference == "#/components/schemas/Item")
        #expect(body.content.first?.schema?.range?.start.line == 15)
        let form = try #require(operations[2].requestBody)
        #expect(form.isRequired && form.content.map(\.range.text) == ["multipart/form-data"])
        let schema = try #require(form.content.first?.schema)
        #expect(schema.value["required"] == ["photo", "color"])
        #expect(
            schema["properties"]?["photo"]?.value
                == ["type": "string", "format": "binary", "description": "a picture"])
        #expect(schema["properties"]?["photo"]?.range?.start.line == 49)
        #expect(schema["properties"]?["color"]?["type"]?.range?.start.line == 16)
        #expect(form.content.first?.encodings.map { "\($0.property) \($0.isExploded)" } == ["marks true"])
    }

    @Test("Responses have media types, headers, and examples")
    func responses() throws {
        let description = try shop()
        let read = try #require(description.operations.first)
        let found = try #require(read.response(for: 200))
        #expect(found.content.map(\.range.text) == ["application/json", "application/xml"])
        #expect(found.content.map { $0.examples.map(\.value) } == [[["id": 1]], []])
        #expect(found.headers.map(\.name) == ["X-Rate"] && found.headers.first?.schema?.value["type"] == "integer")
        #expect(found.content.last?.schema?.range?.start.line == 36)
        #expect(found.content.first?.examples.first?.node.range?.start.line == 38)
        #expect(read.response(for: 204)?.content.isEmpty == true)
        let wrong = try #require(read.response(for: 400))
        #expect(wrong.content.map(\.range.text) == ["application/json", "application/xml"])
        #expect(wrong.node.range?.start.line == 18 && wrong.site.name == "400")
        let shared = try #require(description.operations[1].response(for: 500))
        #expect(shared.node.locationText == "openapi.yaml#/components/responses/Wrong")
        let post = description.operations[2]
        #expect(post.response(for: 200)?.content.first?.schema?.value == ["type": "string", "format": "binary"])
        let like = try #require(post.response(for: 201)?.content.first?.schema)
        #expect(description.resolved(like)?.locationText == "openapi.yaml#/components/schemas/Item")
    }

    @Test("Schemas are converted to 3.0")
    func schemas() throws {
        let description = try shop()
        let item = try #require(description.root["components"]?["schemas"]?["Item"])
        #expect(item.value["discriminator"] == ["propertyName": "kind"])
        #expect(item["properties"]?["note"]?.value["nullable"] == true)
        #expect(
            item["properties"]?["more"]?.value["anyOf"]?[0]?["$ref"] == "#/components/schemas/Item")
        #expect(item["properties"]?["note"]?.range?.start.line == 62)
    }

    @Test("Parts in other files are converted according to their use")
    func files() throws {
        let root = """
            swagger: "2.0"
            info: { title: Shop, version: 1.0.0 }
            consumes: [application/vnd.shop+json]
            paths:
              /a:
                post:
                  parameters:
                    - { $ref: 'parts/all.yaml#/body' }
                    - { $ref: 'parts/all.yaml#/limit' }
                  responses:
                    200: { $ref: 'parts/all.yaml#/found' }
                    201: { description: b, schema: { $ref: 'other.json#/definitions/Thing' } }
              /b: { $ref: 'parts/path.yaml' }
            """
        let all = """
            body: { name: b, in: body, schema: { $ref: '#/schemas/Pet' } }
            limit: { name: limit, in: query, type: integer, maximum: 9 }
            found: { description: found, schema: { type: array, items: { $ref: '#/schemas/Pet' } } }
            schemas:
              Pet: { type: object, discriminator: kind, properties: { name: { type: string, x-nullable: true } } }
            """
        let path = """
            post:
              consumes: [application/x-www-form-urlencoded]
              parameters: [{ name: a, in: formData, type: string }]
              responses: { 204: { description: done } }
            """
        let other =
            #"{"swagger": "2.0", "info": {"title": "o", "version": "1"}, "paths": {}, "definitions": {"Thing": {"type": "file"}}}"#
        let source = TextSource([
            "/openapi.yaml": root, "/parts/all.yaml": all, "/parts/path.yaml": path, "/other.json": other,
        ])
        let (loaded, problems) = source.load()
        #expect(problems == [])
        let description = try #require(loaded)
        #expect(description.operations.map(\.title) == ["POST /a", "POST /b"])
        let first = try #require(description.operations.first)
        #expect(first.requestBody?.content.map(\.range.text) == ["application/vnd.shop+json"])
        let schema = try #require(first.requestBody?.content.first?.schema.flatMap { description.resolved($0) })
        #expect(schema.locationText == "parts/all.yaml#/schemas/Pet")
        #expect(schema.value["discriminator"] == ["propertyName": "kind"])
        #expect(schema["properties"]?["name"]?.value["nullable"] == true)
        #expect(first.parameters.first?.schema?.value == ["type": "integer", "maximum": 9])
        #expect(first.parameters.first?.schema?["maximum"]?.range?.start.column == 58)
        #expect(first.response(for: 200)?.content.map(\.range.text) == ["*/*"])
        let thing = first.response(for: 201)?.content.first?.schema.flatMap { description.resolved($0) }
        #expect(thing?.locationText == "other.json#/components/schemas/Thing")
        #expect(thing?.value["format"] == "binary")
        #expect(
            description.operations.last?.requestBody?.content.first?.schema?["properties"]?["a"]?.range?.start.line == 3
        )
    }
}
