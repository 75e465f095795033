import Diagnostics
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Checking descriptions")
struct DescriptionCheckTests {
    @Test(
        "Problems are reported with their location and a suggestion",
        arguments: Mistake.rootMistakes + Mistake.operationMistakes + Mistake.contentMistakes + Mistake.schemaMistakes
            + Mistake.swaggerMistakes)
    func mistake(_ mistake: Mistake) {
        let problems = TextSource(["/openapi.yaml": mistake.text]).check()
        #expect(problems.map { $0.replacing("openapi.yaml:", with: "") } == mistake.problems)
    }

    @Test("Parts in other files are checked according to their use")
    func files() {
        let main = """
            openapi: 3.1.0
            info: { title: a, version: "1" }
            paths:
              /a: { $ref: paths.yaml#/a }
            """
        let paths = """
            a:
              get:
                parameters: [{ $ref: '#/limit' }]
                responses: { 200: { description: ok, content: { application/json: { schema: { $ref: pet.json } } } } }
            limit: { name: limit, in: query, schema: { type: intger } }
            """
        let pet = #"{"type": "object", "properties": {"next": {"$ref": "pet.json"}, "size": {"maxLenght": 1}}}"#
        let source = TextSource(["/openapi.yaml": main, "/paths.yaml": paths, "/pet.json": pet])
        #expect(
            source.check() == [
                #"pet.json:1:74: warning: unknown schema keyword "maxLenght" is ignored; did you mean "maxLength"? [unknown-key]"#,
                #"paths.yaml:5:50: error: unknown type "intger"; did you mean "integer"? [invalid-schema]"#,
            ])
    }

    @Test(
        "Deep schemas are checked without recursion",
        arguments: [
            (#""openapi":"3.1.0","components":{"schemas":{"A":"#, "}}"), (#""swagger":"2.0","definitions":{"A":"#, "}"),
        ])
    func deep(start: String, end: String) {
        let depth = 240
        for (opening, closing) in [(#"{"items":"#, "}"), (#"{"allOf":["#, "]}"), (#"{"properties":{"a":"#, "}}")] {
            let schema =
                String(repeating: opening, count: depth) + #"{"type":"x"}"# + String(repeating: closing, count: depth)
            let text = #"{"info":{"title":"a","version":"1"},"paths":{},"# + start + schema + end + "}"
            let problems = OpenAPILoader(source: TextSource(["/deep.json": text])).check("/deep.json").problems
            #expect(
                problems.map(\.id).sorted() == ["invalid-schema", "unused-component"], "\(problems.map(\.message))")
        }
    }

    @Test("Circular references are followed up to a limit", arguments: ["3.0.4", "3.1.0", "3.2.0"])
    func endless(version: String) throws {
        let text = """
            openapi: \(version)
            info: { title: a, version: "1" }
            paths:
              /a: { $ref: '#/paths/~1b' }
              /b: { $ref: '#/paths/~1a' }
              /c: { get: { parameters: [{ $ref: '#/components/parameters/P' }], responses: { 200: { $ref: '#/x' } } } }
            components:
              parameters: { P: { $ref: '#/components/parameters/P' } }
              schemas:
                A: { $ref: '#/components/schemas/A' }
                B: { allOf: [{ $ref: '#/components/schemas/B' }], properties: { b: { $ref: '#/components/schemas/B' } } }
                C: { $ref: '#/components/schemas/C/properties/c' }
            """
        let (description, problems) = OpenAPILoader(source: TextSource(["/openapi.yaml": text])).check("/openapi.yaml")
        #expect(try #require(description).operations.map(\.title) == ["GET /c"])
        // References to the same missing target are reported once.
        #expect(problems.count { $0.id == "unresolved-reference" } == 6)
    }

    @Test("Examples are checked against their schemas even if another schema is invalid")
    func examples() {
        let text = """
            openapi: 3.1.0
            info: { title: a, version: "1" }
            components:
              schemas:
                Broken: { type: string, pattern: '[', example: a }
                Size: { type: integer, example: large }
                Both: { type: object, required: [a], properties: { a: { writeOnly: true } }, example: { a: 1 } }
                Sent: { type: object, required: [b], properties: { b: { readOnly: true } }, example: {} }
                Neither: { type: object, required: [c], properties: { c: {} }, example: {} }
            """
        let problems = OpenAPILoader(source: TextSource(["/openapi.yaml": text])).check("/openapi.yaml").problems
        let examples = problems.filter { $0.id == "invalid-example" }
        #expect(examples.map { $0.range?.start.line } == [6, 9])
        #expect(examples.map(\.related.count) == [1, 1])
        #expect(problems.contains { $0.id == "invalid-schema" && $0.range?.start.line == 5 })
    }
}
