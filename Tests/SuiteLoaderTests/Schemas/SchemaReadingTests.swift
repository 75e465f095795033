import Diagnostics
import FoundationEssentials
import JSON
import JSONSchema
import SuiteModel
import SuiteTestSupport
import Testing

@testable import SuiteLoader

@Suite("JSON Schemas in suites")
struct SchemaReadingTests {
    private static func suite(_ schemas: String..., top: String = "") -> String {
        let tests = schemas.map { "  - { name: a, request: GET http://localhost/, expect: { schema: \($0) } }\n" }
        return top + "tests:\n" + tests.joined()
    }

    private func schemas(_ directory: ProjectDirectory, _ paths: String...) throws -> [CompiledSchema] {
        try paths.flatMap { try directory.expectations($0) }.compactMap { $0.extras?.schema?.schema }
    }

    @Test(
        "A schema is a path, an inline schema, or a mapping with options",
        arguments: [
            ("s.json", "1", #""x""#), ("s.yaml", "1", #""x""#), ("./../project/s.json", "1", #""x""#),
            ("\"s.json#/$defs/text\"", #""x""#, "1"), ("\"s.json#text\"", #""x""#, "1"),
            ("{ $ref: \"s.json#/$defs/text\" }", #""x""#, "1"), ("{ type: integer }", "1", #""x""#),
            ("{ type: [integer, null] }", "null", #""x""#), ("{ type: null }", "null", "1"),
            ("{ const: { type: null } }", #"{"type":null}"#, #"{"type":"null"}"#),
            ("{ const: \"$${x}\" }", #""${x}""#, "1"),
            ("{ file: s.json }", "1", #""x""#), ("{ inline: { type: integer } }", "1", #""x""#),
            ("{ inline: { format: email }, format: assert }", #""a@example.org""#, #""x""#),
            ("{ file: format.yaml, format: assert }", #""2026-01-31""#, #""x""#),
            ("https://example.com/s", "1", #""x""#), ("https://example.com/all/s.yaml", "1", #""x""#),
        ])
    func forms(schema: String, good: String, bad: String) throws {
        let top = "schemas: { \"https://example.com/s\": s.json, \"https://example.com/all/\": . }\n"
        let directory = try ProjectDirectory([
            "project/a.yaml": Self.suite(schema, top: top),
            "project/s.json": #"{ "type": "integer", "$defs": { "text": { "$anchor": "text", "type": "string" } } }"#,
            "project/s.yaml": "type: integer", "project/format.yaml": "format: date",
        ])
        let compiled = try #require(try schemas(directory, "project/a.yaml").first)
        #expect(compiled.schema.isValid(try JSONValue(parsing: good)))
        #expect(!compiled.schema.isValid(try JSONValue(parsing: bad)))
    }

    @Test("Formats are asserted by default if the defaults say so, unless a schema overrides it")
    func formatsByDefault() throws {
        let directory = try ProjectDirectory([
            "a.yaml": Self.suite(
                "{ format: date }", "{ inline: { format: date }, format: annotate }",
                top: "defaults: { schemaFormat: assert }\n"),
            "b.yaml": Self.suite("{ format: date }"),
        ])
        let verdicts = try schemas(directory, "a.yaml", "b.yaml").map { $0.schema.isValid("x") }
        #expect(verdicts == [false, true, true])
    }

    @Test("A file is compiled once for all suites, but again for other settings")
    func sharing() throws {
        let directory = try ProjectDirectory([
            "a.yaml": Self.suite("s.json", "./s.json", "{ file: s.json, format: assert }", "\"s.json#/items\""),
            "b/b.yaml": Self.suite("../s.json"), "s.json": #"{ "items": {} }"#,
        ])
        let shared = try directory.expectations("a.yaml", "b/b.yaml").compactMap { $0.extras?.schema?.schema }
        try #require(shared.count == 5)
        #expect(shared[0] === shared[1])
        #expect(shared[0] === shared[4])
        #expect(shared[0] !== shared[2])
        #expect(shared[0] !== shared[3])
    }

    @Test("Keywords are located in the suite, in files, and in embedded resources")
    func locations() throws {
        let directory = try ProjectDirectory([
            "a.yaml": Self.suite("{ properties: { a: { type: string }, b: { $ref: t.json }, c: { $ref: u.yaml } } }"),
            "t.json": "{ \"$id\": \"https://example.com/t\",\n  \"minimum\": 3 }",
            "u.yaml": "$ref: '#/$defs/u'\n$defs:\n  u:\n    required:\n      - x\n      - y",
        ])
        let schema = try #require(try schemas(directory, "a.yaml").first)
        let value = try JSONValue(parsing: #"{ "a": 1, "b": 2, "c": {} }"#)
        let locations = schema.schema.violations(of: value).compactMap { schema.location(of: $0.schemaLocation) }
        #expect(Set(locations.map(\.description)) == ["a.yaml:2:93", "t.json:2:14", "u.yaml:4:5"])
    }

    @Test(
        "A URI maps to its file or into the directory with the longest matching prefix",
        arguments: [
            ("https://a/x.json", "/p/x.json"), ("https://a/b/y.json", "/p/b/y.json"),
            ("https://a/b/c/z%20z.json", "/q/z z.json"),
            ("https://a/b/../y.json", "/p/y.json"), ("https://c/x.json", nil), ("https://a", nil),
        ])
    func filesOfURIs(uri: String, path: String?) {
        let settings = SchemaSettings(paths: [
            "https://a/x.json": "/p/x.json", "https://a/b/": "/p/b", "https://a/b/c/": "/q",
        ])
        #expect(settings.path(of: uri) == path)
    }

    @Test(arguments: ["/a/b.json", "/a b/ü/%41#?.json"])
    func fileURIs(path: String) {
        let uri = FileURI.uri(ofPath: path)
        #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(!uri.contains("#"))
        #expect(FileURI.path(of: uri) == path)
        #expect(FileURI.path(of: "https://example.com" + path) == nil)
    }

    @Test("References cannot leave the file root, even through a symbolic link")
    func fileRoot() throws {
        let directory = try ProjectDirectory([
            "root/a.yaml": Self.suite("{ $ref: link.json }"), "root/b.yaml": Self.suite("link.json"),
            "root/c.yaml": Self.suite("{ $ref: ../secret.json }"),
            "root/d.yaml": Self.suite("{ $ref: \"file:///etc/hostname\" }"), "secret.json": "true",
        ])
        try FileManager.default.createSymbolicLink(
            atPath: directory.path + "/root/link.json", withDestinationPath: directory.path + "/secret.json")
        let loader = SuiteLoader(
            options: LoaderOptions(fileRoot: directory.path + "/root", workingDirectory: directory.path))
        for name in ["a", "b", "c", "d"] {
            let problems = loader.load(paths: ["root/\(name).yaml"]).diagnostics
            #expect(problems.map(\.id) == ["file-outside-root"], "\(name)")
        }
    }

    @Test("A default schema is merged like other expectations")
    func defaults() throws {
        let directory = try ProjectDirectory([
            "a.yaml": """
            defaults: { expect: { schema: { type: object } } }
            tests:
              - { name: a, request: GET http://localhost/ }
              - { name: b, request: GET http://localhost/, expect: { schema: null } }
              - { name: c, request: GET http://localhost/, expect: { schema: true } }

            """
        ])
        let verdicts = try directory.expectations("a.yaml").map { $0.extras?.schema?.schema.schema.isValid(1) }
        #expect(verdicts == [false, nil, true])
    }
}
