import Diagnostics
import JSON
import OpenAPI
import Testing
import YAML

/// Tests of randomly modified descriptions: parsing always ends and reports errors.
@Suite("Broken descriptions")
struct MutationTests {
    /// A reproducible random number generator (xorshift64*).
    private struct Generator {
        var state: UInt64

        mutating func next(below bound: Int) -> Int {
            state ^= state >> 12
            state ^= state << 25
            state ^= state >> 27
            return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(1, bound)
        }
    }

    /// A source of a single document.
    private struct ValueSource: DocumentSource {
        let value: JSONValue

        func location(ofURI uri: String) -> String? { nil }

        func document(at location: String) -> LocatedDocument.Reading {
            guard location == "/openapi.json" else { return .problems([]) }
            return .document(
                LocatedDocument(
                    file: SourceFile(name: "openapi.json", text: Array(value.serialized().utf8)), value: value))
        }
    }

    private static let texts = [
        "", "x", "#", "#/", "#/paths", "#/components/schemas/A", "#/definitions/A", "#/paths/~1a/get", "/a/{id}", "{",
        "}{", "path", "body", "default", "2XX", "\u{0}", "application/json", "openapi.json", "other.json#/a",
        "http://x",
        "#anchor", "%", "#/%zz", "#/a~2", "object", "array", "\u{1F600}",
    ]

    private static func replacement(_ generator: inout Generator, _ root: JSONValue) -> JSONValue {
        switch generator.next(below: 12) {
        case 0: .null
        case 1: .bool(generator.next(below: 2) == 0)
        case 2: .number(JSONNumber(Int64(generator.next(below: 9) - 4)))
        case 3: []
        case 4: .object(JSONObject())
        case 5: [root]
        case 6: ["$ref": .string(texts[generator.next(below: texts.count)])]
        case 7: ["a": ["$ref": "#"], "x-b": .array([.null, "a", 5])]
        default: .string(texts[generator.next(below: texts.count)])
        }
    }

    /// Returns the value with one location changed.
    private static func changed(_ value: JSONValue, _ root: JSONValue, _ generator: inout Generator) -> JSONValue {
        if generator.next(below: 7) == 0 { return replacement(&generator, root) }
        switch value {
        case .object(let object) where !object.isEmpty:
            let position = generator.next(below: object.count)
            let action = generator.next(below: 20)
            var result = JSONObject()
            for (index, member) in object.enumerated() {
                if index != position {
                    result[member.key] = member.value
                } else if action == 0 {
                    result[texts[generator.next(below: texts.count)]] = member.value
                } else if action > 1 {
                    result[member.key] = changed(member.value, root, &generator)
                }
            }
            return .object(result)
        case .array(let array) where !array.isEmpty:
            var result = array
            let position = generator.next(below: array.count)
            result[position] = changed(array[position], root, &generator)
            return .array(result)
        case .null, .bool, .number, .string, .object, .array: return replacement(&generator, root)
        }
    }

    private static let description = """
        openapi: 3.2.0
        $self: https://example.com/openapi.json
        info: { title: a, version: b, license: { name: MIT } }
        servers: [{ url: 'https://{h}/', variables: { h: { default: a, enum: [a, b] } } }]
        security: [{ key: [] }, { login: [read] }]
        tags: [{ name: a, parent: b }, { name: b }]
        paths:
          /a/{id}:
            parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
            get:
              operationId: readA
              tags: [a]
              parameters: [{ $ref: '#/components/parameters/P' }, { name: q, in: query, style: deepObject, content: { application/json: { schema: {} } } }]
              responses:
                200:
                  description: a
                  headers: { X: { schema: { type: integer } } }
                  content: { application/json: { schema: { $ref: '#/components/schemas/A' }, examples: { e: { $ref: '#/components/examples/E' } } } }
                  links: { next: { operationId: readA, parameters: { id: $response.body#/id } } }
                default: { $ref: '#/components/responses/R' }
            post:
              requestBody: { content: { multipart/form-data: { schema: { properties: { a: { type: string } } }, encoding: { a: { contentType: a/b, headers: { Y: { schema: {} } } } } } } }
              callbacks: { done: { '{$request.body#/url}': { post: { callbacks: { done: { $ref: '#/components/callbacks/C' } }, responses: { 200: { description: a } } } } } }
              responses: { 201: { description: a } }
            additionalOperations: { LINK: { responses: { 200: { description: a } } } }
          /b: { $ref: '#/components/pathItems/I' }
        webhooks: { w: { post: { responses: { 200: { description: a } } } } }
        components:
          parameters: { P: { name: p, in: header, schema: { type: array, items: { $ref: '#named' } }, example: [1] } }
          responses: { R: { description: a, content: { text/plain: { itemSchema: {} } } } }
          examples: { E: { value: { kind: a } } }
          callbacks: { C: { '{$url}': { $ref: '#/components/pathItems/I' } } }
          pathItems: { I: { get: { responses: { 200: { description: a } } } } }
          schemas:
            A:
              type: object
              required: [kind]
              discriminator: { propertyName: kind, mapping: { a: '#/components/schemas/A' }, defaultMapping: A }
              properties: { kind: { type: string, default: a }, next: { $ref: '#/components/schemas/A' } }
              allOf: [{ $ref: '#/components/schemas/N' }]
            N: { $anchor: named, type: [string, 'null'], pattern: '^a', $defs: { D: { $id: https://example.com/n } } }
          securitySchemes:
            key: { type: apiKey, in: header, name: X }
            login: { type: oauth2, flows: { password: { tokenUrl: /t, scopes: { read: r } } } }
        """

    private static let swagger = """
        swagger: "2.0"
        info: { title: a, version: b }
        host: example.com
        basePath: /v1
        schemes: [https]
        consumes: [application/json]
        produces: [application/json]
        parameters: { p: { name: p, in: query, type: array, items: { type: string }, collectionFormat: csv }, b: { name: b, in: body, schema: { $ref: '#/definitions/A' } } }
        responses: { R: { description: a, schema: { $ref: '#/definitions/A' }, headers: { X: { type: integer } } } }
        securityDefinitions: { key: { type: apiKey, in: header, name: X }, o: { type: oauth2, flow: implicit, authorizationUrl: /a, scopes: { r: r } } }
        security: [{ o: [r] }]
        paths:
          /a/{id}:
            parameters: [{ name: id, in: path, required: true, type: string }]
            get: { produces: [a/b], parameters: [{ $ref: '#/parameters/p' }], responses: { 200: { $ref: '#/responses/R' }, 201: { description: a, schema: { $ref: '#/paths/~1a~1{id}/get/responses/200/schema' }, examples: { a/b: 1 } } } }
            put: { schemes: [http], parameters: [{ $ref: '#/parameters/b' }], responses: { 200: { description: a } } }
            post: { consumes: [multipart/form-data], parameters: [{ name: f, in: formData, type: file }, { name: g, in: formData, type: array, items: { type: string }, collectionFormat: multi }], responses: { 200: { description: a, schema: { type: file } } } }
        definitions: { A: { type: object, discriminator: kind, properties: { a: { type: string, x-nullable: true }, b: { $ref: '#/definitions/A', x-nullable: true } } } }
        """

    @Test(arguments: [("3.2", Self.description, UInt64(7)), ("2.0", Self.swagger, UInt64(11))])
    func breaks(version: String, text: String, seed: UInt64) throws {
        guard case .document(let document) = LocatedDocument.read(SourceFile(name: "openapi.yaml", text: text)) else {
            Issue.record("the description itself is broken")
            return
        }
        let whole = OpenAPILoader(source: ValueSource(value: document.value)).check("/openapi.json").problems
        #expect(whole.filter { $0.severity == .error }.map(\.message) == [])
        var generator = Generator(state: seed)
        var broken = 0
        for _ in 0..<1_000 {
            var value = document.value
            for _ in 0...generator.next(below: 4) { value = Self.changed(value, document.value, &generator) }
            let (description, problems) = OpenAPILoader(source: ValueSource(value: value)).check("/openapi.json")
            if !problems.isEmpty { broken += 1 }
            // Every problem has a location, unless it is about a missing file.
            for problem in problems where description != nil {
                #expect(problem.range != nil || problem.id == "too-many-problems", "\(problem)")
                #expect(!problem.message.isEmpty)
            }
            for operation in description?.operations ?? [] {
                _ = operation.response(for: 200)?.content(for: MediaRange("application/json"))
            }
        }
        #expect(broken > 500)
    }
}
