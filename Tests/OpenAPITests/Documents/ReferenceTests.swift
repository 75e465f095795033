import Diagnostics
import JSON
import OpenAPI
import OpenAPITestSupport
import Testing

@Suite("References")
struct ReferenceTests {
    private static let main = """
        openapi: 3.2.0
        $self: https://example.com/api/openapi.yaml
        info: { title: a, version: b }
        paths:
          /a:
            get:
              responses:
                200: { $ref: '#/components/responses/Found', description: here }
                201: { description: b, content: { application/json: { schema: { type: string } } } }
          "/b%c{d}": { get: { parameters: [{ name: d, in: path, required: true, schema: {} }], responses: {} } }
        components:
          responses:
            Found: { description: found, content: { application/json: { schema: { type: object } } } }
          schemas:
            Named: { $anchor: named, type: object }
            Identified: { $id: https://example.com/schemas/pet, $defs: { Tail: { $anchor: tail, type: boolean } } }
            Twice: { $ref: '#/components/schemas/Once' }
            Once: { $ref: 'parts/all.yaml#/Deep' }
            Circle: { $ref: 'parts/all.yaml#/Circle' }
            "a/b~c": { type: 'null' }
        """

    private static let parts = """
        Deep: { type: number }
        Back: { $ref: '../openapi.yaml#/components/schemas/Named' }
        Circle: { $ref: '../openapi.yaml#/components/schemas/Circle' }
        """

    private static let whole = "{\"type\": \"integer\"}"

    private func description() throws -> OpenAPIDescription {
        let source = TextSource([
            "/openapi.yaml": Self.main, "/parts/all.yaml": Self.parts, "/whole.json": Self.whole,
            "/a b.yaml": "x: 1",
        ])
        let (loaded, problems) = source.load()
        #expect(problems == [])
        return try #require(loaded)
    }

    @Test(
        "References are resolved to their targets",
        arguments: [
            ("#/components/schemas/Named", "openapi.yaml#/components/schemas/Named"),
            ("#named", "openapi.yaml#/components/schemas/Named"),
            ("openapi.yaml#named", "openapi.yaml#/components/schemas/Named"),
            ("#", "openapi.yaml#"),
            ("", "openapi.yaml#"),
            ("https://example.com/schemas/pet", "openapi.yaml#/components/schemas/Identified"),
            ("https://example.com/schemas/pet#tail", "openapi.yaml#/components/schemas/Identified/$defs/Tail"),
            ("https://example.com/schemas/pet#/$defs/Tail", "openapi.yaml#/components/schemas/Identified/$defs/Tail"),
            ("../schemas/pet#tail", "openapi.yaml#/components/schemas/Identified/$defs/Tail"),
            ("https://example.com/api/openapi.yaml#named", "openapi.yaml#/components/schemas/Named"),
            ("https://example.com/api/parts/all.yaml#/Deep", "parts/all.yaml#/Deep"),
            ("parts/all.yaml#/Back", "openapi.yaml#/components/schemas/Named"),
            ("./parts/../parts/all.yaml#/Back", "openapi.yaml#/components/schemas/Named"),
            ("whole.json", "whole.json#"),
            ("a%20b.yaml#/x", "a b.yaml#/x"),
            ("#/components/schemas/Twice", "parts/all.yaml#/Deep"),
            ("#/components/schemas/a~1b~0c", "openapi.yaml#/components/schemas/a~1b~0c"),
            ("#/paths/~1b%25c%7Bd%7D/get", "openapi.yaml#/paths/~1b%c{d}/get"),
            (
                "#/paths/~1a/get/responses/201/content/application~1json/schema",
                "openapi.yaml#/paths/~1a/get/responses/201/content/application~1json/schema"
            ),
            (
                "#/paths/~1a/get/responses/200/content/application~1json/schema",
                "openapi.yaml#/components/responses/Found/content/application~1json/schema"
            ),
        ])
    func leads(reference: String, expected: String) throws {
        let root = try description().root
        let files = try description().files
        let site = DescriptionNode(
            file: root.file, pointer: root.pointer.appending("x-site"), value: ["$ref": .string(reference)])
        #expect(try files.resolve(site).locationText == expected)
    }

    @Test(
        "Unresolvable references are reported with the reason",
        arguments: [
            ("#/components/schemas/Circle", "\"#/components/schemas/Circle\" is a circular reference"),
            ("#nowhere", "\"#nowhere\" cannot be resolved: no schema there has the $anchor \"nowhere\""),
            (
                "#/components/schemas/Namde",
                "\"#/components/schemas/Namde\" cannot be resolved; did you mean \"Named\"?"
            ),
            ("none.yaml", "there is no file \"/none.yaml\""),
            ("https://example.org/x", "\"https://example.org/x\" is not loaded from the network"),
            (
                "#/paths/~1a/get/responses/404",
                "\"#/paths/~1a/get/responses/404\" cannot be resolved; available names: 200, 201"
            ),
        ])
    func leadsNowhere(reference: String, expected: String) throws {
        let description = try description()
        let pointer = description.root.pointer.appending("x-site")
        let site = DescriptionNode(file: description.root.file, pointer: pointer, value: ["$ref": .string(reference)])
        do throws(DescriptionFiles.ReferenceProblem) {
            let found = try description.files.resolve(site)
            Issue.record("resolved to \(found.locationText)")
        } catch {
            #expect("\(error.message)\(error.suggestion.map { "; \($0)" } ?? "")".hasPrefix(expected))
        }
    }

    @Test("A description next to a $ref overrides the referenced one")
    func siblings() throws {
        let operation = try #require(try description().operations.first)
        #expect(operation.response(for: 200)?.description == "here")
    }

    @Test("A chain of references is followed up to a limit")
    func chain() throws {
        let names = (0..<300).map { "  S\($0): { $ref: '#/components/schemas/S\($0 + 1)' }" }
        let text =
            "openapi: 3.1.0\ninfo: { title: a, version: b }\npaths: {}\ncomponents:\n schemas:\n"
            + names.joined(separator: "\n") + "\n  S300: {}\n"
        let description = try #require(TextSource(["/openapi.yaml": text]).load().description)
        let schemas = try #require(description.root["components"]?["schemas"])
        let first = try #require(schemas["S0"])
        let last = try #require(schemas["S250"])
        #expect(description.resolved(first) == nil)
        #expect(description.resolved(last)?.name == "S300")
    }
}
