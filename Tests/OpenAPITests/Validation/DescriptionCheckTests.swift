import Diagnostics
import OpenAPI
import Testing

@Suite("Checking descriptions")
struct DescriptionCheckTests {
    @Test(
        "What is wrong is told with its place and what to do",
        arguments: Mistake.rootMistakes + Mistake.operationMistakes + Mistake.contentMistakes + Mistake.schemaMistakes
            + Mistake.swaggerMistakes)
    func mistake(_ mistake: Mistake) {
        let problems = TextSource(["/openapi.yaml": mistake.text]).check()
        #expect(problems.map { $0.replacing("openapi.yaml:", with: "") } == mistake.problems)
    }

    @Test("Parts in other files are looked at as what they are used for")
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
                #"pet.json:1:74: warning: "maxLenght" is no keyword of schemas and is ignored; did you mean "maxLength"? [unknown-key]"#,
                #"paths.yaml:5:50: error: "intger" is no type; did you mean "integer"? [invalid-schema]"#,
            ])
    }

    @Test("Deep schemas are looked at without recursion")
    func deep() {
        let depth = 200
        let schema =
            String(repeating: #"{"items":"#, count: depth) + #"{"type":"x"}"# + String(repeating: "}", count: depth)
        let text =
            #"{"openapi":"3.1.0","info":{"title":"a","version":"1"},"components":{"schemas":{"A":"# + schema
            + "}}}"
        let problems = OpenAPILoader(source: TextSource(["/deep.json": text])).check("/deep.json").problems
        #expect(problems.map(\.id).sorted() == ["invalid-schema", "unused-component"])
    }
}
