import Basics
import ContractTools
import Diagnostics
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Pacts against a description")
struct PactCheckTests {
    /// Returns the diagnostics of a pact as lines: location, severity, message and identifier.
    private static func lines(_ interaction: String, schema: String, version: String = "3.0.0") throws -> [String] {
        let text = """
            openapi: 3.1.0
            info: { title: Books, version: '1' }
            paths:
              /books/{id}:
                parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
                put:
                  requestBody: { content: { application/json: { schema: \(schema) } } }
                  responses: { '200': { description: done, content: { application/json: { schema: \(schema) } } } }
            """
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let pact = """
            {"interactions":[\(interaction)],"metadata":{"pactSpecification":{"version":"\(version)"}}}
            """
        switch Pact.read(SourceFile(name: "pact.json", text: pact)) {
        case .problems(let problems): return problems.map(line)
        case .pact(let pact):
            return PactCheck(description, name: "openapi.yaml").outcome(of: pact).diagnostics.map(line)
        }
    }

    private static func line(_ problem: Diagnostic) -> String {
        "\(problem.range?.text ?? "-") \(problem.severity) \(problem.message) [\(problem.id)]"
    }

    private static func response(_ body: String) -> String {
        #"{"description":"d","request":{"method":"PUT","path":"/books/1"},"response":{"body":\#(body)}}"#
    }

    /// A response lacks the members that the consumer does not use, but has no others than the documented ones.
    @Test(
        arguments: [
            // Members that the consumer does not use.
            ("{ type: object, required: [a, b], minProperties: 2, properties: { a: {}, b: {} } }", #"{"a":1}"#, nil),
            ("{ properties: { a: {}, b: {} }, dependentRequired: { a: [b] } }", #"{"a":1}"#, nil),
            (
                "{ oneOf: [{ required: [a] }, { required: [b] }], properties: { a: {}, b: {}, c: {} } }", #"{"c":1}"#,
                nil
            ),
            ("{ properties: { a: {}, b: {} }, not: { required: [b] } }", #"{"a":1}"#, nil),
            (
                "{ properties: { a: {} }, if: { required: [a] }, then: { required: [b], properties: { b: {} } }, unevaluatedProperties: false }",
                #"{"b":1}"#, nil
            ),
            // Members that no schema describes.
            ("{ properties: { a: {} } }", #"{"b":1}"#, #"1 error response body $.b: the member "b" is not documented"#),
            (
                "{ properties: { a: { items: { properties: { b: {} } } } } }", #"{"a":[{"b":1},{"c":2}]}"#,
                #"2 error response body $.a[1].c: the member "c" is not documented"#
            ),
            (
                "{ allOf: [{ properties: { a: {} } }, { type: object, required: [a] }] }", #"{"b":1}"#,
                #"1 error response body $.b: the member "b" is not documented"#
            ),
            ("{ allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }", #"{"a":1,"b":1}"#, nil),
            ("{ oneOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }", #"{"b":1}"#, nil),
            ("{ anyOf: [{ properties: { a: {} } }, { type: object }] }", #"{"b":1}"#, nil),
            ("{ properties: { a: {} }, additionalProperties: true }", #"{"b":1}"#, nil),
            (
                "{ properties: { a: {} }, additionalProperties: { properties: { c: {} } } }", #"{"b":{"d":1}}"#,
                #"1 error response body $.b.d: the member "d" is not documented"#
            ),
            ("{ properties: { a: {} }, patternProperties: { '^x-': {} } }", #"{"x-b":1}"#, nil),
            ("{ type: object }", #"{"b":1}"#, nil),
            ("{}", #"{"b":1}"#, nil),
            // Values that the schema excludes.
            (
                "{ properties: { a: { type: integer } } }", #"{"a":"x"}"#,
                #""x" error response body $.a: expected integer, got "x" (string)"#
            ),
            (
                "{ oneOf: [{ properties: { a: { const: 1 } } }, { properties: { a: { const: 2 } } }] }", #"{"a":2}"#,
                nil
            ),
        ] as [(String, String, String?)])
    func aPartialResponse(_ schema: String, _ body: String, _ expected: String?) throws {
        let lines = try Self.lines(Self.response(body), schema: schema)
        #expect(lines == (expected.map { ["\($0) [response-body]"] } ?? []))
    }

    /// A request is complete, so it must have all required members.
    @Test func aRequestWithoutARequiredMember() throws {
        let interaction = """
            {"description":"d","request":{"method":"PUT","path":"/books/1","body":{"a":1}},"response":{}}
            """
        let lines = try Self.lines(interaction, schema: "{ required: [b], properties: { a: {}, b: {} } }")
        #expect(lines == [#"{"a":1} error request body $: missing property "b" [request-body]"#])
    }

    /// One request in the forms of several versions.
    @Test(arguments: [
        ("2.0.0", #""body":{"a":1}"#), ("3.0.0", #""body":"{\"a\":1}","headers":{"Content-Type":"application/json"}"#),
        ("4.0", #""body":{"content":{"a":1},"contentType":"application/json","encoded":false}"#),
        ("4.0", #""body":{"content":"eyJhIjoxfQ==","contentType":"application/json","encoded":true}"#),
        ("4.0", #""body":{"content":"{\"a\":1}","contentType":"application/json","encoded":"json"}"#),
    ])
    func theFormsOfABody(_ version: String, _ body: String) throws {
        let interaction = """
            {"description":"d","request":{"method":"PUT","path":"/books/1",\(body)},"response":{}}
            """
        #expect(try Self.lines(interaction, schema: "{ required: [a] }", version: version) == [])
        let lines = try Self.lines(interaction, schema: "{ required: [b] }", version: version)
        #expect(lines.count == 1 && lines[0].contains(#"missing property "b""#), "\(lines)")
    }

    /// In version 3, an object with the name of version 4 is only an object.
    @Test func aBodyWithAMemberNamedContent() throws {
        let lines = try Self.lines(
            Self.response(#"{"content":1}"#), schema: "{ properties: { content: { type: string } } }")
        #expect(lines == ["1 error response body $.content: expected string, got 1 (integer) [response-body]"])
    }

    @Test func aRequestThatTheConsumerExpectsToBeRejected() throws {
        let rejected = """
            {"description":"d","request":{"method":"PUT","path":"/books/x","body":7},"response":{"status":400}}
            """
        // The status is not documented, but the request is not judged.
        let lines = try Self.lines(rejected, schema: "{ type: object }")
        #expect(lines.count == 1 && lines[0].hasPrefix("400 error status:"), "\(lines)")
    }

    @Test func aRecursiveSchemaEnds() throws {
        let schema =
            "{ properties: { a: { $ref: '#/paths/~1books~1{id}/put/requestBody/content/application~1json/schema' } } }"
        let depth = 100
        let body = String(repeating: #"{"a":"#, count: depth) + #"{"b":1}"# + String(repeating: "}", count: depth)
        let lines = try Self.lines(Self.response(body), schema: schema)
        #expect(lines.count == 1 && lines[0].contains(#"the member "b" is not documented"#), "\(lines)")
    }
}
