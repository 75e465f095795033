import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Mock bodies for schemas that are hard to satisfy")
struct MockBestValueTests {
    private static func mock(_ schema: String, example: String = "", version: String = "3.0.3") throws -> MockFixture {
        try MockFixture(
            """
            openapi: \(version)
            info: { title: a, version: "1" }
            paths:
              /a: { get: { responses: { 200: { description: ok, content: { application/json: { schema: \(schema)\(example) } } } } } }
            components:
              schemas:
                A: { type: object, required: [a], properties: { a: { type: string, example: left } } }
                B: { type: object, required: [a], properties: { a: { type: string, example: right } } }
                Node: { type: object, required: [next], properties: { id: { type: integer, example: 3 }, next: { $ref: '#/components/schemas/Node' } } }
            """)
    }

    @Test(
        "The best value is sent together with the way it violates the schema",
        arguments: [
            (#"{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }"#, #"{"a":"left"}"#),
            (#"{ oneOf: [{ type: number }, { type: integer }] , example: 3 }"#, "3"),
            (
                #"{ type: object, required: [x, y], additionalProperties: false, properties: { x: { type: integer, enum: [5] }, y: { oneOf: [{ type: string, enum: [s] }, { type: string, enum: [s] }] } } }"#,
                #"{"x":5,"y":"s"}"#
            ),
            (#"{ type: string, minLength: 3, maxLength: 2 }"#, #""""#),
        ])
    func bestValue(schema: String, expected: String) throws {
        let answer = try Self.mock(schema).answer("GET /a")
        #expect(answer.status == 200)
        #expect(answer.text == expected)
        #expect(answer.header("Problem")?.hasPrefix("the body does not match its schema: ") == true)
    }

    @Test("A documented example is preferred if no value satisfies the schema")
    func example() throws {
        let schema = #"{ oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }"#
        let answer = try Self.mock(schema, example: ", example: { a: documented }").answer("GET /a")
        #expect(answer.text == #"{"a":"documented"}"#)
        #expect(answer.header("Problem")?.contains("documented") == true, "\(answer.header("Problem") ?? "")")
    }

    @Test("A body for a schema that requires itself is finite")
    func endless() throws {
        let answer = try Self.mock(#"{ $ref: '#/components/schemas/Node' }"#).answer("GET /a")
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix(#"{"id":3,"next":{"id":"#), "\(answer.text)")
        #expect(answer.header("Problem") != nil)
    }

    @Test("An array under \"items\" describes the elements one by one", arguments: ["3.0.3", "3.1.0"])
    func listOfItems(version: String) throws {
        let schema = "{ type: array, items: [{ type: integer, enum: [4] }, { type: string, enum: [x] }] }"
        let (description, _) = TextSource([
            "/openapi.yaml": """
            openapi: \(version)
            info: { title: a, version: "1" }
            paths:
              /a: { get: { responses: { 200: { description: ok, content: { application/json: { schema: \(schema) } } } } } }
            """
        ]).load()
        let answer = ContractMock(try #require(description)).answer(method: "GET", target: "/a", headers: [], body: [])
        #expect(answer.status == 200 && answer.text == #"[4,"x"]"#, "\(answer.text)")
    }

    @Test("A schema with very many branches still produces a value")
    func manyBranches() throws {
        // Each level has three branches, and only the last one has a value. All combinations would be too many to try.
        var schema = "{ type: object, required: [z], properties: { z: { type: integer } } }"
        for level in 0..<9 {
            let member = "m\(level)"
            let wrong =
                "{ type: object, required: [\(member)], properties: { \(member): { type: string, pattern: '^(?!x)x$' } } }"
            schema =
                "{ oneOf: [\(wrong), \(wrong), { type: object, required: [\(member)], properties: { \(member): \(schema) } }] }"
        }
        let answer = try Self.mock(schema).answer("GET /a")
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix("{"), "\(answer.text)")
    }
}
