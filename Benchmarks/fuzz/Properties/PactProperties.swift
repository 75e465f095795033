import ContractTools
import Diagnostics
import OpenAPI
import YAML

/// The properties of any bytes that are read as a pact and validated against a description.
enum PactProperties {
    static func check(_ input: [UInt8]) throws(PropertyViolation) {
        let file = SourceFile(name: "pact.json", text: input)
        switch Pact.read(file) {
        case .problems(let problems):
            try require(!problems.isEmpty, "a pact that is refused without a reason")
            try check(problems, of: file)
        case .pact(let pact):
            guard let check = Self.check else { throw PropertyViolation("the description does not load") }
            let outcome = check.outcome(of: pact)
            try require(outcome.checked >= 0 && outcome.skipped >= 0, "a negative number of interactions")
            let skipped = outcome.diagnostics.count { $0.id == "skipped-interaction" }
            try require(skipped == outcome.skipped, "\(outcome.skipped) skipped interactions and \(skipped) notes")
            try self.check(outcome.diagnostics, of: file)
        }
    }

    private static func check(_ diagnostics: [Diagnostic], of file: SourceFile) throws(PropertyViolation) {
        for diagnostic in diagnostics {
            try require(!diagnostic.id.isEmpty && !diagnostic.message.isEmpty, "a diagnostic without a message")
            guard let range = diagnostic.range, range.file.name == file.name else { continue }
            let bytes = range.byteRange
            try require(
                bytes.lowerBound >= 0 && bytes.upperBound <= file.text.count,
                "\(diagnostic.message) is outside the text")
        }
    }

    // MARK: The description

    private static let check: PactCheck? = OpenAPILoader(source: Description()).load(Description.location).description
        .map { PactCheck($0, name: "openapi.yaml") }

    /// A description with parameters, bodies, headers, and schemas of many kinds.
    private struct Description: DocumentSource {
        static let location = "/openapi.yaml"

        private static let text = """
            openapi: 3.1.0
            info: { title: Books, version: 1.0.0 }
            servers: [{ url: https://books.example.com/v1 }]
            paths:
              /books:
                get:
                  parameters:
                    - { name: genre, in: query, schema: { enum: [novel, poetry] } }
                    - { name: ids, in: query, schema: { type: array, items: { type: integer } } }
                    - { name: filter, in: query, style: deepObject, schema: { type: object } }
                    - { name: X-Trace, in: header, schema: { type: string, format: uuid } }
                  responses:
                    "200":
                      description: the books
                      headers: { X-Total: { required: true, schema: { type: integer } } }
                      content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Book" } } } }
                post:
                  security: [{ token: [] }]
                  requestBody:
                    required: true
                    content:
                      application/json: { schema: { $ref: "#/components/schemas/Book" } }
                      application/x-www-form-urlencoded: { schema: { type: object, properties: { title: {} } } }
                  responses:
                    "201": { description: the new book, headers: { Location: { schema: { type: string } } } }
                    4XX: { description: an invalid book, content: { application/problem+json: { schema: {} } } }
              /books/{id}:
                parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
                get:
                  responses:
                    "200": { description: it, content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } } }
                    "404": { description: not found }
                    default: { description: a problem, content: { text/plain: {} } }
            components:
              securitySchemes:
                token: { type: http, scheme: bearer }
              schemas:
                Book:
                  type: object
                  required: [title]
                  properties:
                    id: { type: integer, readOnly: true }
                    title: { type: string, minLength: 1, pattern: "^[A-Z]" }
                    price: { type: number, minimum: 0, multipleOf: 0.01 }
                    tags: { type: array, items: { type: string }, uniqueItems: true, maxItems: 3 }
                    part: { oneOf: [{ type: "null" }, { $ref: "#/components/schemas/Book" }] }
                    year: { anyOf: [{ type: integer }, { type: string, format: date }] }
                  dependentRequired: { price: [tags] }
                  unevaluatedProperties: false
            """

        func location(ofURI uri: String) -> String? { nil }

        func document(at location: String) -> LocatedDocument.Reading {
            LocatedDocument.read(SourceFile(name: "openapi.yaml", text: Self.text))
        }
    }
}
