import Basics
import ContractTools
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("Comparing recursive and hostile descriptions")
struct HostileComparisonTests {
    /// Descriptions by their kind of difficulty. `#` is 9 in the old and 5 in the new one.
    private static let schemas: [(String, String)] = [
        ("itself", "A: { $ref: '#/components/schemas/A' }"),
        ("allOf of itself", "A: { allOf: [{ $ref: '#/components/schemas/A' }, { maxLength: # }] }"),
        ("oneOf of itself", "A: { oneOf: [{ $ref: '#/components/schemas/A' }, { type: string, maxLength: # }] }"),
        (
            "properties of each other",
            """
            A: { allOf: [{ $ref: '#/components/schemas/B' }, { $ref: '#/components/schemas/C' }] }
                B: { properties: { x: { $ref: '#/components/schemas/C' }, y: { $ref: '#/components/schemas/A' } } }
                C: { properties: { x: { $ref: '#/components/schemas/A' }, y: { $ref: '#/components/schemas/B' }, z: { maxLength: # } } }
            """
        ),
        ("depth", "A: " + nested(30)),
        (
            "wrong types",
            "A: { type: 5, enum: 7, properties: [1], required: {}, allOf: x, oneOf: 3, maximum: '#', items: [] }"
        ),
        (
            "large numbers",
            "A: { type: integer, exclusiveMaximum: 9223372036854775807, minimum: 1e999999999, maxLength: # }"
        ),
        ("control characters", "A: { enum: [\"\\e[31m\\0\", '#'] }"),
    ]

    private static func nested(_ depth: Int) -> String {
        String(repeating: "{ properties: { a: ", count: depth) + "{ maxLength: # }"
            + String(repeating: " } }", count: depth)
    }

    private static func text(_ schemas: String, _ bound: Int) -> String {
        """
        openapi: 3.1.0
        info: { title: a, version: "1" }
        paths:
          /a:
            post:
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } }
              responses:
                "200": { description: a, content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } }
        components:
          schemas:
            \(schemas.replacing("#/", with: "\u{1}").replacing("#", with: "\(bound)").replacing("\u{1}", with: "#/"))
        """
    }

    @Test("A comparison terminates, and its reports contain no control characters", arguments: schemas)
    func ends(_ name: String, _ schemas: String) throws {
        let source = TextSource(["/old.yaml": Self.text(schemas, 9), "/new.yaml": Self.text(schemas, 5)])
        let old = try #require(source.load("/old.yaml").description)
        let new = try #require(source.load("/new.yaml").description)
        let options = ComparisonOptions(today: CalendarDate(daysSince1970: 0), deprecationDays: .max)
        let changes = DescriptionComparison(old: old, new: new, options: options).changes
        #expect(changes.count < 100)
        #expect(changes.isEmpty == ["itself", "wrong types"].contains(name), "\(changes.map(\.message))")
        for format in ComparisonReport.Format.allCases {
            let text = ComparisonReport(oldName: "a", newName: "b", changes: changes).rendered(as: format)
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }
}
